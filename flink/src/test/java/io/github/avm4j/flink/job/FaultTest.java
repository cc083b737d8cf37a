// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.cluster.FlinkProcesses;
import io.github.avm4j.flink.cluster.JavaProcess;
import io.github.avm4j.flink.cluster.JobJar;
import io.github.avm4j.flink.cluster.KafkaBroker;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.learner.Learner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Faults on a real cluster and a real broker. After each, no instance is lost or learned twice, and
 * the model is, bit for bit, that of a plain loop over the same records.
 */
@Tag("cluster")
class FaultTest {
  private static final int GOLDEN_INSTANCES = 3000;
  private static final Path FOLDER = JavaProcess.freshFolder("faults");

  private static KafkaBroker broker;
  private static FlinkProcesses flink;
  private static String[] jars;

  @BeforeAll
  static void start() throws Exception {
    broker = new KafkaBroker(FOLDER.resolve("kafka"));
    flink = new FlinkProcesses(FOLDER.resolve("flink"), 2);
    jars = JobJars.among(JobJar.classPath(FOLDER.resolve("jars")));
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (flink != null) {
        flink.close();
      }
    } finally {
      broker.close();
    }
  }

  private static void restartBrokerLater() {
    try {
      Thread.sleep(3000);
      broker.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private FaultRun run(String name) throws Exception {
    return new FaultRun(name, FOLDER, broker, flink, jars);
  }

  @Test
  void nothingHappens() throws Exception {
    try (FaultRun run = run("quiet")) {
      run.submit(null);
      run.produceTo(6000);
      run.check(6000);
    }
  }

  @Test
  void taskManagerIsKilled() throws Exception {
    try (FaultRun run = run("taskmanager")) {
      run.submit(null);
      run.produceTo(4000);
      run.awaitModel(2000);
      String worker = flink.workerOf(run.job(), "learn");
      flink.killTaskManager(worker);
      run.produceTo(12_000);
      run.check(12_000);
      flink.startTaskManager(worker);
    }
  }

  @Test
  void jobManagerIsKilled() throws Exception {
    try (FaultRun run = run("jobmanager")) {
      run.submit(null);
      run.produceTo(4000);
      run.awaitModel(2000);
      flink.killJobManager();
      run.produceTo(8000);
      flink.startJobManager();
      run.produceTo(12_000);
      run.check(12_000);
    }
  }

  @Test
  void brokerIsKilled() throws Exception {
    try (FaultRun run = run("broker")) {
      run.submit(null);
      run.produceTo(4000);
      run.awaitModel(2000);
      broker.kill();
      CompletableFuture<Void> rebirth = CompletableFuture.runAsync(FaultTest::restartBrokerLater);
      run.produceTo(12_000);
      rebirth.get();
      run.check(12_000);
    }
  }

  @Test
  void poisonRecords() throws Exception {
    try (FaultRun run = run("poison")) {
      run.submit(null);
      run.produceTo(3000);
      run.poison("not a row at all");
      run.poison("1 1:nan");
      run.poison("");
      run.poison("7 1:0.5");
      run.poison("1 3:1 2:1");
      run.poison("1 1:1\n1 1:2");
      run.produceTo(6000);
      run.check(6000);
      run.checkBad(6);
    }
  }

  @Test
  void stoppedAndResumedFromASavepoint() throws Exception {
    try (FaultRun run = run("savepoint")) {
      run.submit(null);
      run.produceTo(4000);
      run.awaitModel(2000);
      String savepoint = flink.stop(run.job(), FOLDER.resolve("savepoints"));
      run.produceTo(9000);
      run.submit(savepoint);
      run.produceTo(12_000);
      run.check(12_000);
    }
  }

  @Test
  void theDiskForCheckpointsIsFull() throws Exception {
    try (SmallDisk disk = new SmallDisk(FOLDER.resolve("small"));
        FaultRun run = run("disk")) {
      run.checkpointsTo(disk.folder());
      run.submit(null);
      run.produceTo(4000);
      run.awaitModel(2000);
      disk.fill();
      long failed = flink.checkpoints(run.job(), "failed");
      run.produceTo(8000);
      Waiting.until("failed checkpoint", () -> flink.checkpoints(run.job(), "failed") > failed);
      disk.free();
      run.produceTo(12_000);
      run.check(12_000);
    }
  }

  @Test
  void outputsAreTakenOutOfTheFile() throws Exception {
    try (FaultRun run = run("fewer")) {
      run.submit(null);
      run.produceTo(2000);
      run.awaitModel(2000);
      String savepoint = flink.stop(run.job(), FOLDER.resolve("savepoints"));
      run.modelsAlone();
      run.submit(savepoint);
      run.produceTo(4000);
      assertArrayEquals(TestStream.expected(4000), run.awaitModel(4000).value());
    }
  }

  @Test
  void theDiskForModelsIsFull() throws Exception {
    try (SmallDisk disk = new SmallDisk(FOLDER.resolve("small-models"));
        FaultRun run = run("full")) {
      run.modelsTo(disk.folder());
      run.submit(null);
      run.produceTo(2000);
      run.awaitModel(2000);
      disk.fill();
      run.produceTo(6000);
      run.awaitModel(6000);
      Waiting.until("a count of restarts", () -> !flink.metric(run.job(), "numRestarts").isEmpty());
      assertEquals("0", flink.metric(run.job(), "numRestarts"), "learning goes on");
      disk.free();
      run.produceTo(9000);
      run.check(9000);
      Waiting.until(
          "the newest version in the folder",
          () -> Files.readString(disk.folder().resolve("full.latest")).endsWith("-000009.avm\n"));
      assertEquals("0", flink.metric(run.job(), "numRestarts"));
    }
  }

  @Test
  void filesFirstThenTheTopic() throws Exception {
    Path history = FOLDER.resolve("history.libsvm");
    Files.write(history, LongStream.range(0, 3000).mapToObj(TestStream::line).toList());
    try (FaultRun run = run("backfill")) {
      run.filesFirst(history, 3000);
      run.submit(null);
      run.produceTo(6000);
      assertArrayEquals(TestStream.expected(6000), run.awaitModel(6000).value());
    }
  }

  /**
   * A savepoint of an earlier version goes on with this one; GoldenSavepoint says how it was made.
   */
  @Test
  void upgradeWithTheGoldenSavepoint() throws Exception {
    GoldenSavepoint golden = GoldenSavepoint.OF_A_LEARNER;
    try (FaultRun run = run("golden")) {
      run.produceTo(GOLDEN_INSTANCES);
      run.submit(golden.unpack(FOLDER.resolve("golden")));
      run.produceTo(6000);
      run.checkGoesOn(GOLDEN_INSTANCES, 6000, Learner.fromBytes(golden.holds()));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "golden.write", matches = ".+")
  void writesTheGoldenSavepoint() throws Exception {
    try (FaultRun run = run("golden")) {
      run.submit(null);
      run.produceTo(GOLDEN_INSTANCES);
      run.awaitModel(GOLDEN_INSTANCES);
      Learner learner = TestStream.blank();
      TestStream.teach(learner, 0, GOLDEN_INSTANCES);
      GoldenSavepoint.OF_A_LEARNER.keep(
          flink.stop(run.job(), FOLDER.resolve("golden")),
          Path.of(System.getProperty("golden.write")),
          learner.toBytes());
    }
  }
}
