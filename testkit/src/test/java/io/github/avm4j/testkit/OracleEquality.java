// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the oracle beside one learner for each of the five outputs and compares at every step, for
 * as long as the run is determined by its input. Early steps are long (η_t = 1/(λt)), and some
 * losses are steep: such a run multiplies every rounding error. A second oracle, whose λ differs in
 * the last bits, shows when that has happened: from there on there is no one right answer.
 */
final class OracleEquality {
  private static final double TOLERANCE = 1e-9;
  private static final double TIE = 1e-12;
  private static final double SHAKE = 1e-15;
  private static final double DETERMINED = 1e-12;

  private final AvmConfig config;
  private final PaperOracle oracle;
  private final PaperOracle shaken;
  private final List<KernelLearner> learners = new ArrayList<>();
  private double[] scratch = new double[16];
  private double scale = 1;

  OracleEquality(AvmConfig config, double alpha, long horizon) {
    this.config = with(config, new LastIterate());
    Output[] averages = {
      new UniformAverage(),
      new SuffixAverage(alpha, horizon),
      new SuffixAverage(alpha, 0),
      new WeightedAverage()
    };
    oracle = new PaperOracle(this.config, averages);
    shaken = new PaperOracle(shaken(this.config));
    learners.add(new KernelLearner(this.config));
    for (Output output : averages) {
      learners.add(new KernelLearner(with(config, output)));
    }
  }

  static AvmConfig with(AvmConfig c, Output output) {
    return with(c, output, c.lambda());
  }

  private static AvmConfig shaken(AvmConfig c) {
    return with(c, c.output(), c.lambda() * (1 + SHAKE));
  }

  private static AvmConfig with(AvmConfig c, Output output, double lambda) {
    return new AvmConfig(
        c.task(),
        c.kernel(),
        c.loss(),
        lambda,
        c.coverage(),
        c.approximation(),
        output,
        c.budget(),
        c.whenFull(),
        c.yMax(),
        c.features(),
        c.labels(),
        c.seed());
  }

  PaperOracle run(List<Instance> rows) {
    for (int i = 0; i < rows.size(); i++) {
      Instance row = rows.get(i);
      if (!isDetermined(row.x())) {
        System.out.printf("step %d: rounding has grown too large to go on%n", i);
        return oracle;
      }
      boolean tied = isTied(row.x());
      compareScores(row.x(), false);
      oracle.learn(row.x(), row.y(), row.weight());
      shaken.learn(row.x(), row.y(), row.weight());
      for (KernelLearner learner : learners) {
        learner.learn(row.x(), row.y(), row.weight());
      }
      if (tied && !compareScores(row.x(), true)) {
        System.out.printf("step %d: a tie that rounding broke, not followed further%n", i);
        return oracle;
      }
      compareCounts();
      if (i % 97 == 0 || i == rows.size() - 1) {
        compareCoreSets();
      }
    }
    return oracle;
  }

  /** Whether scores are equal; where that is not to be forgiven, fails if not. */
  private boolean compareScores(FeatureVector x, boolean forgiven) {
    List<double[]> expected = oracle.scores(x);
    scale = Math.max(oracle.magnitude(), 0.999 * scale);
    for (int k = 0; k < learners.size(); k++) {
      KernelLearner learner = learners.get(k);
      double[] wanted = expected.get(k);
      if (scratch.length < wanted.length) {
        scratch = new double[2 * wanted.length];
      }
      learner.scores(x, scratch);
      for (int c = 0; c < wanted.length; c++) {
        if (!(Math.abs(wanted[c] - scratch[c]) <= TOLERANCE * Math.max(scale, 1e-3))) {
          if (forgiven) {
            return false;
          }
          fail(
              "step %d, %s: score %d is %s, the oracle has %s (scale %s); %s"
                  .formatted(
                      oracle.instances(),
                      learner.config().output(),
                      c,
                      scratch[c],
                      wanted[c],
                      scale,
                      config));
        }
      }
    }
    return true;
  }

  private boolean isDetermined(FeatureVector x) {
    double[] one = oracle.scores(x).get(0);
    double[] other = shaken.scores(x).get(0);
    for (int c = 0; c < one.length; c++) {
      if (Math.abs(one[c] - other[c]) > DETERMINED * Math.max(oracle.magnitude(), scale)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether two classes have one score but for rounding: whichever is then taken for the strongest
   * rival is right, and everything after depends on it. Ties to the bit in both are no matter.
   */
  private boolean isTied(FeatureVector x) {
    double[] wanted = oracle.scores(x).get(0);
    double[] found = new double[wanted.length];
    learners.get(0).scores(x, found);
    for (int c = 0; c < wanted.length; c++) {
      for (int d = 0; d < c; d++) {
        boolean near = Math.abs(wanted[c] - wanted[d]) <= TIE * scale;
        if (near && (wanted[c] != wanted[d] || found[c] != found[d])) {
          return true;
        }
      }
    }
    return false;
  }

  private void compareCounts() {
    for (KernelLearner learner : learners) {
      if (learner.instances() != oracle.instances()
          || learner.absorbed() != oracle.absorbed()
          || learner.refused() != oracle.refused()
          || learner.size() != oracle.size()) {
        fail(
            "step %d: %d instances, %d absorbed, %d refused, %d points; oracle %d, %d, %d; %s"
                .formatted(
                    oracle.instances(),
                    learner.instances(),
                    learner.absorbed(),
                    learner.refused(),
                    learner.size(),
                    oracle.absorbed(),
                    oracle.refused(),
                    oracle.size(),
                    learner.config()));
      }
    }
  }

  private void compareCoreSets() {
    for (KernelLearner learner : learners) {
      CoreSet set = learner.snapshot().coreSet().copy();
      List<FeatureVector> points = oracle.points();
      assertEquals(points.size(), set.size());
      for (int i = 0; i < points.size(); i++) {
        assertEquals(oracle.isCentre(i), set.isCentre(i), "centre " + i);
        double apart = PaperKernel.largestDifference(points.get(i), set.point(i));
        assertEquals(0, apart, "point " + i);
      }
    }
  }
}
