// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** {@code avm serve} as a process, fed by topics and asked over HTTP as any program would. */
public final class ServeDemo implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String token = UUID.randomUUID().toString();
  private final Process process;
  private final String address;

  /** What the server calls the requests of our ids. */
  private final Map<String, String> predictions = new HashMap<>();

  /** Starts the launcher {@code avm}; {@code folder} takes its log and its token. */
  public ServeDemo(Path avm, Path folder, String broker, String models, String feedback)
      throws IOException {
    this(avm, folder, 0, broker, models, feedback);
  }

  /** Starts it on that port. */
  ServeDemo(Path avm, Path folder, int port, String broker, String models, String feedback)
      throws IOException {
    Files.createDirectories(folder);
    Path tokens = Files.writeString(folder.resolve("tokens"), "demo " + token + " learn\n");
    ProcessBuilder builder =
        new ProcessBuilder(
            avm.toString(),
            "serve",
            "--port=" + port,
            "--kafka=" + broker,
            "--model-topic=" + models,
            "--label-topic=" + feedback,
            "--token-file=" + tokens);
    builder.environment().put("AVM_JAVA_OPTS", "-Xmx256m");
    builder.redirectError(folder.resolve("serve.log").toFile());
    process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    if (line == null || !line.contains("http")) {
      throw new IOException(
          "avm serve did not start: " + Files.readString(folder.resolve("serve.log")));
    }
    address = line.substring(line.indexOf("http"));
  }

  /** Where its page is. */
  String address() {
    return address;
  }

  /** The labels it gives to rows, which we call ID/0, ID/1 …; none before a model. */
  List<String> ask(String id, String rows) throws Exception {
    HttpResponse<String> reply =
        client.send(post("/v1/predict", rows).build(), HttpResponse.BodyHandlers.ofString());
    List<String> labels = new ArrayList<>();
    if (reply.statusCode() == 503) {
      return labels;
    }
    require(reply, 200);
    JsonNode all = JSON.readTree(reply.body());
    predictions.put(id, all.path("id").asText());
    for (JsonNode prediction : all.path("predictions")) {
      labels.add(prediction.path("prediction").asText());
    }
    return labels;
  }

  /** Tells it how some rows turned out; returns when the broker has it. */
  void tell(String labels) throws Exception {
    JsonNode all = JSON.readTree(labels);
    for (JsonNode label : all) {
      String[] row = label.path("id").asText().split("/", 2);
      String prediction = predictions.get(row[0]);
      if (prediction != null) {
        ((ObjectNode) label).put("prediction_id", prediction + "/" + row[1]);
      }
    }
    HttpRequest request =
        post("/v1/feedback", all.toString()).header("authorization", "Bearer " + token).build();
    require(client.send(request, HttpResponse.BodyHandlers.ofString()), 202);
  }

  /** What it says of its first model. */
  public JsonNode model() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/v1/models")).build();
    HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
    require(reply, 200);
    return JSON.readTree(reply.body()).path("models").path(0);
  }

  private HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(URI.create(address + path))
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private static void require(HttpResponse<String> reply, int status) throws IOException {
    if (reply.statusCode() != status) {
      throw new IOException(reply.uri() + ": " + reply.statusCode() + " " + reply.body());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
