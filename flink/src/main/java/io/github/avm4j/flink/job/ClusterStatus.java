// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Prints the jobs of a cluster with their checkpoints, from its REST endpoint. */
final class ClusterStatus {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private ClusterStatus() {}

  static void print(String cluster, PrintStream out) throws IOException, InterruptedException {
    ClusterAddress at = ClusterAddress.parse(cluster);
    JsonNode jobs = get(at, "/jobs/overview").path("jobs");
    out.printf("%-32s  %-10s %8s  %11s  %s%n", "job", "state", "up", "checkpoints", "name");
    for (JsonNode job : jobs) {
      String id = job.path("jid").asText();
      JsonNode checkpoints = get(at, "/jobs/" + id + "/checkpoints").path("counts");
      out.printf(
          "%-32s  %-10s %6d s  %5d ok %2d !  %s%n",
          id,
          job.path("state").asText(),
          job.path("duration").asLong() / 1000,
          checkpoints.path("completed").asLong(),
          checkpoints.path("failed").asLong(),
          job.path("name").asText());
    }
  }

  /** The JSON at {@code path}. */
  static JsonNode get(ClusterAddress at, String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://" + at.host() + ":" + at.port() + path);
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    try {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(uri + " responds with status " + response.statusCode());
      }
      return new ObjectMapper().readTree(response.body());
    } catch (java.net.ConnectException e) {
      throw new IOException("no cluster answers at " + at.host() + ":" + at.port(), e);
    }
  }
}
