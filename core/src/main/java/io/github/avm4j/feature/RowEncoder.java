// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.LocalDateTime;
import java.util.Map;
import java.util.Objects;

/**
 * A {@link Schema} bound to the order in which a reader gives its cells. Holds the scratch of one
 * thread: the vector it returns is valid until the next call. Allocates nothing for numbers.
 */
public final class RowEncoder {
  private final Schema schema;
  private final int[] source;
  private final GrowingSchema growing;
  private final boolean learns;
  private final boolean marks;
  private final double[] cycles = new double[Cycles.MOST];
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
   * @param growing what is known of each column
   * @param learns whether rows add to that
   * @param marks whether missing numbers and dates are NaN, for others to fill
   */
  RowEncoder(Schema schema, int[] source, GrowingSchema growing, boolean learns, boolean marks) {
    this.schema = schema;
    this.source = source;
    this.growing = growing;
    this.learns = learns;
    this.marks = marks;
    boolean sparse = schema.isSparse();
    dense = new double[sparse ? 0 : schema.dimension()];
    denseView = FeatureVector.dense(dense);
    int room = Cycles.MOST * schema.columns().size();
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
          "the row has numbered features, as LIBSVM has them, and the schema has columns: give"
              + " cells for "
              + schema.columns().stream().map(Column::name).toList());
    }
    growing.settle();
    if (learns) {
      growing.begin();
    }
    count = 0;
    unusableCount = 0;
    if (!schema.isSparse()) {
      java.util.Arrays.fill(dense, 0);
    }
    for (int c = 0; c < source.length; c++) {
      encodeColumn(row, c);
    }
    if (learns) {
      growing.end();
    }
    return schema.isSparse() ? FeatureVector.sparse(indices, values, count) : denseView;
  }

  /**
   * {@return the number of cells of the row last encoded that hold something which could not be
   * used and was taken as missing: no number in a numeric column, no date in a column of dates, a
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
      case NUMBER -> {
        double number = missing ? Double.NaN : cells.number(row, cell);
        boolean used = !Double.isNaN(number);
        if (used) {
          putNumber(c, number);
        } else {
          putFill(c);
        }
        check(c, used || missing);
      }
      case CATEGORY, HASHED -> {
        int k = missing ? -1 : position(c, column, cells.key(row, cell, asWritten[c]));
        if (k >= 0) {
          put(c, k, 1);
        }
        check(c, k >= 0 || missing);
      }
      case DATE -> {
        LocalDateTime time = missing ? null : cells.time(row, cell, column.details().dates());
        if (time != null) {
          putTime(c, time);
        } else {
          putFill(c);
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
    ColumnState state = growing.states[c];
    Map<String, Integer> known = state.known;
    Integer position = known.get(value);
    if (position != null) {
      return position;
    }
    boolean full = known.size() >= column.capacity();
    if (learns && !full && value.length() <= Column.LONGEST_VALUE) {
      state.fresh = value;
      return known.size();
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

  private void putNumber(int c, double number) {
    ColumnState state = growing.states[c];
    double feature = state.feature(number, learns && growing.isLate());
    if (learns) {
      state.met = true;
      state.features[0] = feature;
    }
    put(c, 0, feature);
  }

  private void putTime(int c, LocalDateTime time) {
    ColumnState state = growing.states[c];
    Cycles.of(time, cycles);
    for (int k = 0; k < state.means.length; k++) {
      put(c, k, cycles[k]);
    }
    if (learns) {
      state.met = true;
      System.arraycopy(cycles, 0, state.features, 0, cycles.length);
    }
  }

  /** What stands for a missing number or date. */
  private void putFill(int c) {
    ColumnState state = growing.states[c];
    for (int k = 0; k < state.means.length; k++) {
      put(c, k, marks ? Double.NaN : state.missing(k));
    }
  }
}
