// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Certificate;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bounds hold at every step, whatever the stream; what they cost is what the certificate says. */
class BudgetTest {
  private static final double GAMMA = 3;

  /** Orders that a bound suffers from most. */
  private static Map<String, List<Instance>> orders(int n) {
    Map<String, List<Instance>> orders = new LinkedHashMap<>();
    orders.put("sorted", Streams.sorted(Streams.checkerboard(4, n, 1)));
    orders.put("clustered", Streams.clustered(Streams.blobs(5, 4, n, 2)));
    orders.put("spiral", Streams.spiral(20, n));
    orders.put("growing", growing(n));
    orders.put("always new", alwaysNew(n));
    orders.put("drift", Streams.abruptDrift(3, 4, n, 3));
    return orders;
  }

  /** Ever larger, by eight orders of magnitude. */
  private static List<Instance> growing(int n) {
    Random random = new Random(4);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double scale = Math.pow(10, 8.0 * i / n);
      double a = scale * random.nextGaussian();
      rows.add(Instance.of(a > 0 ? 1 : 0, a, scale * random.nextGaussian()));
    }
    return rows;
  }

  /** No two near each other: each one of a grid's corners, in 12 dimensions. */
  private static List<Instance> alwaysNew(int n) {
    Random random = new Random(5);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double[] x = new double[12];
      for (int j = 0; j < x.length; j++) {
        x[j] = random.nextInt(20);
      }
      rows.add(Instance.of(random.nextInt(2), x));
    }
    return rows;
  }

  /** Words that were never seen before, more and more of them. */
  private static List<Instance> newWords(int n) {
    Random random = new Random(6);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int count = 1 + i * 60 / n;
      int[] indices = random.ints(0, 100_000).distinct().limit(count).sorted().toArray();
      double[] values = random.doubles(count, 0.5, 1).toArray();
      rows.add(new Instance(FeatureVector.sparse(indices, values), indices[0] % 3, 1));
    }
    return rows;
  }

  @Test
  void noOrderExceedsTheBudgetInPoints() {
    orders(3000)
        .forEach(
            (name, rows) -> {
              AutoLearner learner = Avm.classifier().budget(25).estimation(300).build();
              for (int i = 0; i < rows.size(); i++) {
                learner.learn(rows.get(i).x(), rows.get(i).y());
                assertTrue(learner.size() <= 25, name + " at " + i + ": " + learner.size());
              }
            });
  }

  /** Rivals and trials included: {@code bytes()} counts all learners that run. */
  private static void assertMemory(String name, List<Instance> rows, long memory) {
    AutoConfig.Builder<AutoLearner> builder =
        Avm.classifier().budget(2000).estimation(300).memory(memory);
    AutoLearner learner = builder.build();
    long most = 0;
    for (int i = 0; i < rows.size(); i++) {
      learner.learn(rows.get(i).x(), rows.get(i).y());
      long bytes = learner.bytes();
      most = Math.max(most, bytes);
      assertTrue(bytes <= memory, name + " at " + i + ": " + bytes + " of " + memory);
    }
    System.out.printf(
        "%s: at most %d of %d bytes, %d core points%n", name, most, memory, learner.size());
    assertTrue(learner.size() > 0, name);
  }

  @Test
  void noOrderExceedsItsMemory() {
    orders(4000).forEach((name, rows) -> assertMemory(name, rows, 256 << 10));
    assertMemory("always new", alwaysNew(3000), 1 << 20);
  }

  @Test
  void noSparseOrderExceedsItsMemory() {
    orders(3000)
        .forEach(
            (name, rows) ->
                assertMemory(
                    "sparse " + name, rows.stream().map(Instance::sparse).toList(), 256 << 10));
    assertMemory("new words", newWords(3000), 256 << 10);
    assertMemory("new words", newWords(3000), 1 << 20);
  }

  /** What is set aside for candidates must not take the room of the core points. */
  @Test
  void wideInstancesFindRoom() {
    Random random = new Random(3);
    AutoLearner learner = Avm.classifier().budget(2000).estimation(300).memory(256 << 10).build();
    for (int i = 0; i < 1500; i++) {
      double[] x = random.doubles(100).toArray();
      learner.learn(FeatureVector.dense(x), x[0] > 0.5 ? 1 : 0);
      assertTrue(learner.bytes() <= 256 << 10, "at " + i + ": " + learner.bytes());
    }
    System.out.printf("100 features: %d core points%n", learner.size());
    assertTrue(learner.size() >= 8, "only " + learner.size() + " core points");
  }

  /** Files hold what arrays contain, not how long they are: decisions must not depend on that. */
  @Test
  void savedUnderABoundGoesOnToTheBit() throws InvalidModelException {
    List<Instance> rows = newWords(1500);
    Learner learner = Avm.classifier().budget(2000).estimation(300).memory(256 << 10).build();
    Learner restored = Learner.fromBytes(learner.toBytes());
    for (int i = 0; i < rows.size(); i++) {
      learner.learn(rows.get(i).x(), rows.get(i).y());
      restored.learn(rows.get(i).x(), rows.get(i).y());
      if (i % 50 == 0) {
        assertArrayEquals(learner.toBytes(), restored.toBytes(), "at " + i);
        restored = Learner.fromBytes(restored.toBytes());
      }
    }
  }

  private static SecondOrderConfig config(int budget, boolean replacing) {
    return SecondOrderConfig.builder(Task.CLASSIFICATION)
        .kernel(new Gaussian(GAMMA))
        .loss(new Logistic())
        .skip(0.1)
        .novelty(1e-3)
        .budget(budget)
        .replacing(replacing)
        .build();
  }

  /** Distances and projections computed anew at every step, from the core points alone. */
  @Test
  void theCertificateIsTrueAtEveryStep() {
    List<Instance> rows = Streams.checkerboard(4, 2500, 9);
    SecondOrderLearner learner = new SecondOrderLearner(config(12, true));
    double farthest = 0;
    double largestResidual = 0;
    for (int i = 0; i < rows.size(); i++) {
      Instance row = rows.get(i);
      Model before = learner.snapshot();
      double nearest = nearestSquared(before, row.x());
      farthest = nearest < Double.POSITIVE_INFINITY ? Math.max(farthest, nearest) : farthest;
      learner.learn(row.x(), row.y());
      Certificate certificate = learner.certificate();
      assertEquals(Math.sqrt(farthest), certificate.delta(), 1e-6, "step " + i);
      double phi = 2 - 2 * Math.exp(-GAMMA * farthest);
      assertEquals(Math.sqrt(phi), certificate.deltaPhi(), 1e-6, "step " + i);
      if (before.size() > 0 && i % 10 == 0) {
        double residual = residual(before, row.x());
        largestResidual = Math.max(largestResidual, residual);
        assertTrue(residual <= phi + 1e-8, "step " + i + ": " + residual + " > " + phi);
      }
      assertTrue(certificate.residual() <= certificate.deltaPhi() + 1e-6, "step " + i);
    }
    System.out.printf(
        "certificate: %s, largest residual² %.4f%n", learner.certificate(), largestResidual);
    assertTrue(learner.replaced() > 0, "nothing was replaced");
    assertTrue(learner.absorbed() > 0, "nothing was absorbed");
  }

  private static double nearestSquared(Model model, FeatureVector x) {
    double nearest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < model.size(); i++) {
      nearest = Math.min(nearest, squared(model.corePoint(i), x));
    }
    return nearest;
  }

  private static double squared(FeatureVector a, FeatureVector b) {
    double sum = 0;
    for (int j = 0; j < a.dimension(); j++) {
      sum += (a.get(j) - b.get(j)) * (a.get(j) - b.get(j));
    }
    return sum;
  }

  private static double residual(Model model, FeatureVector x) {
    int n = model.size();
    double[][] gram = new double[n][n];
    double[] k = new double[n];
    for (int i = 0; i < n; i++) {
      k[i] = Math.exp(-GAMMA * squared(model.corePoint(i), x));
      for (int j = 0; j < n; j++) {
        gram[i][j] = Math.exp(-GAMMA * squared(model.corePoint(i), model.corePoint(j)));
      }
    }
    double[] a = PlainAlgebra.solve(gram, k);
    double residual = 1;
    for (int i = 0; i < n; i++) {
      residual -= a[i] * k[i];
    }
    return residual;
  }

  private static int mistakes(SecondOrderLearner learner, List<Instance> rows) {
    int wrong = 0;
    for (Instance row : rows) {
      wrong += learner.predictThenLearn(row.x(), row.y(), 1) == row.y() ? 0 : 1;
    }
    return wrong;
  }

  private static List<Instance> relabelled(List<Instance> rows, double share) {
    Random random = new Random(8);
    return rows.stream()
        .map(row -> random.nextDouble() < share ? new Instance(row.x(), random.nextInt(2), 1) : row)
        .toList();
  }

  @Test
  void randomLabelsCauseNoChurn() {
    List<Instance> rows = relabelled(Streams.checkerboard(4, 10_000, 6), 1);
    SecondOrderLearner learner = new SecondOrderLearner(config(30, true));
    mistakes(learner, rows);
    System.out.printf("random labels: %d replaced of %d%n", learner.replaced(), learner.learned());
    assertTrue(learner.replaced() < 0.02 * learner.learned(), "replaced " + learner.replaced());
  }

  @Test
  void replacingDoesNoHarmUnderNoise() {
    List<Instance> rows = relabelled(Streams.checkerboard(4, 12_000, 6), 0.4);
    double with = mistakes(new SecondOrderLearner(config(20, true)), rows);
    double without = mistakes(new SecondOrderLearner(config(20, false)), rows);
    System.out.printf("noisy stream: %.0f mistakes replacing, %.0f not%n", with, without);
    assertTrue(with <= 1.01 * without, with + " mistakes, without replacing " + without);
  }
}
