// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class FeatureVectorTest {
  private static void refuses(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void denseIsAView() {
    double[] values = {1, -2, 0};
    FeatureVector x = FeatureVector.dense(values);
    assertSame(values, x.values());
    assertFalse(x.isSparse());
    assertEquals(3, x.count());
    assertEquals(3, x.dimension());
    assertEquals(-2, x.get(1));
    assertEquals(0, x.get(3));
    assertEquals(5, x.squaredNorm());
    assertThrows(IllegalStateException.class, x::indices);
    values[1] = 7;
    assertEquals(7, x.get(1));
    assertEquals("dense[1.0 7.0 0.0]", x.toString());
  }

  @Test
  void sparseListsWhatItHas() {
    FeatureVector x = FeatureVector.sparse(new int[] {2, 5, 9}, new double[] {1, 2, 3});
    assertTrue(x.isSparse());
    assertEquals(3, x.count());
    assertEquals(10, x.dimension());
    assertEquals(2, x.get(5));
    assertEquals(0, x.get(4));
    assertEquals(0, x.get(1_000));
    assertEquals(14, x.squaredNorm());
    assertArrayEquals(new int[] {2, 5, 9}, x.indices());
    assertEquals("sparse[2:1.0 5:2.0 9:3.0]", x.toString());
    assertEquals(0, FeatureVector.sparse(new int[0], new double[0]).dimension());
  }

  @Test
  void sparseMayUseAPartOfItsArrays() {
    int[] indices = {1, 4, 0};
    double[] values = {10, 20, Double.NaN};
    FeatureVector x = FeatureVector.sparse(indices, values, 2);
    assertEquals(2, x.count());
    assertEquals(5, x.dimension());
    assertEquals(0, x.get(0));
    assertEquals(500, x.squaredNorm());
  }

  @Test
  void aCopySharesNothing() {
    int[] indices = {1, 4, 0};
    double[] values = {10, 20, Double.NaN};
    FeatureVector copy = FeatureVector.sparse(indices, values, 2).copy();
    assertNotSame(values, copy.values());
    indices[0] = 3;
    values[0] = -1;
    assertEquals(10, copy.get(1));
    assertEquals(2, copy.values().length);
    assertEquals(2, copy.indices().length);
    double[] dense = {1, 2};
    FeatureVector denseCopy = FeatureVector.dense(dense).copy();
    dense[0] = 9;
    assertEquals(1, denseCopy.get(0));
    assertFalse(denseCopy.isSparse());
  }

  @Test
  void longVectorsPrintShort() {
    double[] values = new double[21];
    String text = FeatureVector.dense(values).toString();
    assertTrue(text.endsWith(" …]"), text);
    assertFalse(FeatureVector.dense(Arrays.copyOf(values, 20)).toString().contains("…"));
  }

  @Test
  void everyMistakeIsNamed() {
    refuses(
        "indices and values must have one length, were 1 and 2",
        () -> FeatureVector.sparse(new int[1], new double[2]));
    refuses(
        "count must be in 0..1, was 2", () -> FeatureVector.sparse(new int[1], new double[3], 2));
    refuses(
        "count must be in 0..1, was -1", () -> FeatureVector.sparse(new int[3], new double[1], -1));
    refuses(
        "indices must be ascending and >= 0, found 3 after 3 at position 1",
        () -> FeatureVector.sparse(new int[] {3, 3}, new double[2]));
    refuses(
        "indices must be ascending and >= 0, found -1 after -1 at position 0",
        () -> FeatureVector.sparse(new int[] {-1}, new double[1]));
    refuses(
        "index must be < 2147483647",
        () -> FeatureVector.sparse(new int[] {Integer.MAX_VALUE}, new double[1]));
    refuses("feature index must be >= 0, was -1", () -> FeatureVector.dense(1).get(-1));
    assertEquals(
        Integer.MAX_VALUE,
        FeatureVector.sparse(new int[] {Integer.MAX_VALUE - 1}, new double[1]).dimension());
  }
}
