// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.AutoLearnerBuilder;
import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.fine.FineTier;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@link FineTier} beside its rules written out, for two classes: one loop a formula. */
class FineTierOracleTest {
  private static final int ESTIMATION = 100;
  private static final int MOST = 150;
  private static final double SKIP = 0.2;

  /** The fine points of a learner whose own score is given. */
  private static final class Oracle {
    final List<double[]> points = new ArrayList<>();
    final List<Double> weights = new ArrayList<>();
    final List<Double> variances = new ArrayList<>();
    double near;
    int gathered;
    double gamma;
    boolean leads;
    int seen;
    double gain;
    double squares;

    static double squared(double[] a, double[] b) {
      double sum = 0;
      for (int j = 0; j < a.length; j++) {
        sum += (a[j] - b[j]) * (a[j] - b[j]);
      }
      return sum;
    }

    double kernel(double[] x, int i) {
      return Math.exp(-gamma * squared(x, points.get(i)));
    }

    void gather(double[] x) {
      double nearest = Double.POSITIVE_INFINITY;
      for (double[] point : points) {
        nearest = Math.min(nearest, squared(x, point));
      }
      if (!points.isEmpty()) {
        gathered++;
        near += (nearest - near) / Math.min(gathered, 1000);
      }
      if (nearest >= near / 2) {
        points.add(x);
        weights.add(0.0);
        variances.add(0.25);
      }
      if (points.size() == MOST) {
        gamma = 1 / near;
      }
    }

    double score(double[] x, double coarse) {
      double f = coarse;
      for (int i = 0; i < points.size(); i++) {
        f += weights.get(i) * kernel(x, i);
      }
      return f;
    }

    /** y is −1 or 1. */
    void learn(double[] x, double y, double coarse) {
      double f = score(x, coarse);
      seen++;
      double gained = (y * coarse > 0 ? 0 : 1) - (y * f > 0 ? 0 : 1);
      gain += (gained - gain) / Math.min(seen, 5000);
      squares += (gained * gained - squares) / Math.min(seen, 5000);
      if (1 / (1 + Math.exp(y * f)) > SKIP) {
        newton(x, y, f);
      }
      if (seen >= 1000 && seen % 100 == 0) {
        double error = Math.sqrt(squares / Math.min(seen, 9999));
        leads = leads ? gain > 0 : gain > 2 * error;
      }
    }

    /** The margin rises to where u/s, u its rise, is the slope of the loss: found by halving. */
    private void newton(double[] x, double y, double f) {
      double s = 0;
      for (int i = 0; i < points.size(); i++) {
        s += variances.get(i) * kernel(x, i) * kernel(x, i);
      }
      double low = 0;
      double high = s;
      for (int n = 0; n < 200; n++) {
        double u = (low + high) / 2;
        boolean more = u / s < 1 / (1 + Math.exp(y * f + u));
        low = more ? u : low;
        high = more ? high : u;
      }
      double p = 1 / (1 + Math.exp(y * f + low));
      double h = Math.max(1e-3, p * (1 - p));
      for (int i = 0; i < points.size(); i++) {
        double v = variances.get(i);
        double k = kernel(x, i);
        weights.set(i, weights.get(i) + y * low / s * v * k);
        variances.set(i, v - v * k * v * k / (1 / h + s));
      }
    }
  }

  private static AutoLearner learner(int fine) {
    AutoLearnerBuilder builder =
        Avm.classifier().labels(0, 1).estimation(ESTIMATION).budget(15).skip(SKIP);
    return builder.forgetting(1).scaling(ScalingMode.NONE).fine(fine).build();
  }

  @Test
  void doesWhatItsRulesSay() {
    AutoLearner tested = learner(MOST);
    AutoLearner coarse = learner(0);
    Oracle oracle = new Oracle();
    SplittableRandom random = new SplittableRandom(21);
    int led = 0;
    for (int t = 0; t < 6000; t++) {
      double[] x = {random.nextDouble(), random.nextDouble()};
      int y = ((int) (5 * x[0]) + (int) (5 * x[1])) % 2;
      FeatureVector vector = FeatureVector.dense(x);
      double f = coarse.engine.leader().evaluate(vector)[0];
      boolean learns = oracle.gamma > 0;
      if (learns) {
        double expected = oracle.leads ? oracle.score(x, f) : f;
        double scale = tested.engine.temperature.factor();
        assertEquals(expected, tested.score(vector) / scale, 1e-6 * (1 + Math.abs(expected)));
        oracle.learn(x, 2 * y - 1, f);
      }
      tested.learn(vector, y);
      coarse.learn(vector, y);
      boolean late = t + 1 > 10 * ESTIMATION && coarse.engine.race.runners().size() == 1;
      if (!learns && late && !coarse.engine.leader().hasSkipped()) {
        oracle.gather(x);
      }
      assertEquals(oracle.gamma > 0, tested.engine.fine.learns(), "after " + t);
      assertEquals(oracle.leads, tested.engine.fine.leads(), "after " + t);
      led += oracle.leads ? 1 : 0;
    }
    assertTrue(led > 1000, led + " instances answered by fine points");
    assertEquals(oracle.gamma, tested.engine.fine.gamma(), 1e-9 * oracle.gamma);
    double gain = tested.engine.fine.contest.gain(1) - tested.engine.fine.contest.gain(0);
    assertEquals(oracle.gain, gain, 1e-9);
    for (int i = 0; i < MOST; i++) {
      double expected = oracle.weights.get(i);
      double found = tested.engine.fine.solver.weights(0)[i];
      assertEquals(expected, found, 1e-6 * (1 + Math.abs(expected)));
      assertEquals(oracle.variances.get(i), tested.engine.fine.solver.variances()[i], 1e-8);
    }
  }
}
