// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.follow.FollowedFolder;
import io.github.avm4j.follow.ModelSource;
import io.github.avm4j.follow.ModelStore;
import io.github.avm4j.follow.kafka.FollowedTopic;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.jspecify.annotations.Nullable;

/** What stands behind WITH of a model: where it comes from and how often to look. */
final class ModelOptions implements Serializable {
  static final ConfigOption<String> PATH =
      ConfigOptions.key("path")
          .stringType()
          .noDefaultValue()
          .withDescription("A model file, or a folder of models, that every TaskManager sees.");

  static final ConfigOption<String> TOPIC =
      ConfigOptions.key("topic")
          .stringType()
          .noDefaultValue()
          .withDescription("A Kafka topic of models; properties.* are the client's settings.");

  static final ConfigOption<String> MODEL =
      ConfigOptions.key("model")
          .stringType()
          .noDefaultValue()
          .withDescription("Name of the model among those of a folder or topic.");

  static final ConfigOption<Duration> RELOAD =
      ConfigOptions.key("reload")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription("How often to look for a newer model.");

  static final String KAFKA = "properties.";

  private static final long serialVersionUID = 1;

  private final @Nullable String path;
  private final @Nullable String topic;
  private final @Nullable String model;
  private final Duration reload;
  private final HashMap<String, String> kafka = new HashMap<>();

  /**
   * Checks them.
   *
   * @param all every option as it was written
   * @throws ValidationException that says what to write instead
   */
  ModelOptions(ReadableConfig options, Map<String, String> all) {
    path = options.getOptional(PATH).orElse(null);
    topic = options.getOptional(TOPIC).orElse(null);
    model = options.getOptional(MODEL).orElse(null);
    reload = options.get(RELOAD);
    all.forEach(
        (key, value) -> {
          if (key.startsWith(KAFKA)) {
            kafka.put(key.substring(KAFKA.length()), value);
          }
        });
    if ((path == null) == (topic == null)) {
      throw new ValidationException(
          "a model of provider 'avm' needs either 'path' (a file or folder) or 'topic'");
    }
    if (topic != null && (model == null || !kafka.containsKey("bootstrap.servers"))) {
      throw new ValidationException(
          "a model of a topic needs 'model' (the job's name) and 'properties.bootstrap.servers'");
    }
    if (reload.toMillis() < 1) {
      throw new ValidationException("'reload' must be at least 1 ms, was " + reload);
    }
    if (path != null) {
      local(path);
    }
  }

  Duration reload() {
    return reload;
  }

  /**
   * The name of the model; null for that of a file.
   *
   * @throws IOException if it is to be that of a folder's only model, and there is no such
   */
  @Nullable String model() throws IOException {
    if (path == null) {
      return model;
    }
    Path local = local(path);
    if (!Files.isDirectory(local)) {
      return null;
    }
    return model == null ? FollowedFolder.onlyName(local) : model;
  }

  /**
   * The source, which has looked at nothing yet.
   *
   * @throws IOException if there is no such path
   */
  ModelSource open(ModelStore store) throws IOException {
    if (path != null) {
      return new FollowedFolder(local(path), store);
    }
    return new FollowedTopic(String.valueOf(topic), kafka, store);
  }

  private static Path local(String path) {
    if (path.startsWith("file:")) {
      try {
        return Path.of(URI.create(path));
      } catch (IllegalArgumentException e) {
        throw new ValidationException(
            "'path' = '" + path + "' is no file: address; write file:///folder/model.avm", e);
      }
    }
    if (path.contains("://")) {
      throw new ValidationException(
          "'path' = '" + path + "' is not on this machine; mount it, or publish models to a topic");
    }
    return Path.of(path);
  }
}
