// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.testing.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** By how much features are shrunk, and that engines of cells learn of it. */
class ShrinkingTest {
  private static final int FEATURES = 8;

  private static final AutoConfig SETTINGS = Avm.regressor().budget(64).config();

  /** Two features matter, the others do not. */
  private static double product(double[] x) {
    return Math.sin(3 * x[0]) * x[1];
  }

  /** All features matter, one after the other less. */
  private static double fading(double[] x) {
    double sum = 0;
    for (int j = 0; j < x.length; j++) {
      sum += Math.sin(3 * x[j]) / Math.sqrt(1 + j);
    }
    return sum;
  }

  private static AutoEngine engine(ToDoubleFunction<double[]> target, int rows) {
    AutoEngine engine = new AutoEngine(SETTINGS);
    for (double[] x : Streams.uniform(5, rows, FEATURES, -1, 1)) {
      engine.learn(FeatureVector.dense(x), target.applyAsDouble(x), 1);
    }
    return engine;
  }

  /** What the last feature is multiplied by, as a share of the first. */
  private static double least(AutoEngine engine) {
    Scaling scaling = engine.whole.scaling;
    return scaling.scale(FEATURES - 1) / scaling.scale(0);
  }

  @Test
  void boldlyWhereTheOthersAreOfNoUse() {
    AutoEngine useless = engine(ShrinkingTest::product, 1000);
    AutoEngine fading = engine(ShrinkingTest::fading, 1000);
    assertTrue(useless.whole.shrunk && fading.whole.shrunk);
    assertTrue(least(useless) < 0.25, least(useless) + " of the first");
    assertTrue(least(fading) > 0.4 && least(fading) < 0.9, least(fading) + " of the first");
  }

  @Test
  void enginesOfCellsMayTakeTheScalingOfTheWholeSpace() {
    AutoEngine engine = engine(ShrinkingTest::product, 5000);
    List<Scaling> scalings = new ArrayList<>();
    engine.levels.forEach(one -> scalings.add(one.scaling));
    assertFalse(scalings.isEmpty());
    long same = scalings.stream().filter(engine.whole.scaling::equals).count();
    assertTrue(same > scalings.size() / 2, same + " of " + scalings.size());
  }

  /** The file says that features are shrunk: engines that come after it was read are the same. */
  @Test
  void goesOnFromAFileBeforeTheFirstDivision() throws InvalidModelException {
    AutoLearner learner = new AutoLearner(SETTINGS);
    Learner again = learner;
    for (double[] x : Streams.uniform(5, 3500, FEATURES, -1, 1)) {
      learner.learn(x, product(x));
      if (again != learner) {
        again.learn(x, product(x));
      }
      again = learner.instances() == 2001 ? Learner.fromBytes(learner.toBytes()) : again;
    }
    assertEquals(16, learner.cells());
    assertArrayEquals(learner.toBytes(), again.toBytes());
  }
}
