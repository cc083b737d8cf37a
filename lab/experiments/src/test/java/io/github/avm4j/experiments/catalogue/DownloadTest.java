// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Downloads from a real server that breaks off, is silent, and gives what was not asked for. */
class DownloadTest extends Loopback {
  /** The end of a test interrupts what its server does. */
  private static final long UNTIL_STOPPED = Long.MAX_VALUE;

  @Test
  void downloadsOnceAndReads() throws Exception {
    serve("/ok", x -> send(x, 200, CONTENT));
    List<Long> heard = new ArrayList<>();
    DataCache cache = cache("/ok", true);
    LocalData data = cache.get("S", (file, done, total) -> heard.add(done));
    assertArrayEquals(CONTENT, Files.readAllBytes(data.train().get(0)));
    assertEquals(CONTENT.length, heard.get(heard.size() - 1));
    assertEquals(List.of(data.train().get(0)), cache.get("s", Progress.NONE).train());
    assertEquals(List.of("null"), ranges);
    try (var files = Files.list(folder.resolve("cache/s"))) {
      assertEquals(1, files.count());
    }
    assertThrows(DataException.class, data::openTest);
    try (var reader = data.openTrain()) {
      assertTrue(reader.next(new io.github.avm4j.feature.Row()));
    }
  }

  @Test
  void unpacksWhatComesPacked() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(CONTENT);
    }
    serve("/x.gz", x -> send(x, 200, packed.toByteArray()));
    assertArrayEquals(CONTENT, Files.readAllBytes(get("/x.gz")));
  }

  /**
   * Sends {@code count} bytes of what was asked for, though it promises all. The connection is cut
   * once they are written: a client may drop bytes that arrive together with the connection's end.
   */
  private void sendRange(HttpExchange x, int count) throws IOException {
    String range = x.getRequestHeaders().getFirst("Range");
    int start = range == null ? 0 : Integer.parseInt(range.replaceAll("[^0-9]", ""));
    if (start > 0) {
      x.getResponseHeaders()
          .set(
              "Content-Range",
              "bytes " + start + "-" + (CONTENT.length - 1) + "/" + CONTENT.length);
    }
    x.sendResponseHeaders(start > 0 ? 206 : 200, CONTENT.length - start);
    int end = Math.min(CONTENT.length, start + count);
    x.getResponseBody().write(CONTENT, start, end - start);
    x.getResponseBody().flush();
    Path part = folder.resolve("cache/s/s.part");
    while (end < CONTENT.length && sizeOf(part) < end && !Thread.currentThread().isInterrupted()) {
      pause(10);
    }
  }

  private static long sizeOf(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  @Test
  void goesOnAfterABrokenConnection() throws Exception {
    serve("/cut", x -> sendRange(x, 150_000));
    assertArrayEquals(CONTENT, Files.readAllBytes(get("/cut")));
    assertEquals(List.of("null", "bytes=150000-", "bytes=300000-"), ranges);
  }

  @Test
  void keepsWhatCameWhenItGivesUp() throws Exception {
    serve("/cut", x -> sendRange(x, 50_000));
    refuses("/cut", "interrupted 3 times", "another attempt resumes there");
    long kept = Files.size(folder.resolve("cache/s/s.part"));
    assertEquals(150_000, kept);
    refuses("/cut", "interrupted 3 times");
    assertEquals(300_000, Files.size(folder.resolve("cache/s/s.part")));
    assertArrayEquals(CONTENT, Files.readAllBytes(getAgain("/cut")));
  }

  private Path getAgain(String path) throws Exception {
    for (int k = 0; k < 5; k++) {
      try {
        return get(path);
      } catch (DataException e) {
        assertTrue(e.getMessage().contains("interrupted"), e.getMessage());
      }
    }
    throw new AssertionError("never came to an end");
  }

  @Test
  void serversWithoutRangesStartAgain() throws Exception {
    serve("/plain", x -> send(x, 200, CONTENT));
    Files.createDirectories(folder.resolve("cache/s"));
    Files.write(folder.resolve("cache/s/s.part"), new byte[5000]);
    assertArrayEquals(CONTENT, Files.readAllBytes(get("/plain")));
    assertEquals(List.of("bytes=5000-"), ranges);
  }

  @Test
  void aPartThatIsTooLongIsThrownAway() throws Exception {
    serve(
        "/416",
        x -> {
          if (x.getRequestHeaders().getFirst("Range") == null) {
            send(x, 200, CONTENT);
          } else {
            send(x, 416, new byte[0]);
          }
        });
    Files.createDirectories(folder.resolve("cache/s"));
    Files.write(folder.resolve("cache/s/s.part"), new byte[CONTENT.length + 7]);
    assertArrayEquals(CONTENT, Files.readAllBytes(get("/416")));
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void silenceIsNotWaitedFor() {
    silence = Duration.ofMillis(400);
    serve(
        "/slow",
        x -> {
          x.sendResponseHeaders(200, CONTENT.length);
          x.getResponseBody().write(CONTENT, 0, 1000);
          x.getResponseBody().flush();
          pause(UNTIL_STOPPED);
        });
    refuses("/slow", "interrupted 3 times", "silent for 400 ms");
    connect = Duration.ofMillis(400);
    serve("/never", x -> pause(UNTIL_STOPPED));
    refuses("/never", "interrupted 3 times", "timed out");
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void wrongContentIsNotKept() {
    byte[] wrong = Arrays.copyOf(CONTENT, CONTENT.length);
    wrong[wrong.length / 2] ^= 1;
    serve("/wrong", x -> send(x, 200, wrong));
    refuses("/wrong", address("/wrong"), "SHA-256", "it was discarded");
    keptNothing();
    serve(
        "/page", x -> send(x, 200, "<html>Please log in</html>".getBytes(StandardCharsets.UTF_8)));
    refuses("/page", "is not s: 26 bytes");
    keptNothing();
    serve("/gone", x -> send(x, 404, new byte[0]));
    refuses("/gone", "responded with status 404");
    keptNothing();
    serve("/broken", x -> send(x, 500, "oops".getBytes(StandardCharsets.UTF_8)));
    refuses("/broken", "responded with status 500");
    keptNothing();
  }

  @Test
  void tooMuchIsRefused() {
    serve(
        "/large",
        x -> {
          x.sendResponseHeaders(200, 1L << 40);
          x.getResponseBody().write(CONTENT);
          x.getResponseBody().flush();
          pause(UNTIL_STOPPED);
        });
    refuses("/large", "would be 1099511627776 bytes");
    keptNothing();
    serve(
        "/endless",
        x -> {
          x.sendResponseHeaders(200, 0);
          try (OutputStream out = x.getResponseBody()) {
            for (int k = 0; k < 100; k++) {
              out.write(CONTENT);
            }
          }
        });
    refuses("/endless", "sent more than");
    keptNothing();
  }

  @Test
  void whatCannotBeDownloaded() throws Exception {
    DataCache cache = cache("/x", false);
    DataException e = assertThrows(DataException.class, () -> cache.get("s", Progress.NONE));
    assertTrue(e.getMessage().contains("put s/s.xz into a mirror folder"), e.getMessage());
    assertTrue(e.getMessage().contains("AVM_MIRROR"), e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> cache.get("t", Progress.NONE));
    assertThrows(
        IllegalArgumentException.class, () -> new Limits(Duration.ZERO, Duration.ofSeconds(1), 1));
  }
}
