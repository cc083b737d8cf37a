// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What a stream has shown of one column, and what the row encoded last adds to it once it has been
 * learned from. One thread.
 *
 * <p>Invariant: only {@link #commit} changes what is known.
 */
final class ColumnState {
  /** The values with a feature of their own, for categorical columns. */
  final Map<String, Integer> known = new LinkedHashMap<>();

  /** Means of the features of numbers and dates; {@link #missing} makes features of them. */
  final double[] means;

  /** Features of the row encoded last, if {@link #met}. */
  final double[] features = new double[Cycles.MOST];

  Standard standard;

  /** Whether the row encoded last has a number or date here. */
  boolean met;

  /** A value of the row encoded last that is to get a feature of its own. */
  @Nullable String fresh;

  private long count;
  private @Nullable Standard found;

  ColumnState(Column column) {
    for (String category : column.categories()) {
      known.put(category, known.size());
    }
    means = column.fill().means().stream().mapToDouble(Double::doubleValue).toArray();
    count = column.fill().count();
    standard = column.details().standard();
  }

  /** Forgets the row encoded last. */
  void clear() {
    met = false;
    fresh = null;
    found = null;
  }

  /**
   * The feature of a number. Where all rows so far lacked it, their feature was the fill: the first
   * number takes its place on the axis, so that rows before it mean what they meant.
   *
   * @param late whether rows have been learned from already
   */
  double feature(double number, boolean late) {
    if (late && count == 0 && standard.isNone() && number != means[0]) {
      found = Standard.shift(number - means[0]);
      return means[0];
    }
    return standard.apply(number);
  }

  /** The row encoded last was learned from; whether that changed anything. */
  boolean commit() {
    String value = fresh;
    if (value != null) {
      known.put(value, known.size());
    }
    if (met) {
      standard = found == null ? standard : found;
      count++;
      for (int k = 0; k < means.length; k++) {
        means[k] += (features[k] - means[k]) / count;
      }
    }
    boolean changed = met || value != null;
    clear();
    return changed;
  }

  /** Feature {@code k} of a missing number or date. */
  double missing(int k) {
    return means.length == 1 ? means[0] : Cycles.direction(means[k & ~1], means[k | 1], k);
  }

  /** The column with all that is known. */
  Column of(Column column) {
    Fill fill = new Fill(count, DoubleStream.of(means).boxed().toList());
    return column.learned(List.copyOf(known.keySet()), fill, standard);
  }
}
