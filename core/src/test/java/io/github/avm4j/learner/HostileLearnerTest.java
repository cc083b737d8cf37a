// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.classifier;
import static io.github.avm4j.learner.HostileFiles.patched;
import static io.github.avm4j.learner.HostileFiles.refusedAsLearner;
import static io.github.avm4j.learner.HostileFiles.small;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.SuffixAverage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** State of the paper's learner that no learner would have written. */
class HostileLearnerTest {
  @Test
  void learnerStateIsChecked() {
    byte[] file = small().toBytes();
    assertTrue(learnerWith(file, 1, out -> out.i64(-1)).contains("steps must be in 0..2^62"));
    assertTrue(learnerWith(file, 1, out -> out.i64(Long.MAX_VALUE)).contains("steps must be"));
    assertTrue(learnerWith(file, 1, out -> out.i64(6)).contains("6 steps in a file of 5"));
    assertTrue(learnerWith(file, 9, out -> out.f64(0)).contains("shrink must be in"));
    assertTrue(learnerWith(file, 9, out -> out.f64(1e-100)).contains("was 1.0E-100"));
    assertTrue(learnerWith(file, 9, out -> out.f64(1.5)).contains("was 1.5"));
    assertTrue(learnerWith(file, 17, out -> out.f64(-1)).contains("squared norm must be >= 0"));
    assertTrue(learnerWith(file, 25, out -> out.i64(-1)).contains("absorbed must be"));
    assertTrue(learnerWith(file, 33, out -> out.i64(-1)).contains("refused must be"));
    assertTrue(learnerWith(file, 41, out -> out.f64(-3)).contains("yMax must be >= 0, was -3.0"));
    assertTrue(learnerWith(file, 0, out -> out.u8(0)).contains("has not started"));
    assertTrue(
        learnerWith(file, 57, out -> out.f64(Double.NEGATIVE_INFINITY))
            .contains("coefficient must be finite"));
    assertTrue(
        learnerWith(file, 57 + 5 * 8, out -> out.u8(1)).contains("needs 0 windows, found 1"));
    assertTrue(learnerWith(file, 58 + 5 * 8, out -> out.i64(6)).contains("rung 6 lies beyond"));
  }

  private static String learnerWith(byte[] file, int offset, Consumer<ByteWriter> bytes) {
    return refusedAsLearner(patched(file, Sections.LEARNER, offset, bytes));
  }

  @Test
  void aNegativeLargestTargetCannotTurnTheModelRound() {
    Learner learner =
        Avm.paperRegressor().loss(new SquaredLoss()).gamma(1).delta(1).lambda(0.01).build();
    learner.learn(new double[] {1}, 2);
    String message = learnerWith(learner.toBytes(), 41, out -> out.f64(-2));
    assertEquals("yMax must be >= 0, was -2.0", message);
  }

  @Test
  void averageWeightsAreChecked() {
    Learner learner = classifier().output(new SuffixAverage(0.5, 0)).build();
    learner.learn(new double[] {1}, 1);
    int scalars = 57 + 8 + 1 + 8;
    assertTrue(
        learnerWith(learner.toBytes(), scalars + 16, out -> out.f64(-1))
            .contains("a weight must be >= 0, was -1.0"));
  }
}
