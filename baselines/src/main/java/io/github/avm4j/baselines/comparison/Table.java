// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.feature.FeatureVector;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Rows in memory, to be gone through in any order. Vectors are shared, never changed.
 *
 * @param x the features
 * @param targets labels or numbers, one a row
 */
public record Table(List<FeatureVector> x, List<Double> targets) {

  /**
   * Checks that there is a target a row.
   *
   * @param x the features
   * @param targets labels or numbers, one a row
   */
  public Table {
    if (x.size() != targets.size()) {
      throw new IllegalArgumentException(x.size() + " rows, " + targets.size() + " targets");
    }
  }

  /** {@return the number of rows} */
  public int size() {
    return x.size();
  }

  /**
   * {@return the target of a row}
   *
   * @param row index of the row, from 0
   */
  public double y(int row) {
    return targets.get(row);
  }

  /**
   * {@return the rows from … to−1}
   *
   * @param from first, from 0
   * @param to last, exclusive
   */
  public Table part(int from, int to) {
    return new Table(x.subList(from, to), targets.subList(from, to));
  }

  /**
   * {@return the rows of this table and then those of another}
   *
   * @param other rows with as many features
   */
  public Table and(Table other) {
    return new Table(
        java.util.stream.Stream.concat(x.stream(), other.x.stream()).toList(),
        java.util.stream.Stream.concat(targets.stream(), other.targets.stream()).toList());
  }

  /**
   * {@return the same rows in an order drawn with a seed; seed 0 leaves them as they are}
   *
   * @param seed seed of the random draws
   */
  public Table shuffled(long seed) {
    if (seed == 0) {
      return this;
    }
    int[] order = IntStream.range(0, size()).toArray();
    Random random = new Random(seed);
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    return new Table(
        IntStream.of(order).mapToObj(x::get).toList(),
        IntStream.of(order).mapToObj(targets::get).toList());
  }

  /** {@return a cursor over the rows, of weight 1} */
  public Instances instances() {
    return new Instances() {
      private int at = -1;

      @Override
      public boolean next() {
        return ++at < size();
      }

      @Override
      public FeatureVector x() {
        return x.get(at);
      }

      @Override
      public double y() {
        return targets.get(at);
      }
    };
  }

  /** {@return the targets as an array} */
  public double[] y() {
    return targets.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
