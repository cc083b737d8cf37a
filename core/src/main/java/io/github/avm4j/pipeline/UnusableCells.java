// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What happens to cells that cannot be used, where a row is a map: the row is refused, or the cells
 * are counted and taken as missing.
 *
 * <p>A cell cannot be used if the schema does not have its column, if it is a text in a column of
 * numbers, no date in a column of dates, or an object that no cell can be. New categories can be
 * used, because streams bring them; NaN is a missing number.
 *
 * <p>Learners, models and detectors refuse by default, and name column and value. A program makes
 * its rows itself: if it misspells a column, each prediction becomes a little worse and nothing
 * else shows it. Use {@code lenient()} of a learner, model or detector for rows that others make.
 *
 * <p>Neither the choice nor the counts are saved: what was read from a file refuses. Any thread may
 * read and raise counts.
 */
public final class UnusableCells {
  /** Most columns that are counted each on its own: names of unknown columns have no end. */
  private static final int MOST_COLUMNS = 1000;

  private static final UnusableCells REFUSED = new UnusableCells(false);

  private final boolean counted;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final LongAdder all = new LongAdder();

  private UnusableCells(boolean counted) {
    this.counted = counted;
  }

  /** {@return the choice to refuse rows with such cells} */
  public static UnusableCells refused() {
    return REFUSED;
  }

  /** {@return the choice to count such cells; none were counted so far} */
  public static UnusableCells counted() {
    return new UnusableCells(true);
  }

  boolean isCounted() {
    return counted;
  }

  /**
   * {@return the number of such cells by column, for those that have any; of no more than 1,000
   * columns}
   */
  public Map<String, Long> byColumn() {
    Map<String, Long> copy = new TreeMap<>();
    counts.forEach((column, count) -> copy.put(column, count.sum()));
    return copy;
  }

  /** {@return the number of such cells in all columns; 0 where rows are refused} */
  public long count() {
    return all.sum();
  }

  /**
   * A cell of that column is unusable.
   *
   * @throws IllegalArgumentException with these words, unless such cells are counted
   */
  void meet(String column, String problem) {
    if (!counted) {
      throw new IllegalArgumentException(problem);
    }
    all.increment();
    LongAdder count = counts.get(column);
    if (count == null && counts.size() < MOST_COLUMNS) {
      count = counts.computeIfAbsent(column, name -> new LongAdder());
    }
    if (count != null) {
      count.increment();
    }
  }

  @Override
  public String toString() {
    return counted ? count() + " unusable cells " + byColumn() : "rows with unusable cells refused";
  }
}
