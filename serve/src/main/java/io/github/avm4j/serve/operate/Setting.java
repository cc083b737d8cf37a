// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import java.util.Locale;

/**
 * The settings of the server. A setting is a flag {@code --port}, a variable {@code AVM_SERVE_PORT}
 * of the environment, or a line {@code port=8080} of the configuration file, in that order.
 *
 * <p>This class needs the JDK alone, so that the command line can list settings without the
 * server's libraries.
 */
public enum Setting {
  HOST("127.0.0.1", "ADDRESS", "Where to listen; 0.0.0.0 for every network."),
  PORT(
      "8080",
      "PORT",
      "Port for predictions, metrics and the page; 0 for any free one.",
      "0",
      "65535"),
  ALLOWED_HOSTS(
      "",
      "HOST,…",
      "Host names, without ports, that requests may be for; on loopback its own, elsewhere any."),
  ADMIN_HOST("127.0.0.1", "ADDRESS", "Where the administrative port listens."),
  ADMIN_PORT(
      "",
      "PORT",
      "Second port, plain HTTP, for probes, metrics, the page and versions; 0 for any free one.",
      "0",
      "65535"),
  OPEN(
      "",
      "PERMISSION,…",
      "Permissions without a token; by default health,predict, on loopback also inspect,metrics."),
  LEARN("", "FOLDER", "Folder whose learner or detectors learn from callers; made if absent."),
  SYNC("false", "true|false", "Whether a label is acknowledged only when the disk has its row."),
  SAVE_EVERY("60s", "DURATION", "Least time between two saves of the learner.", "100ms", "1h"),
  LABELS_WITHIN("1h", "DURATION", "How long a predicted row waits for its label.", "1ms", "10d"),
  WAITING_SIZE(
      "64MiB",
      "SIZE",
      "Most bytes of rows that wait for labels; the oldest are dropped.",
      "1kB",
      "1GB"),
  DEFAULT_LABEL(
      "", "LABEL", "Label for rows that got none in time; if not set, they are not learned."),
  CONFIG("", "FILE", "File of settings, one NAME=VALUE per line."),
  TOKEN_FILE("", "FILE", "File of lines NAME TOKEN PERMISSION,…; read again when it changes."),
  TLS_CERT("", "FILE", "Certificate chain (PEM); read again when it changes."),
  TLS_KEY("", "FILE", "Private key of the certificate (PEM)."),
  TLS_CLIENT_CA("", "FILE", "Authority (PEM) that clients' certificates must come from."),
  LABEL_SHARE(
      "0", "SHARE", "Largest share of predictions to ask a label for, such as 0.2; 0 for none."),
  KEEP("3", "COUNT", "Versions of a model that stay loaded, to roll back to.", "1", "1000"),
  MAX_BODY("16MiB", "SIZE", "Largest body of a request; larger ones are refused.", "1", "500MiB"),
  REQUEST_TIMEOUT(
      "10s", "DURATION", "Time after which a request without a response ends.", "1ms", "1h"),
  IDLE_TIMEOUT(
      "60s", "DURATION", "Time after which a connection without a request is closed.", "1ms", "1h"),
  CLOSE_AFTER(
      "0s",
      "DURATION",
      "Time to keep serving after SIGTERM while reporting not ready; 10s behind a load balancer.",
      "0s",
      "1h"),
  ACCESS_LOG(
      "false", "true|false", "Whether to log every request, not only those refused or failed."),
  KAFKA("", "HOST:PORT,…", "Kafka brokers of the topics below."),
  KAFKA_CONFIG("", "FILE", "File of more settings of the Kafka client, such as security."),
  MODEL_TOPIC("", "TOPIC", "Topic of models: the name is the key, the version a header."),
  LABEL_TOPIC("", "TOPIC", "Topic that POST /v1/feedback writes to.");

  private final String defaultValue;
  private final String form;
  private final String help;
  private final String least;
  private final String most;

  Setting(String defaultValue, String form, String help) {
    this(defaultValue, form, help, "", "");
  }

  /** A whole number, duration or size within bounds. */
  Setting(String defaultValue, String form, String help, String least, String most) {
    this.defaultValue = defaultValue;
    this.form = form;
    this.help = help;
    this.least = least;
    this.most = most;
  }

  /** As in a file: {@code label-share}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** As in the environment: {@code AVM_SERVE_LABEL_SHARE}. */
  public String variable() {
    return "AVM_SERVE_" + name();
  }

  /** Its default value; empty for none. */
  public String defaultValue() {
    return defaultValue;
  }

  /** The form of its value. */
  public String form() {
    return form;
  }

  /** What it does, in one line. */
  public String help() {
    return help;
  }

  /** The least that it may be, as it is written; empty if it has no bounds. */
  String least() {
    return least;
  }

  /** The most that it may be, as it is written; empty if it has no bounds. */
  String most() {
    return most;
  }

  /** The setting of that key. */
  static Setting of(String key, String where) {
    for (Setting setting : values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    throw new IllegalArgumentException(
        where + ": there is no setting '" + key + "'; avm serve --help lists them");
  }
}
