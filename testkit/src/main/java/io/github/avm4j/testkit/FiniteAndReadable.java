// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;

/**
 * The law that what can learn can be saved: on a {@link NastyStream} every prediction is finite,
 * and at every 50th step the learner is written, read, and goes on bit for bit.
 */
public final class FiniteAndReadable {
  private static final int STRIDE = 50;

  private FiniteAndReadable() {}

  /**
   * Runs a fresh learner on one stream.
   *
   * @param learner the learner
   * @param seed seed of the random draws
   * @param steps number of instances
   * @throws InvalidModelException if a saved learner cannot be read
   */
  public static void check(Learner learner, long seed, int steps) throws InvalidModelException {
    double largest = 1e100;
    if (learner.config() instanceof AvmConfig paper && paper.yMax() > 0) {
      largest = paper.yMax();
    }
    NastyStream stream =
        new NastyStream(learner.task(), learner.config().features(), largest, seed);
    Learner twin = Learner.fromBytes(learner.toBytes());
    double[] scores = new double[0];
    for (int t = 1; t <= steps; t++) {
      Instance row = stream.next();
      String where = "step " + t + " of seed " + seed;
      if (scores.length != learner.classes()) {
        scores = new double[learner.classes()];
      }
      boolean known = learner.task() == Task.REGRESSION || learner.classes() > 0;
      double prediction = learner.predictThenLearn(row.x(), row.y(), row.weight(), scores);
      assertTrue(!known || Double.isFinite(prediction), where + ": predicts " + prediction);
      assertTrue(Arrays.stream(scores).allMatch(Double::isFinite), where + ": scores");
      assertEquals(prediction, twin.predictThenLearn(row.x(), row.y(), row.weight()), where);
      if (t % STRIDE == 0) {
        byte[] bytes = learner.toBytes();
        assertArrayEquals(bytes, twin.toBytes(), where + ": a learner that was read differs");
        twin = Learner.fromBytes(bytes);
        assertArrayEquals(bytes, twin.toBytes(), where + ": reading changes it");
        double served = Avm.modelFromBytes(bytes).predict(row.x());
        assertTrue(learner.instances() == 0 || Double.isFinite(served), where + ": its model");
      }
    }
  }
}
