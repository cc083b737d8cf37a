// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a set says it holds, before and after, and that it depends on its points alone. */
class BytesTest {
  private static FeatureVector vector(Random random, boolean sparse, int dimension) {
    if (!sparse) {
      return FeatureVector.dense(random.doubles(dimension).toArray());
    }
    int count = random.nextInt(1 + Math.min(dimension, 20));
    int[] indices = random.ints(0, dimension).distinct().limit(count).sorted().toArray();
    double[] values = random.ints(count, 0, 3).asDoubleStream().toArray();
    return FeatureVector.sparse(indices, values);
  }

  private static CoreSet of(CoreSet first, List<FeatureVector> points) {
    CoreSet set = first;
    for (FeatureVector point : points) {
      set = set.roomFor(point);
      set.append(point, true);
    }
    return set;
  }

  private static CoreSet empty(int kind, int dimension) {
    return kind == 0 ? CoreSet.dense(7) : CoreSet.sparse(dimension);
  }

  private static void assertEqual(CoreSet expected, CoreSet actual) {
    assertEquals(expected.size(), actual.size());
    assertEquals(expected.bytes(), actual.bytes());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.point(i).toString(), actual.point(i).toString());
    }
  }

  @Test
  void areForeseenAndDependOnThePointsAlone() {
    for (int kind = 0; kind < 3; kind++) {
      Random random = new Random(kind);
      List<FeatureVector> points = new ArrayList<>();
      CoreSet set = empty(kind, 0);
      for (int i = 0; i < 300; i++) {
        int dimension = kind == 0 ? 7 : 1 + random.nextInt(kind == 1 ? 1 + 6 * i : 1 + 50 * i);
        FeatureVector x = vector(random, kind > 0, dimension);
        long foreseen = set.bytesWith(x);
        set = set.roomFor(x);
        set.append(x, true);
        points.add(x);
        assertEquals(foreseen, set.bytes(), "kind " + kind + ", point " + i);
        CoreSet copy = set.copy();
        assertEquals(set.bytes(), copy.bytes());
        assertEquals(foreseen, of(empty(kind, set.dimension()), points).bytes());
      }
      assertEquals(kind == 2, set.storesPostings());
    }
  }

  @Test
  void ofASetBuiltAnewAreThoseOfItsPoints() {
    for (int kind = 0; kind < 3; kind++) {
      Random random = new Random(kind);
      int dimension = kind == 0 ? 7 : kind == 1 ? 500 : 5000;
      List<FeatureVector> points = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        points.add(vector(random, kind > 0, dimension));
      }
      CoreSet set = of(empty(kind, dimension), points);
      for (int step = 0; step < 100; step++) {
        int slot = random.nextInt(points.size());
        FeatureVector x = vector(random, kind > 0, dimension);
        set = step % 3 == 0 ? set.without(slot) : set.with(slot, x);
        points.remove(slot);
        if (step % 3 != 0) {
          points.add(slot, x);
        }
        assertEqual(of(empty(kind, dimension), points), set);
      }
    }
  }

  /** Replacing in place, ever new features: their lists do not pile up. */
  @Test
  void stayBoundedWhenPointsAreReplacedInPlace() {
    Random random = new Random(9);
    CoreSet set = CoreSet.postings(0);
    for (int i = 0; i < 50; i++) {
      set.append(vector(random, true, 1_000_000), true);
    }
    long most = 0;
    for (int i = 0; i < 20_000; i++) {
      set.replace(random.nextInt(50), vector(random, true, 1_000_000), true);
      most = Math.max(most, set.bytes());
    }
    assertTrue(most < 400_000, most + " bytes");
  }
}
