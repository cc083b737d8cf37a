// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.newton.Candidates;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.InvalidModelException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Candidates stay an inverted index once one of them had a feature that tiles do not hold, also
 * over a restart and after that one has gone.
 */
class ResumedCandidatesTest {
  private static final SecondOrderConfig CONFIG =
      SecondOrderConfig.builder(Task.CLASSIFICATION)
          .kernel(new Gaussian(0.1))
          .loss(new Logistic())
          .skip(0.1)
          .novelty(1e-3)
          .budget(30)
          .build();

  /** For a while some vectors have a feature beyond those that tiles hold. */
  private static FeatureVector row(Random random, int t) {
    Map<Integer, Double> features = new TreeMap<>();
    int count = 3 + random.nextInt(6);
    for (int k = 0; k < count; k++) {
      features.put(random.nextInt(60), random.nextGaussian());
    }
    if (t > 1000 && t < 1400 && random.nextInt(4) == 0) {
      features.put(CoreSet.TILED_DIMENSION_LIMIT + random.nextInt(1000), random.nextGaussian());
    }
    int[] indices = features.keySet().stream().mapToInt(Integer::intValue).toArray();
    double[] values = features.values().stream().mapToDouble(Double::doubleValue).toArray();
    return FeatureVector.sparse(indices, values);
  }

  private static double label(FeatureVector x) {
    double sum = Math.sin(3 * x.get(0) + x.get(1)) + x.get(2) * x.get(3) + x.get(5) * x.get(7);
    return sum > 0 ? 1 : 0;
  }

  private static boolean storesPostings(SecondOrderLearner learner) {
    Candidates candidates = learner.engine.exchange.candidates();
    return candidates != null && candidates.storesPostings();
  }

  private static SecondOrderLearner restored(SecondOrderLearner learner)
      throws InvalidModelException {
    return (SecondOrderLearner) Learner.fromBytes(learner.toBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 7})
  void resumeIsBitForBit(int seed) throws InvalidModelException {
    Random random = new Random(seed);
    SecondOrderLearner steady = new SecondOrderLearner(CONFIG);
    SecondOrderLearner stopped = steady;
    boolean hidden = false;
    for (int t = 0; t < 6000; t++) {
      FeatureVector x = row(random, t);
      double y = label(x);
      steady.learn(x, y);
      if (stopped != steady) {
        stopped.learn(x, y);
      }
      if (t % 500 == 499) {
        assertArrayEquals(steady.toBytes(), stopped.toBytes(), "after " + t);
        stopped = restored(steady);
        assertEquals(storesPostings(steady), storesPostings(stopped), "after " + t);
        Candidates candidates = steady.engine.exchange.candidates();
        hidden |=
            candidates != null
                && candidates.storesPostings()
                && candidates.isRestoredInTiles(steady.engine.set());
      }
    }
    assertTrue(hidden, "no candidate beyond the tiles' features has come and gone");
  }

  @Test
  void storageDoesNotShowWhereItNeedNot() throws InvalidModelException {
    SecondOrderLearner learner = new SecondOrderLearner(CONFIG);
    Random random = new Random(7);
    for (int t = 0; t < 900; t++) {
      FeatureVector x = row(random, t);
      learner.learn(x, label(x));
    }
    assertTrue(learner.engine.exchange.candidates() != null);
    assertEquals(false, storesPostings(restored(learner)));
  }
}
