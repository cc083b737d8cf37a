// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster as its REST endpoint shows it. */
public class FlinkRest {
  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();

  /** That on a port of this machine. */
  public FlinkRest(int port) {
    this.port = port;
  }

  /** RUNNING, RESTARTING, FINISHED … */
  public final String state(String job) throws Exception {
    return get("/jobs/" + job).path("state").asText();
  }

  /** Jobs of that name that have not ended. */
  public final List<String> jobs(String name) throws Exception {
    List<String> found = new ArrayList<>();
    for (JsonNode job : get("/jobs/overview").path("jobs")) {
      boolean ended = job.path("end-time").asLong() > 0;
      if (!ended && job.path("name").asText().equals(name)) {
        found.add(job.path("jid").asText());
      }
    }
    return found;
  }

  /** Completed checkpoints. */
  public final long checkpoints(String job, String kind) throws Exception {
    return get("/jobs/" + job + "/checkpoints").path("counts").path(kind).asLong();
  }

  /** Whether the job failed, and went on or not, for a reason that has these words. */
  public final boolean failedFor(String job, String words) throws Exception {
    return get("/jobs/" + job + "/exceptions").toString().contains(words);
  }

  /** Stops a job with a savepoint; where it is. */
  public final String stop(String job, Path savepoints) throws Exception {
    return stop(job, savepoints, false);
  }

  /** Ends a job as if its input had ended, after it has worked off what it has read. */
  public final void drain(String job, Path savepoints) throws Exception {
    stop(job, savepoints, true);
  }

  private String stop(String job, Path savepoints, boolean drain) throws Exception {
    Map<String, Object> body = new HashMap<>();
    body.put("targetDirectory", savepoints.toUri().toString());
    body.put("drain", drain);
    String trigger =
        send(HttpRequest.newBuilder(uri("/jobs/" + job + "/stop"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        new ObjectMapper().writeValueAsString(body)))
                .build())
            .path("request-id")
            .asText();
    String[] location = new String[1];
    Waiting.until(
        "savepoint of " + job,
        () -> {
          JsonNode status = get("/jobs/" + job + "/savepoints/" + trigger);
          if (!status.path("status").path("id").asText().equals("COMPLETED")) {
            return false;
          }
          JsonNode operation = status.path("operation");
          if (operation.has("failure-cause")) {
            throw new IllegalStateException(operation.toString());
          }
          location[0] = operation.path("location").asText();
          return true;
        });
    return location[0];
  }

  /** Ends a job. */
  public final void cancel(String job) throws Exception {
    send(
        HttpRequest.newBuilder(uri("/jobs/" + job))
            .method("PATCH", HttpRequest.BodyPublishers.noBody())
            .build());
    Waiting.until("end of " + job, () -> state(job).equals("CANCELED"));
  }

  /** Lets Flink's adaptive scheduler run an operator with so many subtasks from now on. */
  public final void rescale(String job, String operator, int subtasks) throws Exception {
    String path = "/jobs/" + job + "/resource-requirements";
    ObjectNode all = (ObjectNode) get(path);
    ObjectNode one = (ObjectNode) all.path(vertex(job, operator).path("id").asText());
    one.putObject("parallelism").put("lowerBound", subtasks).put("upperBound", subtasks);
    send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(all.toString()))
            .build());
  }

  /** The number of subtasks that an operator has. */
  public final int subtasks(String job, String operator) throws Exception {
    return vertex(job, operator).path("parallelism").asInt();
  }

  private JsonNode vertex(String job, String operator) throws Exception {
    for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
      if (vertex.path("name").asText().contains(operator)) {
        return vertex;
      }
    }
    throw new IllegalStateException("no operator " + operator + " in " + job);
  }

  /** HOST:PORT of the REST endpoint. */
  public final String address() {
    return "localhost:" + port;
  }

  /** Its port. */
  final int port() {
    return port;
  }

  private URI uri(String path) {
    return URI.create("http://" + address() + path);
  }

  final JsonNode get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IOException(request.uri() + " responds with " + response.statusCode());
    }
    return response.body().isEmpty()
        ? new ObjectMapper().createObjectNode()
        : new ObjectMapper().readTree(response.body());
  }

  /** The TaskManager of an operator, as known some seconds ago; empty if it has none. */
  final String reportedWorkerOf(String job, String operator) throws Exception {
    String vertex = vertex(job, operator).path("id").asText();
    JsonNode detail = get("/jobs/" + job + "/vertices/" + vertex);
    return detail.path("subtasks").path(0).path("taskmanager-id").asText();
  }
}
