// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.ListeningPorts;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code avm stream run} starts, as a process: its ports, its end, its exit code. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalRunTest {
  private static final Pattern RUNNING =
      Pattern.compile("running job ([0-9a-f]+) here, REST at localhost:(\\d+)");

  @TempDir Path folder;

  private Path job(long records) throws Exception {
    Path file = folder.resolve("rows.libsvm");
    Files.write(file, LongStream.range(0, records).mapToObj(TestStream::line).toList());
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: here
        input: {format: libsvm, files: ["%s"]}
        learner: {classes: ["1", "-1"], budget: 200}
        publish: {every: 1000}
        output: {folder: "%s"}
        checkpoints: {every: 200ms, folder: "%s"}
        flink: {pipeline.name: another}
        """
            .formatted(
                file.toUri(), folder.resolve("models").toUri(), folder.resolve("state").toUri()));
  }

  private JavaProcess start(Path log, String... arguments) throws Exception {
    return JavaProcess.startHere(log, StreamMain.class, List.of(arguments));
  }

  @Test
  void listensOnTheLoopbackInterfaceAloneAndEndsWithItsJob() throws Exception {
    Path log = folder.resolve("run.log");
    JavaProcess process = start(log, "run", job(400_000).toString());
    try {
      process.awaitLog("running job");
      Matcher said = RUNNING.matcher(Files.readString(log));
      assertTrue(said.find(), Files.readString(log));
      Waiting.until("a model", () -> Files.exists(folder.resolve("models/here.latest")));
      List<String> ports = ListeningPorts.of(process.pid());
      assertFalse(ports.isEmpty());
      assertEquals(List.of(), ports.stream().filter(at -> !ListeningPorts.isLoopback(at)).toList());
      URI rest = URI.create("http://localhost:" + said.group(2) + "/jobs/" + said.group(1));
      HttpClient client = HttpClient.newHttpClient();
      String detail =
          client
              .send(HttpRequest.newBuilder(rest).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      assertTrue(detail.contains("\"name\":\"another\""), "flink.* has the last word: " + detail);
      client.send(
          HttpRequest.newBuilder(rest).method("PATCH", HttpRequest.BodyPublishers.noBody()).build(),
          HttpResponse.BodyHandlers.ofString());
      assertEquals(1, process.awaitExit(), Files.readString(log));
      assertTrue(Files.readString(log).contains("avm stream: the job was cancelled"));
    } finally {
      process.kill();
    }
  }

  @Test
  void aSecondRunDoesNotPublishAgainUnlessTold() throws Exception {
    String job = job(3000).toString();
    assertEquals(0, end("first.log", "run", job));
    assertEquals(2, end("second.log", "run", job));
    String said = Files.readString(folder.resolve("second.log"));
    assertTrue(said.contains("here has published version 3 of lineage"), said);
    assertTrue(said.contains("--from SAVEPOINT, or begin a new lineage with --new"), said);
    assertEquals(0, end("third.log", "run", job, "--new"));
    try (var files = Files.list(folder.resolve("models"))) {
      assertEquals(6, files.filter(file -> file.toString().endsWith(".avm")).count());
    }
  }

  private int end(String log, String... arguments) throws Exception {
    JavaProcess process = start(folder.resolve(log), arguments);
    try {
      return process.awaitExit();
    } finally {
      process.kill();
    }
  }

  /** The stream cannot end before a checkpoint completes, so the job waits for its folder. */
  @Test
  void checkpointsThatFailDoNotEndTheJob() throws Exception {
    Path log = folder.resolve("full.log");
    Path state = folder.resolve("state");
    JavaProcess process = start(log, "run", job(60_000).toString());
    try {
      Waiting.until("a model", () -> Files.exists(folder.resolve("models/here.latest")));
      Files.move(state, folder.resolve("away"));
      Files.createFile(state);
      process.awaitLog("avm stream: checkpoints fail");
      Files.delete(state);
      Files.move(folder.resolve("away"), state);
      assertEquals(0, process.awaitExit());
      assertEquals(1, lines(log, "checkpoints fail"), Files.readString(log));
    } finally {
      process.kill();
    }
  }

  private static long lines(Path log, String text) throws Exception {
    return Files.readString(log).lines().filter(line -> line.contains(text)).count();
  }

  /** Flink's own default, the memory of the JobManager, takes five megabytes of a state. */
  @Test
  void stateOfManyMegabytesNeedsNoFolderInTheFile() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      StringBuilder line = new StringBuilder(random.nextBoolean() ? "1" : "-1");
      for (int j = 1; j <= 1000; j++) {
        line.append(' ').append(j).append(':').append(random.nextInt(1, 1000));
      }
      lines.add(line.toString());
    }
    Path rows = Files.write(folder.resolve("wide.libsvm"), lines);
    Path job = folder.resolve("wide.yaml");
    Files.writeString(
        job,
        """
        name: wide
        input: {format: libsvm, files: ["%s"]}
        learner: {classes: ["1", "-1"]}
        output: {folder: "%s"}
        checkpoints: {every: 200ms}
        """
            .formatted(rows.toUri(), folder.resolve("models").toUri()));
    assertEquals(0, end("wide.log", "run", job.toString()));
    String said = Files.readString(folder.resolve("wide.log"));
    Path checkpoints = folder.resolve("wide.checkpoints");
    assertTrue(said.contains("checkpoints in " + checkpoints), said);
    assertFalse(said.contains("failed"), said);
    assertTrue(Files.isDirectory(checkpoints));
    assertTrue(Files.exists(folder.resolve("models/wide.latest")));
  }

  @Test
  void noBrokerIsOneSentence() throws Exception {
    Path job = folder.resolve("topic.yaml");
    Files.writeString(
        job,
        """
        name: nobody
        input: {topic: rows, format: libsvm}
        learner: {classes: ["1", "-1"]}
        output: {models: models}
        kafka: {bootstrap.servers: "localhost:1"}
        """);
    assertEquals(1, end("nobody.log", "run", job.toString()));
    List<String> lines = Files.readAllLines(folder.resolve("nobody.log"));
    assertTrue(
        lines.get(lines.size() - 1).contains("no broker answers at localhost:1; start it"),
        lines.toString());
    assertTrue(lines.size() < 5, lines.toString());
  }
}
