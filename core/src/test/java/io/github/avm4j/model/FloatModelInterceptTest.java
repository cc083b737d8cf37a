// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.Learner;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FloatModelInterceptTest {
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
}
