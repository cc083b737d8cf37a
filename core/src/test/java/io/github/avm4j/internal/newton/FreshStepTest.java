// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step starts from the scores that an exchange of core points leaves, not from those before. */
class FreshStepTest {
  @ParameterizedTest
  @ValueSource(doubles = {0.998, 0.99})
  void knowsWhatItJustLearned(double forgetting) {
    SecondOrderEngine engine =
        new SecondOrderEngine(
            SecondOrderConfig.builder(Task.REGRESSION)
                .kernel(new Gaussian(1))
                .forgetting(forgetting)
                .budget(8)
                .skip(0)
                .lambda(0.01)
                .build());
    Random random = new Random(1);
    double before = 0;
    double after = 0;
    for (int i = 0; i < 4000; i++) {
      double[] x = {2 * random.nextGaussian(), random.nextGaussian()};
      double y = 3 + Math.sin(2 * x[0] + i * 1e-3) + x[1] + 0.1 * random.nextGaussian();
      FeatureVector v = FeatureVector.dense(x);
      long replaced = engine.replaced();
      double predicted = engine.predict(v);
      engine.learn(v, y, 1);
      if (engine.replaced() > replaced) {
        before += Math.abs(predicted - y);
        after += Math.abs(engine.predict(v) - y);
      }
    }
    assertTrue(engine.replaced() > 10, () -> "replaced " + engine.replaced());
    double left = after / before;
    assertTrue(left < 0.05, () -> "a row just learned keeps of its error " + left);
  }
}
