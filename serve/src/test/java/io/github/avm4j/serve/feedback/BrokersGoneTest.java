// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Labels that cannot be stored cost predictions nothing. */
@Timeout(120)
class BrokersGoneTest {
  @TempDir Path folder;

  private static int nobody() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void predictionsGoOnAndLabelsAreRefusedAtOnce() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(2));
    try (RunningServer server =
        new RunningServer(folder, "--kafka=127.0.0.1:" + nobody(), "--label-topic=labels")) {
      HttpClient client = HttpClient.newHttpClient();
      HttpRequest label =
          server
              .request("/v1/feedback")
              .header("content-type", "application/json")
              .header("authorization", "Bearer " + RunningServer.TOKEN)
              .POST(HttpRequest.BodyPublishers.ofString("{\"id\": \"a\", \"label\": \"b\"}"))
              .build();
      List<CompletableFuture<HttpResponse<String>>> labels = new ArrayList<>();
      for (int k = 0; k < 100; k++) {
        labels.add(client.sendAsync(label, HttpResponse.BodyHandlers.ofString()));
      }
      int predictions = 0;
      while (!CompletableFuture.anyOf(labels.toArray(CompletableFuture[]::new)).isDone()
          || predictions < 50) {
        HttpResponse<String> reply =
            client.send(
                server
                    .request("/v1/predict")
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"age\": 33}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, reply.statusCode(), reply.body());
        predictions++;
      }
      for (CompletableFuture<HttpResponse<String>> one : labels) {
        int status = one.join().statusCode();
        assertTrue(status == 503 || status == 429, status + ": " + one.join().body());
      }
      // One of these may be the next attempt, which waits for brokers.
      CountDownLatch refused = new CountDownLatch(4);
      labels.clear();
      for (int k = 0; k < 5; k++) {
        labels.add(
            client
                .sendAsync(label, HttpResponse.BodyHandlers.ofString())
                .whenComplete((reply, failure) -> refused.countDown()));
      }
      assertTrue(refused.await(4, TimeUnit.SECONDS), refused + " are not refused at once");
    }
  }
}
