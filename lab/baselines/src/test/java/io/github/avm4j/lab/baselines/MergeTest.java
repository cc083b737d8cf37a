// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MergeTest {
  private static double norm(double[][] points, double[] a, double gamma) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < a.length; j++) {
        double d = 0;
        for (int k = 0; k < points[i].length; k++) {
          d += Math.pow(points[i][k] - points[j][k], 2);
        }
        sum += a[i] * a[j] * Math.exp(-gamma * d);
      }
    }
    return sum;
  }

  /** The merge loses no more than the best of a fine grid over all partners and all h. */
  @Test
  void noPartnerAndNoPlaceIsBetter() {
    Random random = new Random(4);
    double gamma = 1.5;
    for (int round = 0; round < 20; round++) {
      int n = 12;
      Expansion expansion = new Expansion(new Gaussian(gamma));
      expansion.begin(FeatureVector.dense(0, 0));
      double[][] points = new double[n][];
      double[] a = new double[n];
      int least = 0;
      for (int i = 0; i < n; i++) {
        points[i] = random.doubles(2, 0, 0.8).toArray();
        a[i] = (random.nextBoolean() ? 1 : -1) * (0.5 + random.nextDouble());
        expansion.add(0, expansion.append(FeatureVector.dense(points[i])), a[i]);
        least = Math.abs(a[i]) < Math.abs(a[least]) ? i : least;
      }
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < n; i++) {
        for (int step = 0; step <= 200 && i != least && a[i] * a[least] > 0; step++) {
          best =
              Math.min(best, lost(points[least], a[least], points[i], a[i], step / 200.0, gamma));
        }
      }
      Merge merge = new Merge(expansion, gamma);
      assertTrue(merge.into(least));
      int partner = merge.freed();
      double[] z = expansion.set().point(least).values();
      double[][] three = {points[least], points[partner], z};
      double[] weights = {a[least], a[partner], -expansion.coefficient(0, least)};
      double lost = norm(three, weights, gamma);
      assertTrue(lost <= best * (1 + 1e-6) + 1e-12, lost + " lost, " + best + " possible");
    }
  }

  private static double lost(
      double[] xm, double am, double[] xn, double an, double h, double gamma) {
    double[] z = {h * xm[0] + (1 - h) * xn[0], h * xm[1] + (1 - h) * xn[1]};
    double d = Math.pow(xm[0] - xn[0], 2) + Math.pow(xm[1] - xn[1], 2);
    double az = am * Math.exp(-gamma * (1 - h) * (1 - h) * d) + an * Math.exp(-gamma * h * h * d);
    return norm(new double[][] {xm, xn, z}, new double[] {am, an, -az}, gamma);
  }

  @Test
  void sparsePointsMergeAsDenseOnes() {
    FeatureVector a = FeatureVector.sparse(new int[] {0, 3}, new double[] {1, 2});
    FeatureVector b = FeatureVector.sparse(new int[] {2, 3, 5}, new double[] {4, 6, 8});
    FeatureVector z = Merge.between(a, b, 0.25);
    double[] expected = {0.25, 0, 3, 5, 0, 6};
    for (int j = 0; j < expected.length; j++) {
      assertEquals(expected[j], z.get(j), 1e-15);
    }
  }

  @Test
  void mergingKeepsMoreThanRemoving() {
    Settings settings = new Settings(8, 1, 1e-3, 1, 1, 15, 10, 1);
    List<Instance> rows = Streams.checkerboard(3, 4000, 6);
    int[] mistakes = new int[2];
    BudgetSgd[] both = {BudgetSgd.merging(settings), BudgetSgd.removing(settings)};
    for (Instance row : rows) {
      for (int m = 0; m < 2; m++) {
        mistakes[m] += both[m].predictThenLearn(row.x(), row.y(), 1) == row.y() ? 0 : 1;
        assertTrue(both[m].size() <= 15);
      }
    }
    assertTrue(mistakes[0] < 0.9 * mistakes[1], mistakes[0] + " and " + mistakes[1]);
  }

  @Test
  void batchMethodsLearnAndAgree() {
    List<Instance> rows = Streams.checkerboard(2, 400, 5);
    List<FeatureVector> x = rows.stream().map(Instance::x).toList();
    double[] y = rows.stream().mapToDouble(Instance::y).toArray();
    Settings settings = new Settings(20, 1, 1, 10, 1, 400, 10, 1);
    Predictor exact = BatchMethod.ALL.get(0).trainer().train(x, y, settings);
    Predictor lowRank = BatchMethod.ALL.get(1).trainer().train(x, y, settings);
    int wrong = 0;
    int differ = 0;
    for (Instance row : Streams.checkerboard(2, 1000, 6)) {
      wrong += exact.predict(row.x()) == row.y() ? 0 : 1;
      differ += exact.predict(row.x()) == lowRank.predict(row.x()) ? 0 : 1;
    }
    assertTrue(wrong < 60, wrong + " mistakes in 1000");
    assertTrue(differ < 30, differ + " differences in 1000");
    assertThrows(
        IllegalArgumentException.class,
        () -> BatchMethod.ALL.get(0).trainer().train(x, new double[400], settings));
  }

  @Test
  void libsvmKnowsManyClasses() {
    List<Instance> rows = Streams.blobs(4, 3, 400, 2);
    List<FeatureVector> x = rows.stream().map(Instance::x).toList();
    double[] y = rows.stream().mapToDouble(Instance::y).toArray();
    Settings settings = new Settings(2, 1, 1, 10, 1, 50, 10, 1);
    Predictor model = BatchMethod.ALL.get(0).trainer().train(x, y, settings);
    Predictor again = BatchMethod.ALL.get(0).trainer().train(x, y, settings);
    double[] scores = new double[4];
    int wrong = 0;
    for (Instance row : rows) {
      wrong += model.predict(row.x()) == row.y() ? 0 : 1;
      model.scores(row.x(), scores);
      assertEquals(model.predict(row.x()), again.predict(row.x()));
    }
    assertTrue(wrong < 160, wrong + " mistakes in 400");
    assertThrows(
        IllegalArgumentException.class,
        () -> BatchMethod.ALL.get(1).trainer().train(x, y, settings));
  }
}
