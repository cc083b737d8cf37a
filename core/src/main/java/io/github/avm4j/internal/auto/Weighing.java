// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.newton.Relevance;
import io.github.avm4j.model.InvalidModelException;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The relevance of features to what an expert has learned, measured at rows of before, as many with
 * each row of the stream as there is room for: at all of them at once it would take hundreds of
 * steps.
 */
final class Weighing {
  private final Setup setup;
  private final Expert expert;
  private final double[] squares;
  private final double unit;
  private final boolean sparse;
  private final int stride;
  private final long end;
  private long next;

  private Weighing(
      Setup setup,
      Expert expert,
      double[] squares,
      double unit,
      boolean sparse,
      int stride,
      long next,
      long end) {
    this.setup = setup;
    this.expert = expert;
    this.squares = squares;
    this.unit = unit;
    this.sparse = sparse;
    this.stride = stride;
    this.next = next;
    this.end = end;
  }

  /**
   * Begins; null if there are too many features, or none.
   *
   * @param first number of the first row
   */
  static @Nullable Weighing of(Expert expert, List<FeatureVector> rows, long first, Setup setup) {
    int features = expert.engine().set().dimension();
    for (FeatureVector x : rows) {
      features = Math.max(features, x.dimension());
    }
    double largest = View.largest(rows);
    if (features > View.MOST_FEATURES || largest == 0) {
      return null;
    }
    int stride = new Relevance(expert.engine(), features).stride(rows.size());
    return new Weighing(
        setup,
        expert,
        new double[features],
        View.unit(largest, setup),
        rows.get(0).isSparse(),
        stride,
        first,
        first + rows.size());
  }

  /** Goes on to rows by their numbers; whether all have been looked at. */
  boolean goOn(LongFunction<FeatureVector> rows) {
    Relevance relevance = new Relevance(expert.engine(), squares.length);
    Scaling.Scaler scaler = new Scaling.Scaler(expert.view().scaling());
    for (int i = 1; next < end && setup.mayGoOn(i); i++) { // of rows that stay one is enough
      relevance.add(scaler.scale(rows.apply(next)), squares);
      setup.pass(relevance.work());
      next += stride;
    }
    return next >= end;
  }

  /** The view of the expert with these weights. */
  View view() {
    return expert.view().weighed(squares, unit, sparse);
  }

  /**
   * Writes its state.
   *
   * @param rows so far: from the last one numbers are counted
   */
  void write(StateWriter out, long rows) {
    out.numbers(squares);
    out.f64(unit);
    out.flag(sparse);
    out.i32(stride);
    out.i64(rows - next);
    out.i64(rows - end);
  }

  /**
   * Goes on with what was written.
   *
   * @param rows so far
   */
  static Weighing read(StateReader in, Expert expert, long rows) throws InvalidModelException {
    double[] squares = in.numbers("squared gradients");
    double unit = in.f64("unit");
    boolean sparse = in.flag("sparse");
    int stride = in.i32();
    long next = rows - in.count("rows to be looked at");
    long end = rows - in.count("rows after them");
    boolean fits =
        squares.length > 0 && squares.length <= View.MOST_FEATURES && stride > 0 && rows > 0;
    if (!fits || next >= end) {
      throw new InvalidModelException("a weighing of features does not fit together");
    }
    return new Weighing(in.setup(), expert, squares, unit, sparse, stride, next, end);
  }
}
