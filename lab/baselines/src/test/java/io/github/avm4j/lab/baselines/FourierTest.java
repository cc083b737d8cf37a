// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.LinearSgd;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.TrivialBaseline;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FourierTest {
  @Test
  void sinesAndCosines() {
    Random random = new Random(1);
    double[] angles = new double[20_001];
    for (int i = 0; i < angles.length; i++) {
      angles[i] = random.nextGaussian() * Math.pow(10, random.nextInt(7) - 2);
    }
    angles[0] = 0;
    angles[1] = Math.PI / 2;
    angles[2] = -3 * Math.PI / 2;
    double[] out = new double[2 * angles.length];
    SinCos.fill(angles, angles.length, 0.5, out);
    for (int i = 0; i < angles.length; i++) {
      assertEquals(0.5 * Math.cos(angles[i]), out[i], 1e-12, "cos " + angles[i]);
      assertEquals(0.5 * Math.sin(angles[i]), out[angles.length + i], 1e-12, "sin " + angles[i]);
    }
  }

  /** z(x)ᵀz(x′) tends to the kernel like 1/√D: Hoeffding at 1e-9 for a hundred pairs. */
  @Test
  void innerProductsAreKernelValues() {
    int d = 40_000;
    FourierFeatures features = new FourierFeatures(d, 0.7, 3);
    Random random = new Random(2);
    double slack = Math.sqrt(2 * Math.log(2 * 100 / 1e-9) / d);
    for (int pair = 0; pair < 100; pair++) {
      double[] a = random.doubles(4, -1, 1).toArray();
      double[] b = random.doubles(4, -1, 1).toArray();
      double[] za = features.of(FeatureVector.dense(a)).clone();
      double[] zb = features.of(FeatureVector.dense(b));
      double sum = 0;
      double distance = 0;
      for (int i = 0; i < za.length; i++) {
        sum += za[i] * zb[i];
      }
      for (int j = 0; j < 4; j++) {
        distance += (a[j] - b[j]) * (a[j] - b[j]);
      }
      assertEquals(Math.exp(-0.7 * distance), sum, slack);
    }
  }

  /** FOGD is kernel gradient descent with the kernel z(x)ᵀz(x′). */
  @Test
  void fogdIsGradientDescentWithItsOwnKernel() {
    Settings settings = new Settings(6, 0.4, 1, 1, 1, 10, 60, 9);
    FourierFeatures features = new FourierFeatures(60, 6, 9);
    NaiveMachine naive =
        new NaiveMachine(6) {
          @Override
          double kernel(double[] p, double[] q) {
            double[] zp = features.of(FeatureVector.dense(p)).clone();
            double[] zq = features.of(FeatureVector.dense(q));
            double sum = 0;
            for (int i = 0; i < zp.length; i++) {
              sum += zp[i] * zq[i];
            }
            return sum;
          }

          @Override
          void learn(double[] x, int y) {
            if (y * f(x) < 1) {
              add(x, 0.4 * y);
            }
          }
        };
    FourierGradientDescent fogd = new FourierGradientDescent(Task.CLASSIFICATION, settings);
    List<Instance> rows = Streams.checkerboard(2, 200, 4);
    double negative = rows.get(0).y();
    for (Instance row : rows) {
      assertEquals(naive.f(row.x().values()), fogd.score(row.x()), 1e-9);
      naive.learn(row.x().values(), row.y() == negative ? -1 : 1);
      fogd.learn(row.x(), row.y());
    }
    assertEquals(120, fogd.size());
  }

  @Test
  void tooManyFrequenciesAreRefused() {
    FourierGradientDescent fogd =
        new FourierGradientDescent(Task.CLASSIFICATION, Settings.standard());
    FeatureVector far = FeatureVector.sparse(new int[] {2_000_000_000}, new double[] {1});
    String message =
        assertThrows(IllegalArgumentException.class, () -> fogd.learn(far, 1)).getMessage();
    assertTrue(message.contains("2000000000"), message);
    assertEquals(0, fogd.classes());
  }

  @Test
  void linearIsWrittenOutByHand() {
    LinearSgd linear = new LinearSgd(Task.REGRESSION, Settings.standard().with(Knob.ETA, 0.5));
    double[] w = new double[3];
    Random random = new Random(3);
    for (int t = 1; t <= 100; t++) {
      double[] x = random.doubles(2, -1, 1).toArray();
      double y = 2 * x[0] - x[1] + 0.5;
      double f = w[0] + w[1] * x[0] + w[2] * x[1];
      assertEquals(f, linear.score(FeatureVector.dense(x)), 1e-12);
      linear.learn(x, y);
      double step = 0.5 * (y - f) / (Math.sqrt(t) * (1 + x[0] * x[0] + x[1] * x[1]));
      w[0] += step;
      w[1] += step * x[0];
      w[2] += step * x[1];
    }
  }

  @Test
  void trivialAnswers() {
    TrivialBaseline majority = TrivialBaseline.mostFrequent(Task.CLASSIFICATION);
    TrivialBaseline last = TrivialBaseline.noChange(Task.CLASSIFICATION);
    TrivialBaseline mean = TrivialBaseline.mostFrequent(Task.REGRESSION);
    FeatureVector x = FeatureVector.dense(0);
    for (double y : new double[] {7, 8, 8, 9, 7, 8}) {
      majority.learn(x, y);
      last.learn(x, y);
      mean.learn(x, y);
    }
    last.learn(x, 9);
    assertEquals(8, majority.predict(x));
    assertEquals(9, last.predict(x));
    assertEquals(
        Arrays.stream(new double[] {7, 8, 8, 9, 7, 8}).average().orElseThrow(),
        mean.predict(x),
        1e-12);
  }
}
