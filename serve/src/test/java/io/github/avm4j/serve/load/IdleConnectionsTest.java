// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
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

  @TempDir Path folder;

  @Test
  void harmNobodyAndAreClosed() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    byte[] row = "[1, 2]".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    List<Socket> idle = new ArrayList<>();
    try (ServerProcess server =
        new ServerProcess(
            folder.resolve("log"),
            "io.github.avm4j.serve.ServeMain",
            "--port=0",
            "--idle-timeout-ms=" + IDLE_MILLIS,
            folder.toString())) {
      String log = Files.readString(folder.resolve("log"));
      assertTrue(log.contains("\"event\":\"warm\""), log);
      RestClient client = new RestClient(server.port(), "/v1/predict", row, 1, 1);
      client.run(0, 2);
      double before = server.resident();
      for (int k = 0; k < COUNT; k++) {
        idle.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }
      Load load = client.run(0, 1);
      if (load.completed() == 0) { // where others take the processors for more than a second
        load = client.run(0, 20);
      }
      double after = server.resident();
      assertTrue(load.completed() > 0, "others are served");
      assertEquals(0, load.failed + load.shed);
      System.out.printf(
          "%d idle connections: %.1f KB each, one client gets %.0f responses per second%n",
          COUNT, (after - before) / 1e3 / COUNT, load.rate());
      for (Socket socket : idle) {
        socket.setSoTimeout(30_000 + IDLE_MILLIS);
        assertEquals(-1, socket.getInputStream().read(), "closed by the server");
      }
    } finally {
      close(idle);
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
