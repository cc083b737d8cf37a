// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Connections that say nothing: they harm nobody and are closed in time. 1,000 in the gate, {@code
 * -Davm4j.idle=10000} where a process may open so many files.
 */
class IdleConnectionsTest {
  private static final int COUNT = Integer.getInteger("avm4j.idle", 1000);
  private static final int IDLE_MILLIS = 4000 + COUNT;
  private static final int REQUESTS = COUNT / 4;
  private static final int PATIENCE_MILLIS = 300_000;

  @TempDir Path folder;

  @Test
  void harmNobodyAndAreClosed() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    List<Socket> idle = new ArrayList<>();
    try (ServerProcess server =
        new ServerProcess(
            folder.resolve("log"),
            "io.github.avm4j.serve.ServeMain",
            "--port=0",
            "--idle-timeout=" + IDLE_MILLIS + "ms",
            folder.toString())) {
      String log = Files.readString(folder.resolve("log"));
      assertTrue(log.contains("\"event\":\"warm\""), log);
      responsesPerSecond(server.port());
      double before = server.resident();
      for (int k = 0; k < COUNT; k++) {
        idle.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }
      double rate = responsesPerSecond(server.port());
      double after = server.resident();
      System.out.printf(
          "%d idle connections: %.1f KB each, one client gets %.0f responses per second%n",
          COUNT, (after - before) / 1e3 / COUNT, rate);
      for (Socket socket : idle) {
        socket.setSoTimeout(PATIENCE_MILLIS);
        assertEquals(-1, socket.getInputStream().read(), "closed by the server");
      }
    } finally {
      close(idle);
    }
  }

  /** Of requests one after the other, each of which is served. */
  private static double responsesPerSecond(int port) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/predict"))
            .POST(HttpRequest.BodyPublishers.ofString("[1, 2]"))
            .build();
    long begin = System.nanoTime();
    for (int k = 0; k < REQUESTS; k++) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertEquals(200, response.statusCode(), response.body());
    }
    return REQUESTS * 1e9 / (System.nanoTime() - begin);
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
