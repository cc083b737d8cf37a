// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoreSetTest {
  private static double[] distances(CoreSet set, FeatureVector x) {
    double[] out = new double[(set.size() + 31) / 32 * 32 + 32];
    set.squaredDistances(x, out);
    return java.util.Arrays.copyOf(out, set.size());
  }

  private static double naive(FeatureVector x, FeatureVector y) {
    double sum = 0;
    for (int j = 0; j < Math.max(x.dimension(), y.dimension()); j++) {
      sum += (x.get(j) - y.get(j)) * (x.get(j) - y.get(j));
    }
    return sum;
  }

  private static void assertEqualSets(CoreSet expected, CoreSet actual) {
    assertEquals(expected.size(), actual.size());
    assertEquals(expected.exactPoints(), actual.exactPoints());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.isCentre(i), actual.isCentre(i));
      assertEquals(expected.squaredNorm(i), actual.squaredNorm(i));
      for (int j = 0; j < Math.max(expected.dimension(), actual.dimension()); j++) {
        assertEquals(expected.coordinate(i, j), actual.coordinate(i, j), 0.0);
      }
    }
  }

  private static FeatureVector sparse(Random random, int dimension) {
    List<Integer> indices = new ArrayList<>();
    for (int j = 0; j < dimension; j++) {
      if (random.nextInt(3) == 0) {
        indices.add(j);
      }
    }
    double[] values = new double[indices.size()];
    for (int k = 0; k < values.length; k++) {
      values[k] = random.nextInt(5) == 0 ? 0 : random.nextGaussian();
    }
    return FeatureVector.sparse(indices.stream().mapToInt(i -> i).toArray(), values);
  }

  /** Tiles grow 8, 16, 32 and then one after the other; every distance stays right. */
  @Test
  void denseTilesGrow() {
    Random random = new Random(7);
    for (int d : new int[] {1, 3, 8, 17}) {
      CoreSet set = CoreSet.dense(d);
      assertFalse(set.isOpenEnded());
      assertFalse(set.storesPostings());
      List<FeatureVector> points = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        FeatureVector x = FeatureVector.dense(random.doubles(d, -2, 2).toArray());
        points.add(x);
        assertEquals(i, set.append(x, i % 3 != 0));
        assertEquals(i + 1, set.size());
        FeatureVector probe = FeatureVector.dense(random.doubles(d, -2, 2).toArray());
        FeatureVector sparseProbe = FeatureVector.sparse(range(d), probe.values());
        double[] dense = distances(set, probe);
        double[] viaDots = distances(set, sparseProbe);
        for (int k = 0; k <= i; k++) {
          double expected = naive(probe, points.get(k));
          assertEquals(expected, dense[k], 1e-12);
          assertEquals(expected, viaDots[k], 1e-12);
          assertArrayEquals(points.get(k).values(), set.point(k).values());
          assertEquals(points.get(k).squaredNorm(), set.squaredNorm(k));
          assertEquals(k % 3 != 0, set.isCentre(k));
        }
      }
      assertEquals(34, set.exactPoints());
      assertFalse(set.point(0).isSparse());
      assertEquals(d, set.dimension());
    }
  }

  private static int[] range(int n) {
    int[] indices = new int[n];
    java.util.Arrays.setAll(indices, j -> j);
    return indices;
  }

  @Test
  void tileSizesInBytes() {
    CoreSet set = CoreSet.dense(10);
    long[] widths = new long[70];
    for (int i = 0; i < widths.length; i++) {
      set.append(FeatureVector.dense(new double[10]), true);
      long norms = 9L * Math.max(8, Integer.highestOneBit(2 * i));
      widths[i] = (set.bytes() - norms) / 80;
    }
    assertEquals(8, widths[0]);
    assertEquals(8, widths[7]);
    assertEquals(16, widths[8]);
    assertEquals(16, widths[15]);
    assertEquals(32, widths[16]);
    assertEquals(32, widths[31]);
    assertEquals(64, widths[32]);
    assertEquals(96, widths[64]);
  }

  /** Tiles and postings are two forms of one thing, whatever the order dimensions appear in. */
  @Test
  void tiledAndPostingsAreEqual() {
    Random random = new Random(8);
    for (int first : new int[] {0, 3, 40}) {
      CoreSet tiled = CoreSet.sparse(first);
      CoreSet postings = CoreSet.postings(first);
      assertTrue(tiled.isOpenEnded() && postings.isOpenEnded());
      assertFalse(tiled.storesPostings());
      assertTrue(postings.storesPostings());
      for (int i = 0; i < 90; i++) {
        FeatureVector x = sparse(random, i < 2 ? 0 : 1 + random.nextInt(3 + i));
        boolean centre = random.nextBoolean();
        assertEquals(i, tiled.append(x, centre));
        assertEquals(i, postings.append(x, centre));
        assertEquals(postings.dimension(), tiled.dimension());
        FeatureVector probe = sparse(random, 150);
        double[] expected = distances(postings, probe);
        assertArrayEquals(expected, distances(tiled, probe), 1e-12);
        FeatureVector denseProbe = FeatureVector.dense(random.doubles(60, -1, 1).toArray());
        assertArrayEquals(distances(postings, denseProbe), distances(tiled, denseProbe), 1e-12);
        for (int k = 0; k <= i; k++) {
          assertEquals(naive(probe, postings.point(k)), expected[k], 1e-12);
          assertEquals(0, naive(postings.point(k), tiled.point(k)), 0.0);
          assertTrue(tiled.point(k).isSparse());
          assertArrayEquals(postings.point(k).indices(), tiled.point(k).indices());
        }
      }
      assertEqualSets(postings, tiled);
      assertEqualSets(postings.copy(), tiled.copy());
    }
  }

  @Test
  void storageFollowsTheDimension() {
    assertFalse(CoreSet.sparse(CoreSet.TILED_DIMENSION_LIMIT).storesPostings());
    assertTrue(CoreSet.sparse(CoreSet.TILED_DIMENSION_LIMIT + 1).storesPostings());
  }

  @Test
  void outgrownTilesBecomePostings() {
    Random random = new Random(9);
    CoreSet set = CoreSet.sparse(0);
    for (int i = 0; i < 40; i++) {
      set.append(sparse(random, 30), i % 4 != 0);
    }
    FeatureVector fits = FeatureVector.sparse(new int[] {2047}, new double[] {1});
    assertSame(set, set.roomFor(fits));
    FeatureVector beyond = FeatureVector.sparse(new int[] {3, 2048}, new double[] {1, 2});
    CoreSet postings = set.roomFor(beyond);
    assertNotSame(set, postings);
    assertTrue(postings.storesPostings());
    assertEqualSets(set, postings);
    assertEquals(40, postings.append(beyond, true));
    assertEquals(2049, postings.dimension());
    assertSame(postings, postings.roomFor(beyond));
    FeatureVector farther = FeatureVector.sparse(new int[] {2_000_000_000}, new double[] {3});
    postings.append(farther, true);
    assertEquals(2_000_000_001, postings.dimension());
    assertEquals(14, distances(postings, farther)[40]);
    assertEquals(3, postings.coordinate(41, 2_000_000_000));
    assertEquals(0, postings.coordinate(41, 5));
    // A dense set never changes its form.
    CoreSet dense = CoreSet.dense(3000);
    assertSame(dense, dense.roomFor(FeatureVector.dense(new double[3000])));
  }

  @Test
  void copiesShareNothingThatChanges() {
    Random random = new Random(10);
    for (CoreSet set :
        List.of(CoreSet.dense(4), CoreSet.sparse(0), CoreSet.sparse(4), CoreSet.postings(0))) {
      for (int i = 0; i < 75; i++) {
        CoreSet copy = set.copy();
        CoreSet branch = set.copy();
        List<FeatureVector> before = new ArrayList<>();
        for (int k = 0; k < copy.size(); k++) {
          before.add(copy.point(k));
        }
        FeatureVector x = FeatureVector.dense(random.doubles(4, 1, 2).toArray());
        FeatureVector other = FeatureVector.dense(random.doubles(4, 3, 4).toArray());
        FeatureVector probe = FeatureVector.dense(random.doubles(4, -2, 2).toArray());
        double[] distancesBefore = distances(copy, probe);
        set.append(x, true);
        branch.append(other, false);
        assertEquals(i, copy.size());
        assertArrayEquals(distancesBefore, distances(copy, probe));
        for (int k = 0; k < i; k++) {
          assertEquals(0, naive(before.get(k), copy.point(k)), 0.0);
        }
        assertEquals(0, naive(x, set.point(i)), 0.0);
        assertEquals(0, naive(other, branch.point(i)), 0.0);
        assertEquals(naive(x, probe), distances(set, probe)[i], 1e-12);
        assertEquals(naive(other, probe), distances(branch, probe)[i], 1e-12);
        assertTrue(set.isCentre(i));
        assertFalse(branch.isCentre(i));
      }
    }
  }

  @Test
  void whatIsAppendedIsCopied() {
    for (CoreSet set : List.of(CoreSet.dense(2), CoreSet.sparse(2), CoreSet.postings(2))) {
      double[] values = {1, 2};
      set.append(FeatureVector.dense(values), true);
      values[0] = 9;
      assertEquals(1, set.coordinate(0, 0));
      set.point(0).values()[0] = 7;
      assertEquals(1, set.coordinate(0, 0));
    }
  }

  @Test
  void bytesFollowTheNonZeros() {
    CoreSet postings = CoreSet.postings(1_000_000);
    for (int i = 0; i < 100; i++) {
      postings.append(FeatureVector.sparse(new int[] {i, 500_000 + i}, new double[] {1, 1}), true);
    }
    assertTrue(postings.bytes() > 100 * 2 * 12, postings.bytes() + " bytes");
    assertTrue(postings.bytes() < 50_000, postings.bytes() + " bytes");
  }
}
