// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Coverages made in advance, as Section 6.2 of the paper has them beside those on the fly. */
class CoverInAdvanceTest {
  private static KernelLearner learner(Coverage coverage) {
    return Avm.paperClassifier().gamma(1).coverage(coverage).lambda(0.01).features(2).build();
  }

  private static List<FeatureVector> sample(Random random, int n, boolean sparse) {
    List<FeatureVector> sample = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      sample.add(sparse ? FeatureVector.sparse(new int[] {0, 1}, x) : FeatureVector.dense(x));
    }
    return sample;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyInstanceOfTheSampleLiesInACell(boolean sparse) {
    Random random = new Random(31);
    for (Coverage coverage : List.of(new Hypersphere(1), new Hyperrectangle(0.8))) {
      List<FeatureVector> sample = sample(random, 300, sparse);
      KernelLearner inAdvance = learner(coverage);
      inAdvance.cover(sample);
      int cells = inAdvance.cells();
      KernelLearner onTheFly = learner(coverage);
      for (FeatureVector x : sample) {
        inAdvance.learn(x, x.values()[0] > 0 ? 1 : 0);
        onTheFly.learn(x, x.values()[0] > 0 ? 1 : 0);
      }
      assertEquals(cells, inAdvance.cells(), "no cell is new");
      assertTrue(cells < onTheFly.cells(), cells + " cells, on the fly " + onTheFly.cells());
      inAdvance.learn(sparse ? sample(random, 1, true).get(0) : FeatureVector.dense(9, 9), 1);
      assertTrue(inAdvance.cells() <= cells + 1);
    }
  }

  /** Greedy takes at most 1 + ½ + … + 1/n times as many cells as the fewest, found by trying. */
  @Test
  void areNotManyMoreThanTheFewest() {
    Random random = new Random(32);
    int more = 0;
    for (int n = 0; n < 200; n++) {
      List<FeatureVector> sample = sample(random, 2 + random.nextInt(9), false);
      double delta = 0.5 + 3 * random.nextDouble();
      KernelLearner learner = learner(new Hypersphere(delta));
      learner.cover(sample);
      int[] cells = masks(sample, delta / 2);
      int fewest = fewest(cells);
      int fullest = 0;
      for (int cell : cells) {
        fullest = Math.max(fullest, Integer.bitCount(cell));
      }
      double harmonic = 0;
      for (int k = 1; k <= fullest; k++) {
        harmonic += 1.0 / k;
      }
      assertTrue(learner.cells() >= fewest, learner.cells() + " cells cannot be");
      assertTrue(learner.cells() <= harmonic * fewest, learner.cells() + " cells, not " + fewest);
      more += learner.cells() > fewest ? 1 : 0;
    }
    assertTrue(more < 40, more + " of 200 coverages are not the smallest");
  }

  /**
   * Remark 20: a domain of diameter D has at most (4D/δ)^d cells, whatever instances are covered.
   */
  @Test
  void areNoMoreThanThePaperAllows() {
    Random random = new Random(35);
    int full = 0;
    for (int n = 0; n < 2000; n++) {
      int d = 1 + n % 3;
      List<FeatureVector> sample = new ArrayList<>();
      int size = 2 + random.nextInt(60);
      for (int i = 0; i < size; i++) {
        sample.add(FeatureVector.dense(random.doubles(d).toArray()));
      }
      double diameter = diameter(sample);
      double delta = diameter * (0.05 + 2.5 * random.nextDouble());
      boolean boxes = n % 2 == 0;
      Coverage coverage = boxes ? new Hyperrectangle(delta) : new Hypersphere(delta);
      KernelLearner learner =
          Avm.paperClassifier().gamma(1).coverage(coverage).lambda(0.01).features(d).build();
      learner.cover(sample);
      double bound = ModelSizeBound.cells(coverage, diameter, d);
      assertTrue(learner.cells() <= bound, learner.cells() + " cells of " + bound + ", d = " + d);
      full += 2 * learner.cells() >= bound ? 1 : 0;
    }
    assertTrue(full > 100, "the bound is near in " + full + " of 2000");
  }

  private static double diameter(List<FeatureVector> sample) {
    double largest = 0;
    for (FeatureVector a : sample) {
      for (FeatureVector b : sample) {
        double squared = 0;
        for (int j = 0; j < a.count(); j++) {
          squared += Math.pow(a.values()[j] - b.values()[j], 2);
        }
        largest = Math.max(largest, Math.sqrt(squared));
      }
    }
    return largest;
  }

  /** For each instance, those within the radius, as bits. */
  private static int[] masks(List<FeatureVector> sample, double radius) {
    int[] masks = new int[sample.size()];
    for (int i = 0; i < masks.length; i++) {
      for (int j = 0; j < masks.length; j++) {
        double[] c = sample.get(i).values();
        double[] x = sample.get(j).values();
        boolean inside = Math.hypot(c[0] - x[0], c[1] - x[1]) < radius;
        masks[i] |= inside ? 1 << j : 0;
      }
    }
    return masks;
  }

  private static int fewest(int[] cells) {
    int all = (1 << cells.length) - 1;
    int fewest = cells.length;
    for (int chosen = 1; chosen <= all; chosen++) {
      int covered = 0;
      for (int i = 0; i < cells.length; i++) {
        covered |= (chosen & 1 << i) == 0 ? 0 : cells[i];
      }
      fewest = covered == all ? Math.min(fewest, Integer.bitCount(chosen)) : fewest;
    }
    return fewest;
  }

  @Test
  void isSavedAndResumed() throws Exception {
    Random random = new Random(33);
    List<FeatureVector> sample = sample(random, 100, false);
    KernelLearner learner = learner(new Hypersphere(1));
    learner.cover(sample);
    Learner resumed = Learner.fromBytes(learner.toBytes());
    assertEquals(learner.size(), resumed.size());
    for (FeatureVector x : sample) {
      learner.learn(x, x.values()[1] > 0 ? 1 : 0);
      resumed.learn(x, x.values()[1] > 0 ? 1 : 0);
    }
    assertArrayEquals(learner.toBytes(), resumed.toBytes());
  }

  @Test
  void whatCannotBeIsRefused() {
    List<FeatureVector> sample = sample(new Random(34), 50, false);
    KernelLearner begun = learner(new Hypersphere(1));
    begun.learn(sample.get(0), 1);
    assertThrows(IllegalStateException.class, () -> begun.cover(sample));
    KernelLearner fresh = learner(new Hypersphere(1));
    assertThrows(IllegalStateException.class, () -> fresh.cover(List.of()));
    List<FeatureVector> mixed = List.of(FeatureVector.dense(1, 2), FeatureVector.dense(1, 2, 3));
    assertThrows(IllegalArgumentException.class, () -> fresh.cover(mixed));
    assertEquals(0, fresh.size(), "a refused sample leaves nothing behind");
    KernelLearner small = Avm.paperClassifier().gamma(1).delta(0.1).lambda(0.01).budget(3).build();
    String message =
        assertThrows(IllegalArgumentException.class, () -> small.cover(sample)).getMessage();
    assertTrue(message.contains("raise the budget or delta"), message);
  }
}
