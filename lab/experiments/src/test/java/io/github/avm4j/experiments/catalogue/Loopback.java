// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.avm4j.config.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real server on this machine, and a cache of one set that it serves. */
abstract class Loopback {
  static final byte[] CONTENT = "1 1:1 2:0.5\n".repeat(30_000).getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  /** Longer than a loaded machine pauses; a test of silence sets its own. */
  Duration silence = Duration.ofMinutes(5);

  Duration connect = Duration.ofMinutes(5);
  final List<String> ranges = Collections.synchronizedList(new ArrayList<>());
  private ExecutorService threads;
  private HttpServer server;

  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    threads = Executors.newCachedThreadPool();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  void serve(String path, Answer answer) {
    server.createContext(
        path,
        exchange -> {
          ranges.add(String.valueOf(exchange.getRequestHeaders().getFirst("Range")));
          try (exchange) {
            answer.to(exchange);
          }
        });
  }

  String address(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  DataCache cache(String path, boolean direct) throws Exception {
    String sha = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(CONTENT));
    DataFile file =
        new DataFile("train", "s/s.xz", address(path), direct, CONTENT.length, sha, 30_000);
    DataSet set =
        new DataSet(
            "s",
            "",
            Task.CLASSIFICATION,
            Extent.WHOLE,
            30_000,
            2,
            1,
            "",
            List.of(),
            "",
            "",
            "",
            "",
            List.of(file));
    Limits limits = new Limits(connect, silence, 3);
    return new DataCache(Catalogue.of(List.of(set)), folder.resolve("cache"), null, limits);
  }

  Path get(String path) throws Exception {
    return cache(path, true).get("s", Progress.NONE).train().get(0);
  }

  void refuses(String path, String... parts) {
    DataException e = assertThrows(DataException.class, () -> get(path));
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
  }

  void keptNothing() {
    assertFalse(Files.exists(folder.resolve("cache/s/s")));
    assertFalse(Files.exists(folder.resolve("cache/s/s.part")));
  }
}
