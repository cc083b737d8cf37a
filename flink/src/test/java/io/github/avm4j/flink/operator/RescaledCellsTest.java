// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.FlinkRest;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.record.Prediction;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers of a job of cells come and go while rows arrive: 1, 4, 2, 1. Nothing is lost. */
class RescaledCellsTest {
  private static final AtomicBoolean RESCALED = new AtomicBoolean();
  private static final int ROWS_BETWEEN = 40;
  private static final String LEARN = "learn-cells";

  /** Twenty rows a second until all is rescaled, however long that takes; the rest at once. */
  private static final class Slowly implements RateLimiterStrategy<NumberSequenceSplit> {
    private static final long serialVersionUID = 1;

    @Override
    public RateLimiter<NumberSequenceSplit> createRateLimiter(int parallelism) {
      return rows ->
          RESCALED.get()
              ? CompletableFuture.completedFuture(null)
              : CompletableFuture.runAsync(
                  () -> {}, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
    }
  }

  @Test
  void byTheAdaptiveScheduler(@TempDir Path folder) throws Exception {
    String wait = "jobmanager.adaptive-scheduler.";
    CellStart start = CellJob.start(CellJob.PLAN);
    CellJob.Outputs outputs = new CellJob.Outputs();
    try (LocalCluster cluster =
        new LocalCluster(
            4,
            "jobmanager.scheduler",
            "adaptive",
            wait + "executing.cooldown-after-rescaling",
            "100 ms",
            wait + "executing.resource-stabilization-timeout",
            "100 ms",
            wait + "rescale-trigger.max-delay",
            "1 s")) {
      JobID job =
          cluster.submit(
              CellJob.job(
                  new CellLearning.Settings(
                      "m", start, 1, CellJob.EVERY, 300, CellJob.LEVEL, "", 0, true, "", List.of()),
                  outputs,
                  new Slowly(),
                  "execution.checkpointing.dir",
                  folder.toUri().toString()));
      FlinkRest rest = cluster.rest();
      String id = job.toString();
      for (int workers : new int[] {4, 2, 1}) {
        int before = outputs.predictions.values().size();
        Waiting.until("rows", () -> outputs.predictions.values().size() > before + ROWS_BETWEEN);
        rest.rescale(id, LEARN, workers);
        Waiting.until(
            workers + " workers",
            () -> rest.state(id).equals("RUNNING") && rest.subtasks(id, LEARN) == workers);
        assertTrue(outputs.predictions.values().size() < CellJob.RECORDS, "rows still arrive");
      }
      RESCALED.set(true);
      cluster.await(job);
    }
    CellJob.Expected expected = CellJob.expected(start);
    assertArrayEquals(expected.file, outputs.last().file());
    Map<String, Prediction> predictions = new HashMap<>();
    for (Prediction one : outputs.predictions.values()) {
      Prediction twice = predictions.put(one.id(), one);
      assertTrue(twice == null || twice.equals(one), "said again after a restart, and the same");
    }
    assertEquals(expected.predictions, predictions);
  }
}
