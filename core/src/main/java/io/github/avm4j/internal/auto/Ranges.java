// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;

/**
 * The {@link Bounds} of a stream while it is learned. A value that passes becomes the end of its
 * range. One that is cut or missing widens the range by half, so that one wrong reading costs
 * little; a second one in a row on the same side is no outlier, and the range reaches to it.
 *
 * <p>Features of sparse rows from a certain index on have no ranges: so many are words or
 * categories, and ranges would take more bytes than the learner.
 */
final class Ranges {
  /** A range and a view of it in a snapshot. */
  static final int BYTES = 41;

  private static final int MOST_SPARSE = 1 << 11;

  /** By how much of its width a range grows where a value is cut. */
  private static final double GROWTH = 0.5;

  private final int most;
  private double[] lowest = {};
  private double[] highest = {};
  private double[] mean = {};
  private long[] count = {};
  private long[] cut = {};

  /** The side on which the last value was cut; 0 for none. */
  private byte[] side = {};

  /** Features that were met; arrays of sparse ones have room for more. */
  private int used;

  private boolean sparse = true;
  private Bounds bounds = Bounds.NONE;

  /** Of a learner that has learned nothing. */
  Ranges(Setup setup) {
    this.most = setup.ranges();
  }

  /** Goes on with what was written, and the bounds of the same file. */
  static Ranges read(StateReader in, Bounds saved) throws InvalidModelException {
    Ranges ranges = new Ranges(in.setup());
    ranges.takeOver(saved);
    byte[] sides = in.block("sides of cuts");
    if (sides.length != saved.dimension()) {
      throw new InvalidModelException("the bounds are not of this state");
    }
    for (int j = 0; j < sides.length; j++) {
      ranges.side[j] = (byte) Integer.signum(sides[j]);
    }
    return ranges;
  }

  void write(StateWriter out) {
    out.block(Arrays.copyOf(side, used));
  }

  private void takeOver(Bounds saved) {
    sparse = saved.isSparse();
    grow(room(saved.dimension()));
    used = saved.dimension();
    for (int j = 0; j < saved.dimension(); j++) {
      lowest[j] = saved.lowest(j);
      highest[j] = saved.highest(j);
      mean[j] = saved.mean(j);
      count[j] = saved.count(j);
      cut[j] = saved.cut(j);
    }
  }

  /** Features that arrays of so many have room for: those of sparse rows grow by doubling. */
  private int room(int features) {
    return sparse && features > 1
        ? Math.max(features, Math.min(most, Integer.highestOneBit(features - 1) << 1))
        : features;
  }

  private void grow(int features) {
    lowest = Arrays.copyOf(lowest, features);
    highest = Arrays.copyOf(highest, features);
    mean = Arrays.copyOf(mean, features);
    count = Arrays.copyOf(count, features);
    cut = Arrays.copyOf(cut, features);
    side = Arrays.copyOf(side, features);
    bounds = new Bounds(lowest, highest, mean, count, cut, sparse);
  }

  /** What the kernels see of a row. */
  FeatureVector bounded(FeatureVector x) {
    return bounds.apply(x);
  }

  /** A row has been learned. */
  void learned(FeatureVector x) {
    int features = x.isSparse() ? indexed(x) : Math.min(x.dimension(), most);
    used = Math.max(used, features);
    if (features > lowest.length) {
      sparse = x.isSparse();
      grow(room(features));
    }
    for (int k = 0; k < x.count(); k++) {
      int j = x.isSparse() ? x.indices()[k] : k;
      if (j < lowest.length) {
        learned(j, x.values()[k], x.isSparse());
      }
    }
  }

  /** One more than the largest index of a sparse row that may have a range. */
  private int indexed(FeatureVector x) {
    int end = Math.min(most, MOST_SPARSE);
    int k = x.count() - 1;
    while (k >= 0 && x.indices()[k] >= end) {
      k--;
    }
    return k < 0 ? 0 : x.indices()[k] + 1;
  }

  private void learned(int j, double value, boolean sparse) {
    double taken = bounds.apply(j, value);
    byte before = side[j];
    side[j] = (byte) (taken == value ? 0 : value > highest[j] ? 1 : -1);
    if (count[j] == 0) {
      lowest[j] = sparse ? Math.min(0, value) : value;
      highest[j] = sparse ? Math.max(0, value) : value;
    } else if (taken == value) {
      lowest[j] = Math.min(lowest[j], value);
      highest[j] = Math.max(highest[j], value);
    } else {
      double half = Math.max(GROWTH * (highest[j] - lowest[j]), bounds.slack(j));
      double more = side[j] == before ? Double.POSITIVE_INFINITY : half;
      cut[j]++;
      highest[j] = Math.max(highest[j], Math.min(value, highest[j] + more));
      lowest[j] = Math.min(lowest[j], Math.max(value, lowest[j] - more));
    }
    count[j]++;
    double next = mean[j] + (taken - mean[j]) / count[j];
    mean[j] = Math.max(lowest[j], Math.min(highest[j], next));
  }

  /** The bounds that what was learned so far gives. */
  Bounds snapshot() {
    return new Bounds(
        Arrays.copyOf(lowest, used),
        Arrays.copyOf(highest, used),
        Arrays.copyOf(mean, used),
        Arrays.copyOf(count, used),
        Arrays.copyOf(cut, used),
        sparse);
  }

  /** Number of features with a range. */
  int dimension() {
    return used;
  }

  /** Bytes of heap. */
  long bytes() {
    return (long) BYTES * lowest.length + 200;
  }
}
