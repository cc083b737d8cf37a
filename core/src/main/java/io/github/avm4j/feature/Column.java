// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.List;

/**
 * How one column of a raw row becomes features.
 *
 * @param name as the reader gave it; a row is matched to columns by name
 * @param kind the encoding
 * @param fill means of numbers and dates, which stand for missing ones
 * @param categories the values with a feature of their own, for {@link Kind#CATEGORY}
 * @param buckets number of features that values are hashed into, for {@link Kind#HASHED}, and for
 *     {@link Kind#CATEGORY} once all features reserved for new values are taken
 * @param details options of the encoding
 */
public record Column(
    String name, Kind kind, Fill fill, List<String> categories, int buckets, Details details) {
  /** Values of more characters get no feature of their own. */
  static final int LONGEST_VALUE = 1000;

  private static final List<String> TIMES =
      List.of(
          " sin(hour)", " cos(hour)", " sin(weekday)", " cos(weekday)", " sin(year)", " cos(year)");

  /** The encodings. */
  public enum Kind {
    /**
     * One feature: the number as {@link CellReader} reads it; the fill if missing or not a number.
     */
    NUMBER,
    /** One feature per known value, 1 where it holds; values that are not known are all zeros. */
    CATEGORY,
    /** One of {@code buckets} features is 1, by the value's hash; missing is all zeros. */
    HASHED,
    /**
     * Date or date and time: sine and cosine of the hour of the day, of the day of the week and,
     * for dates that span a year, of the time of year; the fill if missing or not a date.
     */
    DATE,
    /** No feature. */
    DROPPED
  }

  /**
   * Options of the encodings.
   *
   * @param room features of a categorical column for values that are not known yet
   * @param hash how values are hashed
   * @param dates how dates are written
   * @param yearly whether dates have features of the time of year
   * @param standard what is done to the number
   * @param unit what every feature of the column is multiplied by, 1 unless the schema is sparse
   */
  public record Details(
      int room, TextHash hash, DateForm dates, boolean yearly, Standard standard, double unit) {
    /** Columns of the first format. */
    public static final Details FIRST =
        new Details(0, TextHash.FNV, DateForm.ISO, false, Standard.NONE, 1);

    /** Columns as they are made now, of dense schemas. */
    public static final Details NEWEST =
        new Details(0, TextHash.MURMUR3, DateForm.YEAR_FIRST, false, Standard.NONE, 1);

    /**
     * Checks the ranges.
     *
     * @param room features of a categorical column for values that are not known yet
     * @param hash how values are hashed
     * @param dates how dates are written
     * @param yearly whether dates have features of the time of year
     * @param standard what is done to the number
     * @param unit what every feature of the column is multiplied by, 1 unless the schema is sparse
     */
    public Details {
      if (room < 0 || !(unit > 0) || !Double.isFinite(unit)) {
        throw new IllegalArgumentException(
            "room must be >= 0 and unit > 0 and finite, were " + room + " and " + unit);
      }
    }

    /**
     * {@return these details with another number of features for values to come}
     *
     * @param value number of features left for values to come
     */
    public Details withRoom(int value) {
      return new Details(value, hash, dates, yearly, standard, unit);
    }

    /**
     * {@return these details for other dates}
     *
     * @param value order of day, month and year
     * @param withYear whether dates have features of the time of year
     */
    public Details withDates(DateForm value, boolean withYear) {
      return new Details(room, hash, value, withYear, standard, unit);
    }

    /**
     * {@return these details with another standardisation and unit}
     *
     * @param value what is done to the number
     * @param newUnit what every feature of the column is multiplied by
     */
    public Details withStandard(Standard value, double newUnit) {
      return new Details(room, hash, dates, yearly, value, newUnit);
    }
  }

  /**
   * Copies the categories; an empty fill becomes one of zeros.
   *
   * @param name as the reader gave it; a row is matched to columns by name
   * @param kind the encoding
   * @param fill means of numbers and dates, which stand for missing ones
   * @param categories the values with a feature of their own, for {@link Kind#CATEGORY}
   * @param buckets number of features that values are hashed into, for {@link Kind#HASHED}, and for
   *     {@link Kind#CATEGORY} once all features reserved for new values are taken
   * @param details options of the encoding
   */
  public Column {
    categories = List.copyOf(categories);
    int filled =
        switch (kind) {
          case NUMBER -> 1;
          case DATE -> times(details);
          case CATEGORY, HASHED, DROPPED -> 0;
        };
    fill = fill.of(filled);
    if (buckets < 0 || fill.means().size() != filled) {
      throw new IllegalArgumentException(
          "column %s needs buckets >= 0 and %d means of missing cells, were %d and %s"
              .formatted(name, filled, buckets, fill));
    }
  }

  /** Features of a date. */
  private static int times(Details details) {
    return details.yearly ? Cycles.MOST : Cycles.MOST - 2;
  }

  /**
   * A column of the first format: {@link Details#FIRST}.
   *
   * @param name name of the column
   * @param kind how its cells become features
   * @param fill what a missing number counts as until one was learned
   * @param categories values with a feature of their own, in order
   * @param buckets features shared by other values
   */
  public Column(String name, Kind kind, double fill, List<String> categories, int buckets) {
    this(
        name,
        kind,
        kind == Kind.NUMBER ? new Fill(0, List.of(fill)) : Fill.NONE,
        categories,
        buckets,
        Details.FIRST);
  }

  /** {@return the number of features} */
  public int width() {
    return switch (kind) {
      case NUMBER -> 1;
      case CATEGORY -> Math.addExact(capacity(), buckets);
      case HASHED -> buckets;
      case DATE -> times(details);
      case DROPPED -> 0;
    };
  }

  /** Number of values that have a feature of their own or may get one. */
  int capacity() {
    return Math.addExact(categories.size(), details.room);
  }

  /** Whether one feature of several is 1. */
  boolean isOneHot() {
    return kind == Kind.CATEGORY || kind == Kind.HASHED;
  }

  /** The same column after learning, its width unchanged: a value more is a room less. */
  Column learned(List<String> values, Fill means, Standard standard) {
    int room = capacity() - values.size();
    Details after = details.withRoom(room).withStandard(standard, details.unit);
    return new Column(name, kind, means, values, buckets, after);
  }

  /** The same column with another fill. */
  Column with(Fill other) {
    return new Column(name, kind, other, categories, buckets, details);
  }

  /**
   * {@return feature {@code k} of a missing number or date, in the data's own units}
   *
   * @param k index, from 0
   */
  public double missing(int k) {
    List<Double> means = fill.means();
    return kind == Kind.NUMBER
        ? details.standard.invert(means.get(k))
        : Cycles.direction(means.get(k & ~1), means.get(k | 1), k);
  }

  /** The same column, values that are not known hashed into what was room for them. */
  Column closed() {
    return kind != Kind.CATEGORY || details.room == 0
        ? this
        : new Column(name, kind, fill, categories, buckets + details.room, details.withRoom(0));
  }

  /** The value of feature {@code k} in the data's own units. */
  double original(int k, double feature) {
    double value = feature / details.unit;
    return kind == Kind.NUMBER ? details.standard.invert(value) : value;
  }

  /**
   * {@return the name of feature {@code k} of this column, for people}
   *
   * @param k index, from 0
   */
  public String featureName(int k) {
    return switch (kind) {
      case NUMBER -> name;
      case CATEGORY ->
          k < categories.size()
              ? name + "=" + categories.get(k)
              : name + (k < capacity() ? "+" + (k - categories.size()) : "#" + (k - capacity()));
      case HASHED -> name + "#" + k;
      case DATE -> name + TIMES.get(k);
      case DROPPED -> throw new IndexOutOfBoundsException("a dropped column has no features");
    };
  }
}
