// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.distinct;
import static io.github.avm4j.learner.HostileFiles.labels;
import static io.github.avm4j.learner.HostileFiles.refusedAsModel;
import static io.github.avm4j.learner.HostileFiles.small;
import static io.github.avm4j.learner.HostileFiles.withModel;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.internal.format.ByteWriter;
import org.junit.jupiter.api.Test;

/** Labels, columns and core points that no learner would have written. */
class HostileModelTest {
  @Test
  void labelsMustBeDistinctFiniteAndFew() {
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, 1, 3, 3))).contains("3.0 twice"));
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, 0.0, -0.0, 1))).contains("0.0 twice"));
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, 1, Double.POSITIVE_INFINITY)))
            .contains("label must be finite"));
    double[] many = distinct(100_001);
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, many)))
            .contains("at most 100000, was 100001"));
    double[] twice = distinct(100_000);
    twice[99_999] = 7;
    String message = refusedAsModel(withModel(small(), out -> labels(out, twice)));
    assertTrue(message.length() < 200, message);
  }

  @Test
  void aRegressionHasNoLabels() {
    Learner learner = Avm.paperRegressor().gamma(1).delta(1).lambda(0.1).build();
    byte[] file =
        withModel(
            learner,
            out -> {
              out.i32(2);
              out.f64(1);
              out.f64(2);
              out.u8(1);
              out.i32(0);
              out.i32(0);
              out.i32(1);
            });
    assertTrue(refusedAsModel(file).contains("a regression model has no labels, had 2"));
  }

  @Test
  void columnsMustFitTheLabels() {
    byte[] file =
        withModel(
            small(),
            out -> {
              out.i32(3);
              out.f64s(new double[] {1, 2, 3}, 3);
              out.u8(1);
              out.i32(0);
              out.i32(0);
              out.i32(1);
            });
    assertTrue(refusedAsModel(file).contains("3 labels need 3 columns, were 1"));
    // Without core points a column takes no bytes in the file.
    byte[] many =
        withModel(
            small(),
            out -> {
              out.i32(0);
              out.u8(1);
              out.i32(0);
              out.i32(0);
              out.i32(100_000);
            });
    assertTrue(refusedAsModel(many).contains("0 labels need 1 columns, were 100000"));
  }

  @Test
  void sparsePointsMustBeAscendingAndInRange() {
    int[][] indices = {{3, 2}, {2, 2}, {-1, 2}, {0, 10}, {0, Integer.MAX_VALUE}};
    for (int[] pair : indices) {
      refusedAsModel(withModel(small(), out -> sparsePoint(out, pair, 1, 2)));
    }
    String nan =
        refusedAsModel(
            withModel(small(), out -> sparsePoint(out, new int[] {1, 2}, 1, Double.NaN)));
    assertTrue(nan.contains("feature must be finite, was NaN"), nan);
    String large =
        refusedAsModel(withModel(small(), out -> sparsePoint(out, new int[] {1, 2}, 1, 1e200)));
    assertTrue(large.contains("core point 0 has features too large"), large);
  }

  /** Two labels and one point of a postings set of ten features. */
  private static void sparsePoint(ByteWriter out, int[] indices, double... values) {
    out.i32(2);
    out.f64(0);
    out.f64(1);
    out.u8(2);
    out.i32(10);
    out.i32(1);
    out.u8(1);
    out.i32(indices.length);
    out.i32s(indices, indices.length);
    out.f64s(values, values.length);
    out.i32(1);
    out.f64(1);
  }

  @Test
  void denseSetsHaveFeaturesAndTilesFew() {
    refusedAsModel(
        withModel(
            small(),
            out -> {
              out.i32(0);
              out.u8(0);
              out.i32(0);
              out.i32(0);
              out.i32(1);
            }));
    String message =
        refusedAsModel(
            withModel(
                small(),
                out -> {
                  out.i32(0);
                  out.u8(1);
                  out.i32(2049);
                  out.i32(0);
                  out.i32(1);
                }));
    assertTrue(message.contains("at most 2048 features, was 2049"), message);
  }
}
