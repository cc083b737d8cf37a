// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.load.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultTest {
  @TempDir Path folder;

  private static int live(int port) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/v2/models/m/versions/3/ready"))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void killedAndStartedAgainItPredictsAsBefore() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m-3.avm", TestModels.numbered(2, 10, 1));
    String main = ServeMain.class.getName();
    Path log = folder.resolve("log");
    int port;
    try (ServerProcess first = new ServerProcess(log, main, "--port=0", models.toString())) {
      port = first.port();
      assertEquals(200, live(port));
      first.kill();
    }
    try (ServerProcess second = new ServerProcess(log, main, "--port=" + port, models.toString())) {
      assertEquals(200, live(port));
      assertEquals(143, second.terminate());
    }
    String said = Files.readString(log);
    assertTrue(
        said.contains("\"event\":\"draining\"") && said.contains("\"event\":\"stopped\""), said);
    assertFalse(said.contains("Exception"), said);
  }

  private static final class SetClock extends Clock {
    final AtomicReference<Instant> now =
        new AtomicReference<>(Instant.parse("2026-06-01T00:00:00Z"));

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now.get();
    }
  }

  private static double age(RunningServer server) throws Exception {
    String name = "avm_model_age_seconds{model=\"m\"} ";
    String metrics = server.get("/metrics").body();
    String value = metrics.substring(metrics.indexOf(name) + name.length());
    return Double.parseDouble(value.substring(0, value.indexOf('\n')));
  }

  @Test
  void aModelIsAsOldAsItsFileNotAsItsServer() throws Exception {
    SetClock clock = new SetClock();
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    Path file = folder.resolve("m-1.avm");
    Files.setLastModifiedTime(file, FileTime.from(clock.now.get().minus(Duration.ofDays(3))));
    try (RunningServer server = new RunningServer(clock, folder)) {
      assertEquals(3 * 86_400.0, age(server));
      clock.now.set(clock.now.get().minus(Duration.ofDays(4)));
      // Metrics are kept for a moment.
      RunningServer.await("a clock that was set back", () -> age(server) == 0);
    }
    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    try (RunningServer server = new RunningServer(clock, folder)) {
      clock.now.set(clock.now.get().plusSeconds(5));
      RunningServer.await("a file without a time", () -> age(server) == 5);
    }
  }

  @Test
  void aClockThatJumpsChangesNoPredictions() throws Exception {
    SetClock clock = new SetClock();
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(clock, folder)) {
      for (long hours : new long[] {-8760, 20_000}) {
        clock.now.set(clock.now.get().plus(Duration.ofHours(hours)));
        assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
        assertTrue(age(server) >= 0);
      }
      RunningServer.put(folder, "m-2.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await(
          "version 2", () -> server.get("/v2/models/m/versions/2/ready").statusCode() == 200);
    }
  }
}
