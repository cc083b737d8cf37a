// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScalingFitterTest {
  private static List<FeatureVector> column(double... values) {
    List<FeatureVector> rows = new ArrayList<>();
    for (double value : values) {
      rows.add(FeatureVector.dense(value));
    }
    return rows;
  }

  @Test
  void standardIsMeanZeroDeviationOne() {
    Scaling scaling = ScalingFitter.fit(column(2, 4, 6), ScalingMode.STANDARD);
    assertEquals(0, scaling.apply(0, 4), 1e-12);
    assertEquals(Math.sqrt(1.5), scaling.apply(0, 6), 1e-12);
  }

  @Test
  void minMaxIsTheUnitInterval() {
    Scaling scaling = ScalingFitter.fit(column(-1, 0, 3), ScalingMode.MIN_MAX);
    assertEquals(0, scaling.apply(0, -1), 1e-12);
    assertEquals(1, scaling.apply(0, 3), 1e-12);
    assertEquals(0.25, scaling.apply(0, 0), 1e-12);
  }

  @Test
  void aConstantFeatureKeepsItsUnit() {
    Scaling scaling = ScalingFitter.fit(column(5, 5, 5), ScalingMode.STANDARD);
    assertEquals(2, scaling.apply(0, 7), 1e-12);
  }

  @Test
  void automaticLeavesIndicatorsAlone() {
    Scaling scaling = ScalingFitter.fit(column(0, 1, 0, 0), ScalingMode.AUTOMATIC);
    assertEquals(1, scaling.apply(0, 1));
    assertEquals(0, scaling.apply(0, 0));
  }

  @Test
  void automaticTakesLogarithmsOfHeavyTails() {
    double[] values = new double[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 7;
    }
    values[3] = 1e6;
    Scaling heavy = ScalingFitter.fit(column(values), ScalingMode.AUTOMATIC);
    assertTrue(heavy.isLogarithmic(0));
    values[3] = 3;
    assertFalse(ScalingFitter.fit(column(values), ScalingMode.AUTOMATIC).isLogarithmic(0));
    assertFalse(ScalingFitter.fit(column(1e9, 1, 2), ScalingMode.STANDARD).isLogarithmic(0));
  }

  @Test
  void outliersAreCutAndNonsensePasses() {
    Scaling scaling = ScalingFitter.fit(column(-1, 1), ScalingMode.STANDARD);
    assertEquals(Scaling.LIMIT, scaling.apply(0, 1e9));
    assertEquals(-Scaling.LIMIT, scaling.apply(0, -1e9));
    assertTrue(Double.isNaN(scaling.apply(0, Double.NaN)));
    assertEquals(Double.POSITIVE_INFINITY, scaling.apply(0, Double.POSITIVE_INFINITY));
  }

  @Test
  void sparseZerosStayZero() {
    List<FeatureVector> rows =
        List.of(
            FeatureVector.sparse(new int[] {0, 3}, new double[] {-40, 2}),
            FeatureVector.sparse(new int[] {3}, new double[] {8}));
    Scaling scaling = ScalingFitter.fit(rows, ScalingMode.AUTOMATIC);
    assertTrue(scaling.isSparse());
    assertEquals(0, scaling.shift(3));
    assertEquals(-1, scaling.apply(0, -40), 1e-12);
    assertEquals(0.25, scaling.apply(3, 2), 1e-12);
  }

  @Test
  void sparseValuesWithinTheirRangeAreLeft() {
    List<FeatureVector> rows = List.of(FeatureVector.sparse(new int[] {7}, new double[] {1.5}));
    assertTrue(ScalingFitter.fit(rows, ScalingMode.AUTOMATIC).isIdentity());
    assertFalse(ScalingFitter.fit(rows, ScalingMode.MIN_MAX).isIdentity());
  }

  @Test
  void hugeIndicesNeedNoMemory() {
    List<FeatureVector> rows =
        List.of(FeatureVector.sparse(new int[] {2_000_000_000}, new double[] {9}));
    assertTrue(ScalingFitter.fit(rows, ScalingMode.MIN_MAX).isIdentity());
  }
}
