// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;

/** What {@link LearnerChecks} asks of a {@link Learner} alone: its bytes, its model, its budget. */
final class SavedLearnerChecks {
  private final Supplier<Learner> fresh;
  private final List<Instance> rows;

  SavedLearnerChecks(Supplier<Learner> fresh, List<Instance> rows) {
    this.fresh = fresh;
    this.rows = rows;
  }

  Map<String, Executable> checks() {
    Map<String, Executable> checks = new LinkedHashMap<>();
    checks.put("saved and loaded goes on", this::savedAndLoadedGoesOn);
    checks.put("snapshot answers alike and stays", this::snapshotAnswersAlikeAndStays);
    checks.put("snapshot serves four threads", this::snapshotServesFourThreads);
    checks.put("finite and readable", () -> FiniteAndReadable.check(fresh.get(), 5, 300));
    if (fresh.get().config().budget() > 0) {
      checks.put("the budget holds", this::theBudgetHolds);
    }
    return checks;
  }

  private Learner trained(int steps) {
    Learner learner = fresh.get();
    LearnerChecks.learn(learner, rows.subList(0, steps));
    return learner;
  }

  private void savedAndLoadedGoesOn() throws Exception {
    for (int stop : new int[] {0, 1, 33, 400}) {
      Learner learner = trained(stop);
      Learner restored = Learner.fromBytes(learner.toBytes());
      assertArrayEquals(learner.toBytes(), restored.toBytes(), "stopped at " + stop);
      for (int round = 0; round < 4; round++) {
        LearnerChecks.learn(learner, rows);
        LearnerChecks.learn(restored, rows);
        assertArrayEquals(learner.toBytes(), restored.toBytes(), "stopped at " + stop);
        restored = Learner.fromBytes(restored.toBytes());
      }
    }
  }

  private void snapshotAnswersAlikeAndStays() {
    Learner learner = trained(300);
    Model model = learner.snapshot();
    List<Instance> probes = rows.subList(0, 50);
    double[] then = LearnerChecks.answers(model, probes);
    assertArrayEquals(LearnerChecks.answers(learner, probes), then, 1e-9);
    byte[] bytes = Avm.toBytes(model);
    LearnerChecks.learn(learner, rows);
    assertFalse(
        Arrays.equals(then, LearnerChecks.answers(learner, probes)),
        "nothing was learned meanwhile");
    assertArrayEquals(then, LearnerChecks.answers(model, probes));
    assertArrayEquals(bytes, Avm.toBytes(model));
  }

  private void snapshotServesFourThreads() throws Exception {
    Model model = trained(300).snapshot();
    double[] expected = LearnerChecks.answers(model, rows);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<double[]>> results = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        results.add(threads.submit(() -> LearnerChecks.answers(model, rows)));
      }
      for (Future<double[]> result : results) {
        assertArrayEquals(expected, result.get());
      }
    } finally {
      threads.shutdown();
    }
  }

  private void theBudgetHolds() {
    Learner learner = fresh.get();
    int budget = learner.config().budget();
    for (Instance row : rows) {
      learner.learn(row.x(), row.y(), 1);
      assertTrue(learner.size() <= budget, "size " + learner.size());
    }
    if (learner instanceof AutoLearner) {
      return; // which may find that fewer do as well
    }
    assertEquals(budget, learner.size());
    long refused = learner instanceof KernelLearner paper ? paper.refused() : 0;
    assertTrue(learner.absorbed() + refused > 0, "the budget was never used up");
  }
}
