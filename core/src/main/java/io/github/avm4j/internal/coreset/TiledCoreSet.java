// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;

/**
 * Core points in feature-major tiles of 32: {@code tile[j·width + l]} is feature j of the tile's
 * l-th point, so that one feature of x meets 32 core points in consecutive memory.
 *
 * <p>The first tile is 8 or 16 wide until it needs more: a model of a few points stays small. A
 * full tile is shared with copies and copied itself before a point in it is replaced. A dense
 * vector on an open-ended set allocates its list of indices; all else allocates only when a point
 * is stored.
 */
final class TiledCoreSet extends CoreSet {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int WIDTH = 32;
  private static final int FIRST_WIDTH = 8;

  /** Open-ended sets have room for so many features at least, and grow by as many. */
  private static final int ROWS = 4;

  private final boolean fixed;
  private int dimension;
  private int rows;
  private double[][] tiles = new double[1][];
  private int tileCount;
  private boolean[] shared = new boolean[1];

  /** {@code fixed}: all vectors have exactly this dimension; otherwise it grows. */
  public TiledCoreSet(int dimension, boolean fixed) {
    this.dimension = dimension;
    this.rows = fixed ? dimension : rowsFor(dimension);
    this.fixed = fixed;
  }

  private TiledCoreSet(TiledCoreSet other) {
    super(other);
    fixed = other.fixed;
    dimension = other.dimension;
    rows = other.rows;
    tileCount = other.tileCount;
    tiles = Arrays.copyOf(other.tiles, Math.max(1, tileCount));
    Arrays.fill(other.shared, 0, tileCount, true);
    shared = Arrays.copyOf(other.shared, tiles.length);
    if (tileCount > 0 && size() % WIDTH != 0) {
      tiles[tileCount - 1] = tiles[tileCount - 1].clone();
      shared[tileCount - 1] = false;
      other.shared[tileCount - 1] = false;
    }
  }

  @Override
  public boolean isOpenEnded() {
    return !fixed;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void squaredDistances(FeatureVector x, double[] out) {
    if (fixed && !x.isSparse()) {
      for (int t = 0; t < tileCount; t++) {
        double[] tile = tiles[t];
        OPS.squaredDistances(tile, width(t), x.values(), rows, out, t * WIDTH);
      }
      return;
    }
    int[] indices = x.isSparse() ? x.indices() : identity(x.count());
    int count = known(indices, x.count());
    for (int t = 0; t < tileCount; t++) {
      OPS.dots(tiles[t], width(t), indices, x.values(), count, out, t * WIDTH);
    }
    OPS.squaredFromDots(x.squaredNorm(), squaredNorms(), out, size());
    refine(x, out);
  }

  @Override
  public void squaredDistances(FeatureVector x, FeatureVector y, double[] outX, double[] outY) {
    if (!fixed || x.isSparse() || y.isSparse()) {
      super.squaredDistances(x, y, outX, outY);
      return;
    }
    for (int t = 0; t < tileCount; t++) {
      OPS.squaredDistances(tiles[t], width(t), x.values(), y.values(), rows, outX, outY, t * WIDTH);
    }
  }

  @Override
  public double squaredDistance(FeatureVector x, int i) {
    double sum = 0;
    int k = 0;
    for (int j = 0; j < dimension; j++) {
      boolean listed = k < x.count() && (!x.isSparse() || x.indices()[k] == j);
      double difference = (listed ? x.values()[k++] : 0) - coordinate(i, j);
      sum += difference * difference;
    }
    for (; k < x.count(); k++) {
      sum += x.values()[k] * x.values()[k];
    }
    return sum;
  }

  @Override
  public boolean isWithin(FeatureVector x, int i, double a) {
    int k = 0;
    for (int j = 0; j < dimension; j++) {
      boolean listed = k < x.count() && (!x.isSparse() || x.indices()[k] == j);
      double value = listed ? x.values()[k++] : 0;
      if (!(Math.abs(value - coordinate(i, j)) < a)) {
        return false;
      }
    }
    for (; k < x.count(); k++) {
      if (!(Math.abs(x.values()[k]) < a)) {
        return false;
      }
    }
    return true;
  }

  /** How many leading indices are features this set has rows for. */
  private int known(int[] indices, int count) {
    while (count > 0 && indices[count - 1] >= rows) {
      count--;
    }
    return count;
  }

  private static int[] identity(int count) {
    int[] indices = new int[count];
    Arrays.setAll(indices, j -> j);
    return indices;
  }

  @Override
  public void store(FeatureVector x, int slot) {
    if (x.dimension() > rows) {
      growRows(x.dimension());
    }
    dimension = Math.max(dimension, x.dimension());
    int t = slot / WIDTH;
    int lane = slot % WIDTH;
    growTile(t, lane);
    double[] tile = tiles[t];
    int width = width(t);
    for (int k = 0; k < x.count(); k++) {
      int j = x.isSparse() ? x.indices()[k] : k;
      tile[j * width + lane] = x.values()[k];
    }
  }

  @Override
  public void clear(int slot) {
    int t = slot / WIDTH;
    if (shared[t]) {
      tiles[t] = tiles[t].clone();
      shared[t] = false;
    }
    int width = width(t);
    for (int at = slot % WIDTH; at < rows * width; at += width) {
      tiles[t][at] = 0;
    }
  }

  /** Rows of an open-ended set that has seen so many features. */
  private static int rowsFor(int dimension) {
    return Math.max(ROWS, room(dimension, ROWS));
  }

  private void growRows(int needed) {
    int grown = rowsFor(needed);
    for (int t = 0; t < tileCount; t++) {
      tiles[t] = Arrays.copyOf(tiles[t], grown * width(t));
    }
    rows = grown;
  }

  private void growTile(int t, int lane) {
    if (t == tileCount) {
      if (tileCount == tiles.length) {
        tiles = Arrays.copyOf(tiles, 2 * tileCount);
        shared = Arrays.copyOf(shared, 2 * tileCount);
      }
      tiles[tileCount++] = new double[rows * (t == 0 ? FIRST_WIDTH : WIDTH)];
    } else if (lane == width(t)) {
      int width = width(t);
      double[] wider = new double[rows * width * 2];
      for (int j = 0; j < rows; j++) {
        System.arraycopy(tiles[t], j * width, wider, j * width * 2, width);
      }
      tiles[t] = wider;
    }
  }

  private int width(int t) {
    return tiles[t].length / rows;
  }

  @Override
  public double coordinate(int i, int j) {
    int t = i / WIDTH;
    return j < rows ? tiles[t][j * width(t) + i % WIDTH] : 0;
  }

  @Override
  public FeatureVector point(int i) {
    double[] values = new double[dimension];
    int[] indices = new int[dimension];
    int count = 0;
    for (int j = 0; j < dimension; j++) {
      double value = coordinate(i, j);
      if (fixed || value != 0) {
        values[count] = value;
        indices[count++] = j;
      }
    }
    return fixed
        ? FeatureVector.dense(values)
        : FeatureVector.sparse(indices, values, count).copy();
  }

  @Override
  public CoreSet copy() {
    return new TiledCoreSet(this);
  }

  @Override
  public CoreSet empty() {
    return new TiledCoreSet(dimension, fixed);
  }

  @Override
  public long storedBytesWith(FeatureVector x) {
    long grown = x.dimension() > rows ? rowsFor(x.dimension()) : rows;
    int first = size() < FIRST_WIDTH ? FIRST_WIDTH : size() < 2 * FIRST_WIDTH ? 16 : WIDTH;
    long lanes = size() < WIDTH ? first : WIDTH * (long) (size() / WIDTH + 1);
    return 8 * grown * lanes;
  }

  @Override
  public long values() {
    return (long) size() * dimension();
  }

  @Override
  public long storedBytes() {
    long bytes = 0;
    for (int t = 0; t < tileCount; t++) {
      bytes += 8L * tiles[t].length;
    }
    return bytes;
  }
}
