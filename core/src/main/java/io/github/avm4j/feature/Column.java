// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.List;

/**
 * How one column of a raw row becomes features.
 *
 * @param name as the reader gave it; a row is matched to columns by name
 * @param kind the encoding
 * @param fill the number that stands for a missing cell of a numeric column
 * @param categories the values with a feature of their own, for {@link Kind#CATEGORICAL}
 * @param buckets number of features that values are hashed into, for {@link Kind#HASHED}
 */
public record Column(String name, Kind kind, double fill, List<String> categories, int buckets) {

  /** The encodings. */
  public enum Kind {
    /** One feature: the number, or the fill if missing or not a number. */
    NUMERIC,
    /** One feature a known category, 1 where it holds; unseen and missing ones are all zeros. */
    CATEGORICAL,
    /** One of {@code buckets} features is 1, by the value's hash; missing is all zeros. */
    HASHED,
    /**
     * ISO date or date and time: days since 1970, and sine and cosine of the hour of the day and of
     * the day of the week; missing is all zeros.
     */
    TEMPORAL,
    /** No feature: constant, empty, or told to be ignored. */
    DROPPED
  }

  /** Copies the categories. */
  public Column {
    categories = List.copyOf(categories);
    if (buckets < 0 || !Double.isFinite(fill)) {
      throw new IllegalArgumentException(
          "column "
              + name
              + " needs buckets >= 0 and a finite fill, were "
              + buckets
              + " and "
              + fill);
    }
  }

  /** Number of features. */
  public int width() {
    return switch (kind) {
      case NUMERIC -> 1;
      case CATEGORICAL -> categories.size();
      case HASHED -> buckets;
      case TEMPORAL -> 5;
      case DROPPED -> 0;
    };
  }

  /** The name of feature {@code k} of this column, for people. */
  public String featureName(int k) {
    return switch (kind) {
      case NUMERIC -> name;
      case CATEGORICAL -> name + "=" + categories.get(k);
      case HASHED -> name + "#" + k;
      case TEMPORAL ->
          name + List.of("", " sin(hour)", " cos(hour)", " sin(weekday)", " cos(weekday)").get(k);
      case DROPPED -> throw new IndexOutOfBoundsException("a dropped column has no features");
    };
  }
}
