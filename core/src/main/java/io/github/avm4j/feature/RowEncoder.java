// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A {@link Schema} bound to the order in which a reader gives its cells. Holds the scratch of one
 * thread: the vector it returns is valid until the next call. Allocates nothing for numbers.
 */
public final class RowEncoder {
  private static final int HOURS = 24;
  private static final int WEEK = 7;

  /** Days of a mean year of the Gregorian calendar. */
  private static final double YEAR = 365.2425;

  private final Schema schema;
  private final int[] source;
  private final List<Map<String, Integer>> positions;
  private final boolean grows;
  private final double[] dense;
  private final FeatureVector denseView;
  private final int[] indices;
  private final double[] values;
  private final int[] unusable;
  private final boolean[] asWritten;
  private int count;
  private int unusableCount;

  /**
   * An encoder whose columns stand at {@code source}.
   *
   * @param positions the known values of each column, with their features
   * @param grows whether a value that is not known gets a feature of its own while there is room
   */
  RowEncoder(Schema schema, int[] source, List<Map<String, Integer>> positions, boolean grows) {
    this.schema = schema;
    this.source = source;
    this.positions = positions;
    this.grows = grows;
    boolean sparse = schema.isSparse();
    dense = new double[sparse ? 0 : schema.dimension()];
    denseView = FeatureVector.dense(dense);
    int room = 7 * schema.columns().size();
    indices = new int[sparse ? room : 0];
    values = new double[sparse ? room : 0];
    unusable = new int[source.length];
    asWritten = new boolean[source.length];
    for (int c = 0; c < asWritten.length; c++) {
      asWritten[c] = schema.cells().isVerbatim(schema.columns().get(c).name());
    }
  }

  /**
   * {@return the features of {@code row}}
   *
   * @param row a row with the cells that the encoder was made for
   */
  public FeatureVector encode(Row row) {
    if (schema.isNumbered()) {
      return row.features();
    }
    if (row.featureCount() > 0) {
      throw new IllegalArgumentException(
          "the row has numbered features, the model has columns "
              + schema.columns().stream().map(Column::name).toList());
    }
    count = 0;
    unusableCount = 0;
    if (!schema.isSparse()) {
      java.util.Arrays.fill(dense, 0);
    }
    for (int c = 0; c < source.length; c++) {
      encodeColumn(row, c);
    }
    return schema.isSparse() ? FeatureVector.sparse(indices, values, count) : denseView;
  }

  /**
   * {@return the number of cells of the row last encoded that hold something which could not be
   * used and was taken as missing: no number in a numeric column, no date in a temporal one, a
   * value of a categorical column that has no feature}
   */
  public int unusableCount() {
    return unusableCount;
  }

  /**
   * {@return the column of the schema that unusable cell {@code k} belongs to; they ascend}
   *
   * @param k index, from 0
   */
  public int unusableColumn(int k) {
    return unusable[Objects.checkIndex(k, unusableCount)];
  }

  /**
   * {@return unusable cell {@code k} as written, from the row that was encoded last}
   *
   * @param row the row that was encoded last
   * @param k index, from 0
   */
  public String unusableText(Row row, int k) {
    return row.written(source[unusableColumn(k)]);
  }

  private void encodeColumn(Row row, int c) {
    Column column = schema.columns().get(c);
    int cell = source[c];
    CellReader cells = schema.cells();
    boolean missing = cell < 0 || cells.isMissing(row, cell);
    switch (column.kind()) {
      case NUMERIC -> {
        double number = missing ? Double.NaN : cells.number(row, cell);
        boolean used = !Double.isNaN(number);
        put(c, 0, column.details().standard().apply(used ? number : column.fill()));
        check(c, used || missing);
      }
      case CATEGORICAL, HASHED -> {
        int k = missing ? -1 : position(c, column, cells.key(row, cell, asWritten[c]));
        if (k >= 0) {
          put(c, k, 1);
        }
        check(c, k >= 0 || missing);
      }
      case TEMPORAL -> {
        LocalDateTime time = missing ? null : cells.time(row, cell, column.details().dates());
        if (time != null) {
          putTime(c, time);
        }
        check(c, time != null || missing);
      }
      case DROPPED -> {}
    }
  }

  /** The feature of a value, or −1 if it has none. */
  private int position(int c, Column column, String value) {
    if (column.kind() == Column.Kind.HASHED) {
      return column.details().hash().bucket(value, column.buckets());
    }
    Map<String, Integer> known = positions.get(c);
    Integer position = known.get(value);
    if (position != null) {
      return position;
    }
    boolean full = known.size() >= column.capacity();
    if (grows && !full && value.length() <= Column.LONGEST_VALUE) {
      known.put(value, known.size());
      return known.size() - 1;
    }
    return full && column.buckets() > 0
        ? column.capacity() + column.details().hash().bucket(value, column.buckets())
        : -1;
  }

  private void check(int c, boolean used) {
    if (!used) {
      unusable[unusableCount++] = c;
    }
  }

  private void put(int c, int k, double value) {
    int j = schema.offset(c) + k;
    double feature = value * schema.columns().get(c).details().unit();
    if (!schema.isSparse()) {
      dense[j] = feature;
    } else if (feature != 0) {
      indices[count] = j;
      values[count++] = feature;
    }
  }

  private void putTime(int c, LocalDateTime time) {
    Column column = schema.columns().get(c);
    double hour = time.getHour() + time.getMinute() / 60.0 + time.getSecond() / 3600.0;
    double weekday = time.getDayOfWeek().getValue() - 1 + hour / HOURS;
    double days = time.toLocalDate().toEpochDay() + hour / HOURS;
    put(c, 0, column.details().standard().apply(days));
    putCycle(c, 1, hour / HOURS);
    putCycle(c, 3, weekday / WEEK);
    if (column.width() > 5) {
      putCycle(c, 5, days / YEAR);
    }
  }

  /** Sine and cosine of a share of a cycle. */
  private void putCycle(int c, int k, double share) {
    put(c, k, Math.sin(2 * Math.PI * share));
    put(c, k + 1, Math.cos(2 * Math.PI * share));
  }
}
