// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.Collections;
import java.util.List;

/**
 * What stands for a missing number or date: the mean of each of the column's features over the
 * cells that were learned from; of a date, the point of each cycle in the direction of its mean
 * ({@link Column#missing}). Features are meant as {@link Standard} leaves them, before they are
 * multiplied by the column's unit.
 *
 * @param count number of cells that the means are of; before the first, the means are what a
 *     missing cell counts as
 * @param means mean of each feature; empty stands for zeros
 */
public record Fill(long count, List<Double> means) {
  /** No cell was seen, and a missing one counts as 0. */
  public static final Fill NONE = new Fill(0, List.of());

  /**
   * Checks the ranges.
   *
   * @param count number of cells that the means are of; before the first, the means are what a
   *     missing cell counts as
   * @param means mean of each feature; empty stands for zeros
   */
  public Fill {
    means = List.copyOf(means);
    if (count < 0 || !means.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException(
          "a fill needs count >= 0 and finite means, were " + count + " and " + means);
    }
  }

  /** The same for a column of so many features that can be missing. */
  Fill of(int features) {
    return means.isEmpty() ? new Fill(count, Collections.nCopies(features, 0.0)) : this;
  }
}
