// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.models.Kafka;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validated settings of a server.
 *
 * @param models files and folders of models
 * @param host the address to listen on
 * @param port the port, 0 for any
 * @param allowedHosts names that requests may be for; empty for those of the address
 * @param administration the second port; null for none
 * @param page who may see the page
 * @param explain who may ask for explanations
 * @param detectorState where detectors that learn are saved; null if none learns
 * @param metrics who may read the metrics
 * @param tokenFile tokens of callers that may change state; null for none
 * @param tls certificates; null for plain text
 * @param labelShare share of predictions that want a label; 0 for none
 * @param keep versions per model that stay loaded
 * @param limits on requests
 * @param tuning what is no setting
 * @param requestTimeoutMillis longest request
 * @param idleTimeoutMillis longest silence of a connection
 * @param closeAfterMillis least time between not being ready any more and closing the port
 * @param accessLog whether every request is logged
 * @param kafka the brokers and topics; null for none
 */
public record ServeConfig(
    List<Path> models,
    String host,
    int port,
    List<String> allowedHosts,
    @Nullable Administration administration,
    Access page,
    Access explain,
    @Nullable Path detectorState,
    Access metrics,
    @Nullable Path tokenFile,
    @Nullable Tls tls,
    double labelShare,
    int keep,
    Limits limits,
    Tuning tuning,
    int requestTimeoutMillis,
    int idleTimeoutMillis,
    int closeAfterMillis,
    boolean accessLog,
    @Nullable Kafka kafka) {
  private static final int HOUR = 3_600_000;

  /**
   * Where the administrative port listens.
   *
   * @param host its address
   * @param port its number, 0 for any
   */
  public record Administration(String host, int port) {}

  /**
   * Files of certificates.
   *
   * @param certificate the server's chain
   * @param key its key
   * @param clientAuthority of clients; null if none are asked for
   */
  public record Tls(Path certificate, Path key, @Nullable Path clientAuthority) {}

  /** Checks that there is a source of models. */
  public ServeConfig {
    models = List.copyOf(models);
    allowedHosts = List.copyOf(allowedHosts);
    if (models.isEmpty() && (kafka == null || kafka.modelTopic().isEmpty())) {
      throw new IllegalArgumentException(
          "no models: name a model file or a folder, or set kafka and model-topic");
    }
  }

  /**
   * Reads and checks the settings.
   *
   * @throws IllegalArgumentException naming the setting that is wrong
   */
  public static ServeConfig of(Settings settings) {
    return of(settings, Tuning.USUAL);
  }

  /** The same with other limits and times than {@link Tuning#USUAL}. */
  public static ServeConfig of(Settings settings, Tuning tuning) {
    int most = Integer.MAX_VALUE / 4;
    return new ServeConfig(
        settings.models(),
        settings.text(Setting.HOST),
        settings.number(Setting.PORT, 0, 65_535),
        settings.list(Setting.ALLOWED_HOSTS),
        administration(settings),
        settings.access(Setting.PAGE),
        settings.access(Setting.EXPLAIN),
        settings.folder(Setting.DETECTOR_STATE),
        settings.access(Setting.METRICS),
        settings.path(Setting.TOKEN_FILE),
        tls(settings),
        settings.share(Setting.LABEL_SHARE),
        settings.number(Setting.KEEP, 1, 1000),
        tuning.limits(settings.number(Setting.MAX_BODY_BYTES, 1, most)),
        tuning,
        settings.number(Setting.REQUEST_TIMEOUT_MS, 1, HOUR),
        settings.number(Setting.IDLE_TIMEOUT_MS, 1, HOUR),
        settings.number(Setting.CLOSE_AFTER_MS, 0, HOUR),
        settings.yes(Setting.ACCESS_LOG),
        kafka(settings));
  }

  private static @Nullable Administration administration(Settings settings) {
    if (!settings.text(Setting.ADMIN_PORT).isEmpty()) {
      return new Administration(
          settings.text(Setting.ADMIN_HOST), settings.number(Setting.ADMIN_PORT, 0, 65_535));
    }
    for (Setting setting : List.of(Setting.PAGE, Setting.EXPLAIN, Setting.METRICS)) {
      if (settings.access(setting) == Access.ADMIN) {
        throw settings.wrong(
            setting, "is admin, but there is no administrative port: set admin-port");
      }
    }
    return null;
  }

  private static @Nullable Tls tls(Settings settings) {
    for (Setting setting : List.of(Setting.TLS_CERT, Setting.TLS_KEY, Setting.TLS_CLIENT_CA)) {
      boolean whole =
          !settings.text(Setting.TLS_CERT).isEmpty() && !settings.text(Setting.TLS_KEY).isEmpty();
      if (!settings.text(setting).isEmpty() && !whole) {
        throw settings.wrong(setting, "is not enough; TLS needs both tls-cert and tls-key");
      }
    }
    Path certificate = settings.path(Setting.TLS_CERT);
    Path key = settings.path(Setting.TLS_KEY);
    return certificate == null || key == null
        ? null
        : new Tls(certificate, key, settings.path(Setting.TLS_CLIENT_CA));
  }

  private static @Nullable Kafka kafka(Settings settings) {
    String brokers = settings.text(Setting.KAFKA);
    String models = settings.text(Setting.MODEL_TOPIC);
    String feedback = settings.text(Setting.FEEDBACK_TOPIC);
    if (brokers.isEmpty()) {
      if (!models.isEmpty() || !feedback.isEmpty()) {
        Setting topic = models.isEmpty() ? Setting.FEEDBACK_TOPIC : Setting.MODEL_TOPIC;
        throw settings.wrong(topic, "needs brokers: set kafka");
      }
      return null;
    }
    return new Kafka(brokers, settings.path(Setting.KAFKA_CONFIG), models, feedback);
  }
}
