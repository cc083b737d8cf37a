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
      values[i] = i % 150 == 3 ? 1e4 : i % 7;
    }
    Scaling heavy = ScalingFitter.fit(column(values), ScalingMode.AUTOMATIC);
    assertTrue(heavy.isLogarithmic(0));
    for (int i = 3; i < values.length; i += 150) {
      values[i] = 3;
    }
    assertFalse(ScalingFitter.fit(column(values), ScalingMode.AUTOMATIC).isLogarithmic(0));
    assertFalse(ScalingFitter.fit(column(1e9, 1, 2), ScalingMode.STANDARD).isLogarithmic(0));
  }

  /** Up to one value in 200 that is out of all proportion leaves the scaling as it would be. */
  @Test
  void outliersSayNothingAboutTheRest() {
    double[] values = new double[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 7;
    }
    Scaling clean = ScalingFitter.fit(column(values), ScalingMode.AUTOMATIC);
    for (double wild : new double[] {1e6, -1e15, 1e150}) {
      values[3] = wild;
      values[500] = -wild;
      Scaling scaling = ScalingFitter.fit(column(values), ScalingMode.AUTOMATIC);
      assertFalse(scaling.isLogarithmic(0));
      assertEquals(clean.scale(0), scaling.scale(0), 0.01 * clean.scale(0));
      assertEquals(Scaling.LIMIT * Math.signum(wild), scaling.apply(0, wild));
    }
  }

  @Test
  void featuresOfAnySizeAreScaled() {
    for (double unit : new double[] {1e-250, 1e-160, 1e-13, 1e13, 1e140}) {
      Scaling scaling = ScalingFitter.fit(column(unit, 2 * unit, 3 * unit), ScalingMode.STANDARD);
      assertEquals(0, scaling.apply(0, 2 * unit), 1e-9);
      assertEquals(Math.sqrt(1.5), scaling.apply(0, 3 * unit), 1e-9);
    }
    // Rounding alone is no variation.
    double third = 1.0 / 3;
    Scaling constant = ScalingFitter.fit(column(third, 1 - 2 * third, third), ScalingMode.STANDARD);
    assertEquals(1, constant.scale(0));
  }

  @Test
  void sparseFeaturesNotSeenAreScaledAsTheOthers() {
    List<FeatureVector> seen =
        List.of(
            FeatureVector.sparse(new int[] {0, 2}, new double[] {100, -100}),
            FeatureVector.sparse(new int[] {0, 2}, new double[] {-50, 20}));
    Scaling scaling = ScalingFitter.fit(seen, ScalingMode.AUTOMATIC);
    for (int unseen : new int[] {1, 3, 1_000_000}) {
      assertEquals(0.05, scaling.apply(unseen, 5), 1e-12);
      assertEquals(Scaling.LIMIT, scaling.apply(unseen, 1e9));
      assertEquals(5, scaling.invert(unseen, 0.05), 1e-12);
    }
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
