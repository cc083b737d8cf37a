// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Prints one line when the broker becomes unreachable and one when it is back. Kafka's clients log
 * it for every connection, and Flink for every restart.
 */
final class BrokerWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Admin admin;
  private final String servers;
  private final PrintStream err;
  private final Thread thread = new Thread(this::watch, "broker-watch");

  private BrokerWatch(Admin admin, String servers, PrintStream err) {
    this.admin = admin;
    this.servers = servers;
    this.err = err;
  }

  /** Watches until closed; null if there is no broker to watch. */
  static @Nullable BrokerWatch start(Map<String, String> kafka, PrintStream err) {
    String servers = kafka.get("bootstrap.servers");
    if (servers == null) {
      return null;
    }
    BrokerWatch watch = new BrokerWatch(admin(kafka, PAUSE), servers, err);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  /** A client that gives up after {@code patience}. */
  static Admin admin(Map<String, String> kafka, Duration patience) {
    Map<String, Object> properties = new HashMap<>(kafka);
    String millis = Long.toString(patience.toMillis());
    properties.put("default.api.timeout.ms", millis);
    properties.put("request.timeout.ms", millis);
    properties.putIfAbsent("reconnect.backoff.ms", "500");
    properties.putIfAbsent("reconnect.backoff.max.ms", "5000");
    return Admin.create(properties);
  }

  private void watch() {
    boolean gone = false;
    try {
      while (true) {
        boolean answers = answers();
        if (answers == gone) {
          gone = !answers;
          err.println(
              gone
                  ? "avm stream: no broker answers at " + servers + "; the job waits for it"
                  : "avm stream: a broker answers at " + servers + " again");
        }
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean answers() throws InterruptedException {
    try {
      return !admin.describeCluster().nodes().get().isEmpty();
    } catch (ExecutionException e) {
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    admin.close(Duration.ZERO);
  }
}
