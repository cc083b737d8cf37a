// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page of another site must not read the server through the browser of its user. */
class HostsTest {
  @TempDir Path folder;

  /** The status line of a response to HTTP/1.1 with these header lines. */
  private static String status(int port, String... lines) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          "GET /v2/health/live HTTP/1.1\r\n" + String.join("", lines) + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String first =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      return String.valueOf(first).replaceAll("^HTTP/1.1 (\\d+).*", "$1");
    }
  }

  @Test
  void onLoopbackItsOwnNamesAreAllowed() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(2));
    try (RunningServer server = new RunningServer(folder, "--admin-port=0")) {
      for (int port : new int[] {server.server().port(), server.server().administrationPort()}) {
        for (String host : List.of("localhost", "127.0.0.1", "[::1]", "LOCALHOST:" + port)) {
          assertEquals("200", status(port, "Host: " + host + "\r\n"), host);
        }
        assertEquals("421", status(port, "Host: evil.example\r\n"));
        assertEquals("421", status(port, "Host: localhost.evil.example:" + port + "\r\n"));
        assertEquals("400", status(port), "no host");
        String two = status(port, "Host: evil.example\r\n", "Host: localhost\r\n");
        assertEquals("421", two);
      }
    }
  }

  @Test
  void thoseThatAreSetReplaceThem() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(2));
    try (RunningServer server = new RunningServer(folder, "--allowed-hosts=a.example, [::1]")) {
      assertEquals("200", status(server.server().port(), "Host: A.example:80\r\n"));
      assertEquals("200", status(server.server().port(), "Host: [::1]:80\r\n"));
      assertEquals("421", status(server.server().port(), "Host: localhost\r\n"));
    }
    try (RunningServer server = new RunningServer(folder, "--host=0.0.0.0")) {
      assertEquals("200", status(server.server().port(), "Host: a.example\r\n"));
      assertEquals("400", status(server.server().port()), "no host");
    }
  }

  @Test
  void elsewhereAnyNameIsAllowedUnlessSome() {
    assertEquals(Set.of(), Hosts.allowed(List.of(), "0.0.0.0"));
    assertEquals(Set.of("a"), Hosts.allowed(List.of("A"), "0.0.0.0"));
    assertEquals("", Hosts.name(null));
    assertEquals("[::1]", Hosts.name("[::1]"));
  }
}
