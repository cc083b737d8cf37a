// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a person on call would be told: rules over the metrics of the cluster and of the server,
 * looked at twice a second. Each rule remembers when it last held.
 */
final class ChaosAlarms implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final String cluster;
  private final int workers;
  private final Map<String, Long> raised = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::watch, "alarms");
  private volatile @Nullable String server;

  /** Watches a cluster that should have so many workers. */
  ChaosAlarms(String cluster, int workers) {
    this.cluster = cluster;
    this.workers = workers;
    thread.setDaemon(true);
    thread.start();
  }

  /** Watches a server too, from now on. */
  void server(String address) {
    server = address;
  }

  /** When the rule last held, in nanoseconds; long ago if it never did. */
  long last(String rule) {
    return raised.getOrDefault(rule, Long.MIN_VALUE);
  }

  private void watch() {
    try {
      while (true) {
        look();
        Thread.sleep(500);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws InterruptedException {
    try {
      JsonNode overview = new ObjectMapper().readTree(get("http://" + cluster + "/overview"));
      if (overview.path("taskmanagers").asInt() < workers) {
        raise("taskmanager");
      }
    } catch (IOException e) {
      raise("jobmanager");
    }
    String address = server;
    if (address != null) {
      try {
        if (get(address + "/metrics").lines().anyMatch(ChaosAlarms::isSourceDown)) {
          raise("broker");
        }
      } catch (IOException e) {
        raise("serve");
      }
    }
  }

  private static boolean isSourceDown(String line) {
    return line.startsWith("avm_source_up") && line.endsWith(" 0.0");
  }

  private void raise(String rule) {
    raised.put(rule, System.nanoTime());
  }

  private String get(String address) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(3)).build();
    HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (reply.statusCode() != 200) {
      throw new IOException(address + " answers " + reply.statusCode());
    }
    return reply.body();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
