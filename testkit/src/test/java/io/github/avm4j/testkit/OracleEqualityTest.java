// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.KernelKind;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.WhenFull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The learner and the oracle take the same steps, in every combination of what can be chosen. */
class OracleEqualityTest {
  private static final int SWEEP_STEPS = 80;

  private static final List<Kernel> KERNELS =
      Arrays.stream(KernelKind.values()).map(kind -> kind.kernel(1.1, 0.6)).toList();
  private static final List<Loss> LOSSES =
      Arrays.stream(LossKind.values()).map(kind -> kind.loss(0.3 * kind.defaultValue())).toList();
  private static final List<Approximation> POLICIES =
      List.of(new Always(), new Never(), new Bernoulli(3, 0.7), new Confidence());

  private static final boolean LONG = "long".equals(System.getProperty("laws"));

  /** How the features are stored: dense tiles, sparse tiles, an inverted index. */
  private enum Storage {
    DENSE(3),
    SPARSE(40),
    POSTINGS(3000);

    final int dimension;

    Storage(int dimension) {
      this.dimension = dimension;
    }
  }

  /** Which classes there are and when they are told. */
  private enum Classes {
    TWO(2),
    DECLARED(4),
    EMERGING(5);

    final int count;

    Classes(int count) {
      this.count = count;
    }
  }

  private enum Cap {
    NONE(0, WhenFull.ABSORB),
    ABSORB(7, WhenFull.ABSORB),
    REFUSE(7, WhenFull.REFUSE);

    final int budget;
    final WhenFull whenFull;

    Cap(int budget, WhenFull whenFull) {
      this.budget = budget;
      this.whenFull = whenFull;
    }
  }

  /** One combination, the outputs apart: {@link OracleEquality} always runs all five. */
  private record Combination(
      Loss loss,
      Kernel kernel,
      Approximation policy,
      Storage storage,
      Classes classes,
      Cap cap,
      boolean rectangles,
      boolean weights) {

    boolean exists() {
      boolean regression = !loss.forClassification();
      boolean once = classes == Classes.TWO;
      return !regression || (once && !(policy instanceof Confidence));
    }

    AvmConfig config(double lambda, double delta, boolean tellFeatures, long seed) {
      boolean regression = !loss.forClassification();
      Coverage coverage =
          rectangles
              ? new Hyperrectangle(delta * Math.sqrt(storage.dimension) / 2)
              : new Hypersphere(delta);
      return (regression ? Avm.paperRegressor() : Avm.paperClassifier())
          .kernel(kernel)
          .loss(loss)
          .lambda(lambda)
          .coverage(coverage)
          .approximation(policy)
          .budget(cap.budget)
          .whenFull(cap.whenFull)
          .features(tellFeatures || rectangles ? storage.dimension : 0)
          .labels(
              classes == Classes.DECLARED && !regression
                  ? new double[] {0, 1, 2, 3}
                  : new double[0])
          .seed(seed)
          .config();
    }

    List<Instance> rows(int n, long seed) {
      List<Instance> rows = new ArrayList<>();
      List<Instance> base =
          storage != Storage.DENSE
              ? Streams.sparse(classes.count, storage.dimension, 2, n, seed)
              : Streams.blobs(classes.count, storage.dimension, n, seed);
      Random random = new Random(seed);
      for (int i = 0; i < n; i++) {
        // One row in eight was seen before; a class beyond the second comes only after a while.
        Instance row = base.get(i % 8 == 7 ? random.nextInt(i) : i);
        double y = classes == Classes.EMERGING && i < 3 * n / 10 ? row.y() % 2 : row.y();
        if (!loss.forClassification()) {
          y = Math.sin(3 * row.x().squaredNorm()) + 0.2 * random.nextGaussian();
        }
        rows.add(new Instance(row.x(), y, 1));
      }
      return weights ? Streams.weighted(rows, seed) : rows;
    }
  }

  private static List<Combination> combinations() {
    List<Combination> result = new ArrayList<>();
    for (Loss loss : LOSSES) {
      for (Kernel kernel : KERNELS) {
        for (Approximation policy : POLICIES) {
          for (int rest = 0; rest < 108; rest++) {
            result.add(
                new Combination(
                    loss,
                    kernel,
                    policy,
                    Storage.values()[rest % 3],
                    Classes.values()[rest / 3 % 3],
                    Cap.values()[rest / 9 % 3],
                    rest / 27 % 2 == 1,
                    rest / 54 == 1));
          }
        }
      }
    }
    result.removeIf(combination -> !combination.exists());
    return result;
  }

  @Test
  void everyCombination() {
    long steps = 0;
    long points = 0;
    long capped = 0;
    int n = 0;
    int k = 0;
    for (Combination combination : combinations()) {
      // A third of them in the gate: each value of each setting still meets all of any other.
      if (!LONG && (k++ * 0x9E3779B9 >>> 16) % 3 != 0) {
        continue;
      }
      long seed = 1000L + n++;
      AvmConfig config = combination.config(0.0137, 0.55, n % 2 == 0, seed);
      PaperOracle oracle =
          new OracleEquality(config, 0.4, SWEEP_STEPS).run(combination.rows(SWEEP_STEPS, seed));
      steps += oracle.instances();
      points += oracle.size();
      capped += oracle.absorbed() + oracle.refused();
    }
    System.out.println(
        n + " combinations x 5 outputs, " + steps + " steps, " + points + " core points");
    // 3 losses × (4 policies × 3 kinds of classes) and 4 losses × 3 policies, times the rest.
    int all = (3 * 4 * 3 + 4 * 3) * 5 * 3 * 3 * 2 * 2;
    assertEquals(LONG ? all : all / 3.0, n, LONG ? 0 : 0.02 * all);
    assertTrue(steps > 0.99 * n * SWEEP_STEPS, "too many runs ended early: " + steps);
    assertTrue(points > 4L * n && capped > n, "the sweep is trivial: " + points + ", " + capped);
  }

  @ParameterizedTest
  @MethodSource("setups")
  void longRuns(Setup setup) {
    AvmConfig config =
        setup.combination.config(setup.lambda, setup.delta, setup.seed % 2 == 0, setup.seed);
    new OracleEquality(config, setup.alpha, setup.steps)
        .run(setup.combination.rows(setup.steps, setup.seed));
  }

  record Setup(
      Combination combination, double lambda, double delta, double alpha, int steps, long seed) {}

  private static Stream<Setup> setups() {
    List<Combination> all = combinations();
    return Seeds.draw(
        80,
        random ->
            new Setup(
                Seeds.any(random, all),
                Seeds.any(random, 0.0093, 0.137, 0.93, 2.37),
                Seeds.any(random, 0.3, 0.55, 1.1),
                Seeds.any(random, 0.1, 0.3, 0.5, 0.7, 0.9),
                Seeds.any(random, 300, 500, 1000),
                random.nextLong()));
  }
}
