// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.JobJar;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults on a real cluster and a real broker. After each, no instance is lost or learned twice, and
 * the model is, bit for bit, that of a plain loop over the same records.
 */
@Tag("cluster")
class FaultTest {
  /** With the processes' logs, which stay where a test fails. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private static KafkaBroker broker;
  private static FlinkProcesses flink;
  private static List<String> classPath;

  @BeforeAll
  static void start() throws Exception {
    broker = new KafkaBroker(folder.resolve("kafka"));
    flink = new FlinkProcesses(folder.resolve("flink"), 2);
    classPath = JobJar.classPath(folder.resolve("jars"));
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

  private FaultRun run(String name) throws Exception {
    return new FaultRun(name, folder, broker, flink, JobJars.among(classPath));
  }

  /** A worker killed and poison records, on both jobs: what their own state must survive. */
  @Test
  void aKilledWorkerAndPoison() throws Exception {
    try (FaultRound round = new FaultRound("worker", 1, folder, broker, flink, classPath)) {
      round.run(false);
    }
  }

  /** As many rounds as {@code -Davm4j.rounds} says, each with new jobs and topics. */
  @Test
  @Tag("long") // each of its other faults has a faster test; .ci/run names them
  void everyFaultOnce() throws Exception {
    int rounds = Integer.getInteger("avm4j.rounds", 1);
    for (int k = 0; k < rounds; k++) {
      long seed = Long.getLong("avm4j.seed", 1) + k;
      String name = "round-" + seed;
      try (FaultRound round = new FaultRound(name, seed, folder, broker, flink, classPath)) {
        round.run(true);
        Assumptions.assumeTrue(
            round.hadDisks(), "disks could not be filled: root mounts small ones");
      }
    }
  }

  /** The second time without outputs other than models. */
  @Test
  void stoppedAndResumedFromASavepoint() throws Exception {
    try (FaultRun run = run("savepoint")) {
      run.submit(null);
      run.produceTo(4000);
      run.awaitModel(2000);
      String savepoint = flink.stop(run.job(), folder.resolve("savepoints"));
      run.produceTo(9000);
      run.submit(savepoint);
      run.produceTo(12_000);
      run.check(12_000);
      savepoint = flink.stop(run.job(), folder.resolve("savepoints"));
      run.modelsAlone();
      run.submit(savepoint);
      run.produceTo(14_000);
      assertArrayEquals(TestStream.expected(14_000), run.awaitModel(14_000).value());
    }
  }

  @Test
  void filesFirstThenTheTopic() throws Exception {
    Path history = folder.resolve("history.libsvm");
    Files.write(history, LongStream.range(0, 3000).mapToObj(TestStream::line).toList());
    try (FaultRun run = run("backfill")) {
      run.filesFirst(history, 3000);
      run.submit(null);
      run.produceTo(6000);
      assertArrayEquals(TestStream.expected(6000), run.awaitModel(6000).value());
    }
  }
}
