// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Brokers and topics.
 *
 * @param brokers bootstrap addresses
 * @param config more settings of the client
 * @param modelTopic where models come from; empty for none
 * @param feedbackTopic where feedback goes; empty for none
 */
public record Kafka(
    String brokers, @Nullable Path config, String modelTopic, String feedbackTopic) {
  /** Settings of a client: the brokers' addresses and those of the file. */
  public Properties properties() throws IOException {
    Properties properties = new Properties();
    if (config != null) {
      try (Reader reader = Files.newBufferedReader(config)) {
        properties.load(reader);
      }
    }
    properties.put("bootstrap.servers", brokers);
    properties.put("client.id", "avm-serve");
    return properties;
  }
}
