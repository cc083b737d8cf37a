// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.JavaProcess;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of mode cells, from a file of rows to models in a folder. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CellsJobTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private Path job(long first, long second, int planRows) throws IOException {
    Path rows = Files.createDirectories(folder.resolve("rows"));
    Files.write(rows.resolve("1.libsvm"), lines(0, first));
    Files.write(rows.resolve("2.libsvm"), lines(first, first + second));
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: apart
        mode: cells
        parallelism: 2
        cells: {count: 6, plan-rows: %d}
        input: {format: libsvm, files: ["%s"], parallelism: 1}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: 500}
        output: {folder: "%s"}
        checkpoints: {every: 200ms}
        """
            .formatted(planRows, rows.toUri(), folder.resolve("models").toUri()));
  }

  private static List<String> lines(long from, long to) {
    return LongStream.range(from, to).mapToObj(TestStream::line).toList();
  }

  private Path plan() {
    return folder.resolve("apart.plan");
  }

  private Launch planned(Path job) throws Exception {
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    return PlanStep.add(StreamConfig.read(job), Launch.NEW, out);
  }

  @Test
  void thePlanIsMadeOnceAndReadingGoesOnAfterIt() throws Exception {
    Path job = job(300, 700, 450);
    CellStart made = planned(job).cells();
    CellStart found = planned(job).cells();
    assertArrayEquals(made.toBytes(), found.toBytes());
    assertArrayEquals(Files.readAllBytes(plan()), made.toBytes());
    assertEquals(450, made.rows());
    assertEquals(List.of(150L, PlanInput.WHOLE), made.ends().values().stream().sorted().toList());
    Files.delete(plan());
    assertArrayEquals(made.toBytes(), planned(job).cells().toBytes(), "the same rows again");
    assertTrue(said.toString(StandardCharsets.UTF_8).contains("wrote it: 6 cells"));
  }

  @Test
  void everyRowIsLearnedOnceAndTheModelIsPublished() throws Exception {
    Path job = job(300, 5700, 450);
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    assertEquals(0, StreamMain.run(new String[] {"run", job.toString()}, out));
    Path models = folder.resolve("models");
    Path latest = models.resolve(Files.readString(models.resolve("apart.latest")).strip());
    Model model = RowModel.read(latest).model();
    assertEquals(6000, model.provenance().instances());
    double frozen = TestStream.error(planned(job).cells().plan().outer(), 6000, 8000);
    double error = TestStream.error(model, 6000, 8000);
    assertTrue(error < 0.8 * frozen, error + " against " + frozen + " of the plan");
  }

  @Test
  void killedWhileThePlanIsMadeItBeginsAgain() throws Exception {
    Path log = folder.resolve("run.log");
    Path job = job(40_000, 1000, 40_500);
    JavaProcess process =
        JavaProcess.startHere(log, StreamMain.class, List.of("run", job.toString()));
    try {
      Waiting.until("it reads", () -> Files.readString(log).contains("reads 40500 rows"));
    } finally {
      process.kill();
    }
    assertFalse(Files.exists(plan()), "no half of a plan");
    Path smaller = job(300, 700, 450);
    assertEquals(450, planned(smaller).cells().rows());
  }

  private static String refused(String changed) {
    String yaml =
        """
        name: apart
        mode: cells
        cells: {count: 64}
        input: {format: libsvm, files: ["file:///rows"]}
        learner: {classes: ["1", "-1"]}
        output: {folder: "file:///models"}
        """;
    String[] parts = changed.split(" -> ", 2);
    return assertThrows(
            ConfigException.class, () -> StreamConfig.parse(yaml.replace(parts[0], parts[1]), null))
        .getMessage();
  }

  @Test
  void whatDoesNotGoWithCellsIsRefused() {
    assertTrue(refused("count: 64 -> count: 1").contains("cells.count"));
    assertTrue(refused("count: 64 -> count: 64, plan-rows: 100").contains("cells.plan-rows"));
    assertTrue(refused("count: 64 -> cout: 64").contains("cout"));
    assertTrue(refused("mode: cells -> mode: global").contains("cells"));
    assertTrue(
        refused("classes -> kind: paper, gamma: 1, delta: 1, lambda: 1, classes")
            .contains("kind: auto"));
    assertTrue(
        refused("folder: -> learners: l, folder:").contains("learners")
            || refused("folder: -> learners: l, folder:").contains("kafka"));
  }

  @Test
  void aDryRunMakesNoPlan() throws Exception {
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    assertEquals(0, StreamMain.run(new String[] {"plan", job(10, 10, 450).toString()}, out));
    String shown = said.toString(StandardCharsets.UTF_8);
    assertTrue(shown.contains("a learner for each of 6 cells"), shown);
    assertTrue(shown.contains("will be made of the first 450 rows"), shown);
    assertFalse(Files.exists(plan()));
  }

  @Test
  void mistakesEndInASentence() throws Exception {
    assertTrue(
        assertThrows(IOException.class, () -> planned(job(100, 100, 300)))
            .getMessage()
            .contains("fewer rows than cells.plan-rows"));
    assertFalse(Files.exists(plan()));
    Path job = job(300, 700, 450);
    Launch resumed = new Launch("savepoint", "", 0);
    StreamConfig config = StreamConfig.read(job);
    assertThrows(ConfigException.class, () -> PlanStep.add(config, resumed, System.out));
    planned(job);
    Files.writeString(plan(), "no plan");
    assertThrows(IOException.class, () -> planned(job));
  }
}
