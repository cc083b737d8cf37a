// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NystromTest {
  @Test
  void eigenpairsRebuildTheMatrix() {
    Random random = new Random(1);
    for (int n : new int[] {1, 2, 3, 5, 8, 17, 60}) {
      double[][] m = new double[n][n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          m[i][j] = random.nextInt(4) == 0 ? 0 : random.nextGaussian();
          m[j][i] = m[i][j];
        }
      }
      double[][] copy = new double[n][];
      for (int i = 0; i < n; i++) {
        copy[i] = m[i].clone();
      }
      SymmetricEigen pairs = SymmetricEigen.largest(copy, n);
      for (int i = 0; i < n; i++) {
        assertTrue(i == 0 || pairs.value(i) <= pairs.value(i - 1));
        for (int j = 0; j < n; j++) {
          double product = 0;
          double rebuilt = 0;
          for (int k = 0; k < n; k++) {
            product += pairs.vector(i)[k] * pairs.vector(j)[k];
            rebuilt += pairs.value(k) * pairs.vector(k)[i] * pairs.vector(k)[j];
          }
          assertEquals(i == j ? 1 : 0, product, 1e-12);
          assertEquals(m[i][j], rebuilt, 1e-11);
        }
      }
    }
  }

  @Test
  void fullRankReproducesTheKernelOnLandmarks() {
    CoreSet set = CoreSet.dense(2);
    Streams.checkerboard(2, 30, 3).forEach(row -> set.append(row.x(), true));
    Gaussian kernel = new Gaussian(5);
    Nystrom map = new Nystrom(set, kernel, 30);
    CoreDistances distances = new CoreDistances();
    double[] a = new double[map.rank()];
    double[] b = new double[map.rank()];
    for (int i = 0; i < 30; i++) {
      distances.fillFromPoint(set, i, kernel);
      map.map(distances.kernel(), a);
      for (int j = 0; j < 30; j++) {
        distances.fillFromPoint(set, j, kernel);
        map.map(distances.kernel(), b);
        double sum = 0;
        for (int r = 0; r < map.rank(); r++) {
          sum += a[r] * b[r];
        }
        double expected = Math.exp(-5 * Math.pow(dist(set.point(i), set.point(j)), 2));
        assertEquals(expected, sum, 1e-6);
      }
    }
  }

  private static double dist(FeatureVector p, FeatureVector q) {
    return Math.hypot(p.get(0) - q.get(0), p.get(1) - q.get(1));
  }

  /** Lu et al., Algorithm 3, with w and z(x) written out. */
  @Test
  void nogdIsLinearDescentInTheMap() {
    int budget = 30;
    Settings settings = new Settings(6, 0.4, 1, 1, 1, budget, 10, 1);
    NystromGradientDescent nogd = new NystromGradientDescent(Task.CLASSIFICATION, settings);
    NaiveMachine first = NaiveMachine.ogd(6, 0.4);
    Gaussian kernel = new Gaussian(6);
    CoreSet set = CoreSet.dense(2);
    List<Instance> rows = Streams.checkerboard(2, 400, 8);
    double negative = rows.get(0).y();
    double[][] w = new double[1][];
    Nystrom map = null;
    double[] z = {};
    for (Instance row : rows) {
      int y = row.y() == negative ? -1 : 1;
      double f;
      if (map == null) {
        f = first.f(row.x().values());
        first.learn(row.x().values(), y);
      } else {
        CoreDistances distances = new CoreDistances();
        distances.fill(set, row.x(), kernel);
        map.map(distances.kernel(), z);
        f = 0;
        for (int r = 0; r < z.length; r++) {
          f += w[0][r] * z[r];
        }
        for (int r = 0; r < z.length && y * f < 1; r++) {
          w[0][r] += 0.4 * y * z[r];
        }
      }
      assertEquals(f, nogd.score(row.x()), 1e-7);
      nogd.learn(row.x(), row.y());
      if (map == null && first.points.size() == budget) {
        first.points.forEach(p -> set.append(FeatureVector.dense(p), true));
        map = new Nystrom(set, kernel, budget / 5);
        z = new double[map.rank()];
        w[0] = startOf(map, set, kernel, first);
      }
    }
    assertEquals(budget, nogd.size());
  }

  /** w with wᵀz(c_i) = the projected function at every landmark: w = Σ a_i·z(c_i)-coordinates. */
  private static double[] startOf(Nystrom map, CoreSet set, Gaussian kernel, NaiveMachine first) {
    double[] w = new double[map.rank()];
    double[] z = new double[map.rank()];
    CoreDistances distances = new CoreDistances();
    for (int i = 0; i < set.size(); i++) {
      distances.fillFromPoint(set, i, kernel);
      map.map(distances.kernel(), z);
      for (int r = 0; r < w.length; r++) {
        w[r] += first.a.get(i) * z[r];
      }
    }
    return w;
  }
}
