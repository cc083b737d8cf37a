// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.UniformAverage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Projections shrink the common factor of all coefficients; averages must not lose its digits. */
class ProjectedAverageTest {

  @Test
  void averageEqualsTheSumOfIterates() {
    Learner last = learner(new LastIterate());
    Learner average = learner(new UniformAverage());
    double[] sum = new double[1000];
    Random random = new Random(3);
    for (int t = 1; t <= 300; t++) {
      Model iterate = last.snapshot();
      for (int i = 0; i < iterate.size(); i++) {
        sum[i] += iterate.coefficient(0, i);
      }
      double[] x = {random.nextDouble(), random.nextDouble()};
      double y = Math.sin(9 * x[0]) + x[1];
      last.learn(x, y);
      average.learn(x, y);
      Model model = average.snapshot();
      for (int i = 0; i < model.size(); i++) {
        assertEquals(sum[i] / t, model.coefficient(0, i), 1e-11, "step " + t + ", point " + i);
      }
    }
  }

  private static Learner learner(Output output) {
    return Avm.paperRegressor()
        .loss(new SquaredLoss())
        .gamma(2)
        .delta(0.2)
        .lambda(1e-3)
        .output(output)
        .build();
  }
}
