// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.avm4j.Avm;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.testing.Streams;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;

/** Which kernel the default learner takes. */
class KernelChoiceTest {
  private static AutoLearner taught(KernelChoice choice, DoubleBinaryOperator target) {
    AutoLearner learner = Avm.regressor().kernel(choice).cells(0).build();
    for (double[] x : Streams.uniform(5, 1500, 2, -2, 2)) {
      learner.learn(x, target.applyAsDouble(x[0], x[1]));
    }
    return learner;
  }

  private static double edged(double a, double b) {
    return Math.abs(a) + Math.abs(a - b);
  }

  @Test
  void functionsWithEdgesGetTheMaternKernelAndSmoothOnesTheGaussian() {
    AutoLearner edged = taught(KernelChoice.AUTOMATIC, KernelChoiceTest::edged);
    assertInstanceOf(Matern32.class, edged.config().kernel());
    AutoLearner smooth = taught(KernelChoice.AUTOMATIC, (a, b) -> Math.sin(a) * Math.cos(b));
    assertInstanceOf(Gaussian.class, smooth.config().kernel());
  }

  @Test
  void theGaussianAloneIsTakenWhereItIsAskedFor() throws Exception {
    AutoLearner learner = taught(KernelChoice.GAUSSIAN, KernelChoiceTest::edged);
    assertInstanceOf(Gaussian.class, learner.config().kernel());
    AutoLearner read = (AutoLearner) Learner.fromBytes(learner.toBytes());
    assertEquals(learner.settings(), read.settings());
    learner
        .contests()
        .get(0)
        .challengers()
        .forEach(one -> assertEquals("gaussian", one.name().split(" ")[0]));
    AutoLearner free = taught(KernelChoice.AUTOMATIC, KernelChoiceTest::edged);
    assertEquals(free.settings(), ((AutoLearner) Learner.fromBytes(free.toBytes())).settings());
  }
}
