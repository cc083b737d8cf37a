// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Schema} that learns with its learner. While a categorical column has room, a value that
 * is met for the first time gets the next free feature; missing numbers and dates are replaced by
 * the running means of their features ({@link Fill}). The number of features never changes. For one
 * thread.
 *
 * <p>A row counts once it has been learned from: what it adds is known from the next row on, and a
 * row that the learner refused leaves nothing behind.
 */
public final class GrowingSchema {
  final ColumnState[] states;
  private final LongSupplier learned;
  private Schema schema;
  private boolean changed;
  private long encoded;
  private long before;
  private boolean waits;

  /**
   * Starts with what {@code schema} knows; every row counts that is encoded to be learned from.
   *
   * @param schema columns of the rows
   */
  public GrowingSchema(Schema schema) {
    this(schema, null);
  }

  /**
   * Starts with what {@code schema} knows.
   *
   * @param schema columns of the rows
   * @param learned number of rows learned from: the row encoded last was, if it has risen since;
   *     null to count every row that is encoded to be learned from
   */
  public GrowingSchema(Schema schema, @Nullable LongSupplier learned) {
    this.schema = schema;
    this.states = schema.columns().stream().map(ColumnState::new).toArray(ColumnState[]::new);
    this.learned = learned == null ? () -> encoded : learned;
  }

  /**
   * {@return an encoder for rows to learn from}
   *
   * @param names column names of the rows, in the order of their cells
   */
  public RowEncoder encoder(List<String> names) {
    return new RowEncoder(schema, schema.sources(names), this, true, false);
  }

  /**
   * {@return an encoder for rows to predict: it knows what was learned so far, and adds nothing}
   *
   * @param names column names of the rows, in the order of their cells
   */
  public RowEncoder reader(List<String> names) {
    return new RowEncoder(schema, schema.sources(names), this, false, false);
  }

  /**
   * {@return the vector of a row that {@link Schema#marker} has encoded, with the means in place of
   * what is missing}
   *
   * @param x the vector, not changed
   * @param learns whether it is to be learned from: it counts as a row of {@link #encoder}
   */
  public FeatureVector filled(FeatureVector x, boolean learns) {
    if (states.length == 0) {
      return x;
    }
    settle();
    if (learns) {
      begin();
    }
    double[] values = Arrays.copyOf(x.values(), x.count());
    for (int c = 0; c < states.length; c++) {
      fill(x, c, values, learns);
    }
    if (learns) {
      end();
    }
    return x.isSparse()
        ? FeatureVector.sparse(x.indices(), values, x.count())
        : FeatureVector.dense(values);
  }

  private void fill(FeatureVector x, int c, double[] values, boolean learns) {
    ColumnState state = states[c];
    double unit = schema.columns().get(c).details().unit();
    for (int k = 0; k < state.means.length; k++) {
      int j = schema.offset(c) + k;
      int at = x.isSparse() ? Arrays.binarySearch(x.indices(), 0, x.count(), j) : j;
      double value = at < 0 ? 0 : values[at];
      if (Double.isNaN(value)) {
        values[at] = unit * state.missing(k);
      } else if (learns) {
        state.met = true;
        state.features[k] = value / unit;
      }
    }
  }

  /** A row is about to be encoded to be learned from. */
  void begin() {
    before = learned.getAsLong();
    for (ColumnState state : states) {
      state.clear();
    }
  }

  /** It is encoded. */
  void end() {
    encoded++;
    waits = true;
  }

  /** Whether rows were learned from before the one that is being encoded. */
  boolean isLate() {
    return before > 0;
  }

  /** Takes what the row encoded last adds, if it was learned from. */
  void settle() {
    if (learned.getAsLong() > before) {
      take();
    }
  }

  /** Counts the row encoded last as learned from: for vectors that are kept to be learned later. */
  public void take() {
    if (waits) {
      waits = false;
      for (ColumnState state : states) {
        changed |= state.commit();
      }
    }
  }

  /** {@return the schema with all that was learned so far} */
  public Schema schema() {
    settle();
    if (changed) {
      List<Column> columns = new ArrayList<>();
      for (int c = 0; c < states.length; c++) {
        columns.add(states[c].of(schema.columns().get(c)));
      }
      schema = new Schema(columns, schema.cells());
      changed = false;
    }
    return schema;
  }
}
