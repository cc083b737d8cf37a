// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.kernel.RationalQuadratic;
import io.github.avm4j.learner.Learner;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloatModelTest {
  @Test
  void theInterceptIsAdded() {
    Learner learner = Avm.regressor().build();
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      double x = random.nextGaussian();
      learner.learn(new double[] {x}, 1000 + x);
    }
    Model model = learner.snapshot();
    assertEquals(model.predict(0.5), new FloatModel(model).predict(0.5), 0.01);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void everyKernelIsRounded(int classes) {
    List<Kernel> kernels =
        List.of(
            new Gaussian(0.8),
            new Laplacian(0.8),
            new Matern32(0.8),
            new Matern52(0.8),
            new RationalQuadratic(0.8, 2));
    for (Kernel kernel : kernels) {
      Learner learner = Avm.paperClassifier().kernel(kernel).delta(0.3).lambda(0.01).build();
      Random random = new Random(7);
      for (int i = 0; i < 200; i++) {
        double[] x = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
        learner.learn(x, (int) Math.floorMod((long) Math.floor(2 * x[0] * x[1]), (long) classes));
      }
      Model model = learner.snapshot();
      FloatModel rounded = new FloatModel(model);
      double[] wide = new double[classes];
      double[] narrow = new double[classes];
      for (int i = 0; i < 100; i++) {
        FeatureVector x =
            FeatureVector.dense(
                random.nextGaussian(), 3 * random.nextGaussian(), random.nextGaussian());
        model.scores(x, wide);
        rounded.scores(x, narrow);
        assertArrayEquals(wide, narrow, 1e-3 * (1 + Math.abs(wide[0])), kernel.toString());
      }
    }
  }
}
