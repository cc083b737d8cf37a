// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TreeGrowthTest {
  private static final int FEATURES = 4;

  /** Few values in two features, many in the others; weights that differ. */
  private static List<StoredInstances.Kept> instances(Task task, Random random, int count) {
    StoredInstances all = new StoredInstances();
    for (int i = 0; i < count; i++) {
      double[] x = {
        random.nextInt(3), random.nextInt(50), random.nextGaussian(), random.nextDouble()
      };
      double level = (x[0] > 1 ? 2 : x[2] > 0.3 ? 1 : 0) + 0.3 * random.nextGaussian();
      double y = task == Task.REGRESSION ? 1e6 + level : Math.rint(Math.max(0, level));
      all.add(FeatureVector.dense(x), y, 1 + random.nextInt(2));
    }
    return new ArrayList<>(all.list());
  }

  /** The weighted squared error around the mean, of the target or of each class's indicator. */
  private static double error(Task task, List<StoredInstances.Kept> some) {
    double sum = 0;
    for (int c = 0; c < (task == Task.REGRESSION ? 1 : 5); c++) {
      double weight = 0;
      double mean = 0;
      for (StoredInstances.Kept one : some) {
        weight += one.weight();
        mean += one.weight() * value(task, one, c);
      }
      for (StoredInstances.Kept one : some) {
        sum += one.weight() * Math.pow(value(task, one, c) - mean / weight, 2);
      }
    }
    return sum;
  }

  private static double value(Task task, StoredInstances.Kept one, int column) {
    return task == Task.REGRESSION ? one.y() - 1e6 : one.y() == column ? 1 : 0;
  }

  private static @Nullable SplitTree grow(Task task, List<StoredInstances.Kept> all, int leaves) {
    @Nullable TreeGrowth growth = TreeGrowth.of(task, all, leaves);
    while (growth != null && !growth.isDone()) {
      growth.goOn();
    }
    return growth == null ? null : growth.tree();
  }

  private static double after(
      Task task, List<StoredInstances.Kept> all, int feature, double threshold) {
    return error(task, all.stream().filter(one -> one.x().get(feature) <= threshold).toList())
        + error(task, all.stream().filter(one -> one.x().get(feature) > threshold).toList());
  }

  @ParameterizedTest
  @EnumSource(Task.class)
  void theFirstSplitIsTheBestOfAllThresholds(Task task) {
    for (int seed = 0; seed < 20; seed++) {
      // No feature has more than 64 values that differ in 64 instances more than a leaf's least.
      List<StoredInstances.Kept> all = instances(task, new Random(seed), 120);
      all.replaceAll(one -> rounded(one));
      SplitTree tree = grow(task, all, 2);
      assertNotNull(tree);
      double found = after(task, all, tree.feature(0), tree.threshold(0));
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < FEATURES; j++) {
        int feature = j;
        double[] values = all.stream().mapToDouble(one -> one.x().get(feature)).toArray();
        for (double threshold : values) {
          long low = all.stream().filter(one -> one.x().get(feature) <= threshold).count();
          if (low >= 50 && all.size() - low >= 50) {
            least = Math.min(least, after(task, all, j, threshold));
          }
        }
      }
      assertEquals(least, found, 1e-6 * least);
    }
  }

  private static StoredInstances.Kept rounded(StoredInstances.Kept one) {
    double[] x = one.x().values().clone();
    x[2] = Math.rint(4 * x[2]) / 4;
    x[3] = Math.rint(40 * x[3]) / 40;
    return new StoredInstances.Kept(FeatureVector.dense(x), one.y(), one.weight());
  }

  @ParameterizedTest
  @EnumSource(Task.class)
  void leavesAreNotSmallAndTellTargetsApart(Task task) {
    List<StoredInstances.Kept> all = instances(task, new Random(3), 3000);
    SplitTree tree = grow(task, all, 16);
    assertNotNull(tree);
    assertEquals(16, tree.size());
    List<List<StoredInstances.Kept>> leaves = new ArrayList<>();
    for (int i = 0; i < tree.size(); i++) {
      leaves.add(new ArrayList<>());
    }
    all.forEach(one -> leaves.get(tree.indexOf(one.x())).add(one));
    double error = 0;
    for (List<StoredInstances.Kept> leaf : leaves) {
      assertTrue(leaf.size() >= 50, leaf.size() + " in a leaf");
      error += error(task, leaf);
    }
    assertTrue(error < 0.45 * error(task, all), error + " of " + error(task, all));
  }

  @Test
  void sparseAndDenseInstancesGiveTheSameTree() {
    List<StoredInstances.Kept> dense = instances(Task.REGRESSION, new Random(5), 1000);
    List<StoredInstances.Kept> sparse = new ArrayList<>();
    for (StoredInstances.Kept one : dense) {
      FeatureVector x = FeatureVector.sparse(new int[] {0, 1, 2, 3}, one.x().values().clone());
      sparse.add(new StoredInstances.Kept(x, one.y(), one.weight()));
    }
    SplitTree a = grow(Task.REGRESSION, dense, 8);
    SplitTree b = grow(Task.REGRESSION, sparse, 8);
    assertNotNull(a);
    assertNotNull(b);
    assertTrue(b.isOpenEnded() && !a.isOpenEnded());
    for (int i = 0; i < a.nodes(); i++) {
      assertEquals(a.feature(i), b.feature(i));
      assertEquals(a.threshold(i), b.threshold(i));
    }
  }

  @Test
  void whereNothingIsGainedThereIsNoTree() {
    List<StoredInstances.Kept> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(new StoredInstances.Kept(FeatureVector.dense(i, 7), 3, 1));
    }
    assertNull(grow(Task.CLASSIFICATION, all, 8), "one class");
    assertNull(grow(Task.REGRESSION, all, 8), "one target");
    assertNull(grow(Task.REGRESSION, all.subList(0, 0), 8), "no instance");
    assertNull(grow(Task.REGRESSION, all.subList(0, 60), 8), "too few");
    all.replaceAll(one -> new StoredInstances.Kept(one.x(), one.x().get(0), 1));
    assertNotNull(grow(Task.REGRESSION, all, 8));
    assertNull(grow(Task.CLASSIFICATION, all, 8), "500 classes");
  }

  @ParameterizedTest
  @EnumSource(Task.class)
  void leavesOfOneTargetAreNotSplitByRounding(Task task) {
    Random random = new Random(11);
    for (int run = 0; run < 50; run++) {
      List<StoredInstances.Kept> all = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        FeatureVector x = FeatureVector.dense(random.nextGaussian(), random.nextGaussian());
        double y = x.get(0) > 0 ? 0.7 : 0.1;
        all.add(new StoredInstances.Kept(x, y, 0.1 + random.nextDouble()));
      }
      SplitTree tree = grow(task, all, 16);
      assertNotNull(tree);
      // Two, and a third where no threshold is exactly between the targets.
      assertTrue(tree.size() <= 3, tree.size() + " leaves");
    }
  }

  @Test
  void hugeAndTinyNumbersAreSplitAsOthers() {
    for (double unit : new double[] {1e-308, 1e-300, 1, 1e300, 1e307}) {
      List<StoredInstances.Kept> all = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        double x = (i % 20 - 10) * unit;
        all.add(new StoredInstances.Kept(FeatureVector.dense(x), i % 20 < 10 ? 0 : 1, 1));
      }
      SplitTree tree = grow(Task.CLASSIFICATION, all, 2);
      assertNotNull(tree);
      all.forEach(one -> assertEquals(one.y() == 0, tree.indexOf(one.x()) == tree.indexOf(LOW)));
    }
  }

  private static final FeatureVector LOW = FeatureVector.dense(-Double.MAX_VALUE);
}
