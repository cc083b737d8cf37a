// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The core points c_1 … c_S in order of creation, laid out for one fast pass of distances.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A point never moves. Points are appended; only {@link #replace} changes one, for learners
 *       that discard points, and never one of a copy.
 *   <li>A point marked as a centre stands for a cell of the coverage; one that is not marked was
 *       kept exactly, because the approximation was not performed for it (Z_t = 0).
 *   <li>{@code squaredDistances} depends only on the points and x, never on capacities, so that a
 *       restored set gives the same bits.
 * </ol>
 *
 * <p>Not thread-safe while points are appended; {@link #copy()} gives a set that may be read by any
 * number of threads.
 */
public abstract sealed class CoreSet permits TiledCoreSet, PostingsCoreSet {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** Sparse instances beyond this many features are kept as postings instead of tiles. */
  public static final int TILED_DIMENSION_LIMIT = 2048;

  /** Bytes of kind, features and number of points in a file. */
  private static final int SAVED_HEAD = 9;

  /** A difference of squares this small against them has lost six digits. */
  private static final double CANCELLED = 1e-6;

  private double[] squaredNorms;
  private boolean[] centres;
  private double largestNorm;
  private int size;
  private int exactPoints;

  public CoreSet() {
    squaredNorms = new double[8];
    centres = new boolean[8];
  }

  public CoreSet(CoreSet other) {
    squaredNorms = other.squaredNorms.clone();
    centres = other.centres.clone();
    size = other.size;
    exactPoints = other.exactPoints;
    largestNorm = other.largestNorm;
  }

  /** A set for dense vectors of exactly {@code dimension} features: feature-major tiles. */
  public static CoreSet dense(int dimension) {
    return new TiledCoreSet(dimension, true);
  }

  /** A set for sparse vectors; {@code dimension} is a first guess and grows. */
  public static CoreSet sparse(int dimension) {
    return dimension <= TILED_DIMENSION_LIMIT
        ? new TiledCoreSet(dimension, false)
        : new PostingsCoreSet(dimension);
  }

  /** A set for sparse vectors of any dimension: an inverted index. */
  public static CoreSet postings(int dimension) {
    return new PostingsCoreSet(dimension);
  }

  /** Whether this is an inverted index. */
  public final boolean storesPostings() {
    return this instanceof PostingsCoreSet;
  }

  /**
   * This set, or a sparse-stored equal of it if {@code x} has features beyond what tiles should
   * hold. Called before {@link #append}.
   */
  public final CoreSet roomFor(FeatureVector x) {
    boolean outgrown = isOpenEnded() && x.dimension() > TILED_DIMENSION_LIMIT;
    return outgrown ? asPostings() : this;
  }

  /** This set if it is an inverted index, else an equal one that is. */
  public final CoreSet asPostings() {
    if (storesPostings()) {
      return this;
    }
    CoreSet postings = new PostingsCoreSet(dimension());
    for (int i = 0; i < size; i++) {
      postings.append(point(i), centres[i]);
    }
    return postings;
  }

  /** Number of points S. */
  public final int size() {
    return size;
  }

  /** Number of points that are not centres. */
  public final int exactPoints() {
    return exactPoints;
  }

  /** Whether point i is the centre of a cell. */
  public final boolean isCentre(int i) {
    return centres[i];
  }

  /** ‖c_i‖². */
  public final double squaredNorm(int i) {
    return squaredNorms[i];
  }

  /**
   * Recomputes, feature by feature, the distances that ‖x‖² + ‖c‖² − 2xᵀc leaves with too few
   * digits: those of near duplicates, measured by their norms.
   */
  public final void refine(FeatureVector x, double[] squared) {
    double norm = x.squaredNorm();
    int nearest = OPS.nearest(squared, size);
    if (nearest < 0 || squared[nearest] >= CANCELLED * (norm + largestNorm)) {
      return;
    }
    for (int i = 0; i < size; i++) {
      if (squared[i] < CANCELLED * (norm + squaredNorms[i])) {
        squared[i] = squaredDistance(x, i);
      }
    }
  }

  public final double[] squaredNorms() {
    return squaredNorms;
  }

  /** Copies {@code x} into the set and returns its index. Amortised O(count of x). */
  public final int append(FeatureVector x, boolean centre) {
    if (size == squaredNorms.length) {
      squaredNorms = Arrays.copyOf(squaredNorms, 2 * size);
      centres = Arrays.copyOf(centres, 2 * size);
    }
    store(x, size);
    squaredNorms[size] = x.squaredNorm();
    largestNorm = Math.max(largestNorm, squaredNorms[size]);
    centres[size] = centre;
    exactPoints += centre ? 0 : 1;
    return size++;
  }

  /**
   * Puts a copy of {@code x} where point {@code slot} was; copies of this set keep the old one.
   * O(d) in tiles, O(count + length of the features' lists) in postings.
   */
  public final void replace(int slot, FeatureVector x, boolean centre) {
    if (slot < 0 || slot >= size) {
      throw new IndexOutOfBoundsException("slot " + slot + " of " + size);
    }
    clear(slot);
    store(x, slot);
    squaredNorms[slot] = x.squaredNorm();
    largestNorm = Math.max(largestNorm, squaredNorms[slot]);
    exactPoints += (centres[slot] ? 1 : 0) - (centre ? 1 : 0);
    centres[slot] = centre;
  }

  /**
   * Bytes held by arrays, to within object headers. They depend on the points and their order
   * alone, as long as none was replaced: a restored set holds as many.
   */
  public final long bytes() {
    return 9L * squaredNorms.length + storedBytes();
  }

  /** How many numbers the points hold: S·d in tiles, the non-zeros in postings. */
  public abstract long values();

  /** What {@link #bytes} would be after x was appended to {@link #roomFor} it. O(count of x). */
  public final long bytesWith(FeatureVector x) {
    CoreSet room = roomFor(x);
    int length = size == squaredNorms.length ? 2 * size : squaredNorms.length;
    return 9L * length + room.storedBytesWith(x);
  }

  /** Bytes that these points and x take in a file, at most. O(1). */
  public final long savedBytesWith(FeatureVector x) {
    long points = size + 1L;
    if (storesPostings() || (isOpenEnded() && x.dimension() > TILED_DIMENSION_LIMIT)) {
      return SAVED_HEAD + 5 * points + 12 * (values() + x.count());
    }
    int features = isOpenEnded() ? Math.max(dimension(), x.dimension()) : dimension();
    return SAVED_HEAD + points * (1 + 8L * features);
  }

  /** What {@link #bytes} of a set of this kind would be with eight points like x. O(count of x). */
  public final long bytesOfEight(FeatureVector x) {
    CoreSet none = empty();
    long first = none.bytesWith(x);
    return none.roomFor(x).storesPostings() ? 8 * first : first;
  }

  /** The same points but {@code slot}, in their order, in a set that holds nothing else. O(S·d). */
  public final CoreSet without(int slot) {
    return rebuilt(slot, null);
  }

  /** The same with x in place of point {@code slot}, in a set that holds nothing else. O(S·d). */
  public final CoreSet with(int slot, FeatureVector x) {
    return rebuilt(slot, x);
  }

  /**
   * Points from … to−1 in a set that holds nothing else and is stored in the same way. O(S·d).
   *
   * @param features of the new set if it is open-ended: a first guess, as in {@link #sparse}
   */
  public final CoreSet part(int from, int to, int features) {
    CoreSet fresh =
        storesPostings()
            ? postings(features)
            : isOpenEnded() ? new TiledCoreSet(features, false) : empty();
    for (int i = from; i < to; i++) {
      fresh.append(point(i), centres[i]);
    }
    return fresh;
  }

  private CoreSet rebuilt(int slot, @Nullable FeatureVector x) {
    CoreSet fresh = empty();
    for (int i = 0; i < size; i++) {
      FeatureVector point = i == slot ? x : point(i);
      if (point != null) {
        fresh = fresh.roomFor(point);
        fresh.append(point, i == slot || centres[i]);
      }
    }
    return fresh;
  }

  /** Whether vectors may name features that were never seen before. */
  public abstract boolean isOpenEnded();

  /** Number of features, or for an open-ended set one more than the largest seen. */
  public abstract int dimension();

  /**
   * {@code out[i] = ‖x − c_i‖²} for all points. {@code out} must have room for size() rounded up to
   * a multiple of 32; what lies beyond size() is left as it was or overwritten by values ≥ 0.
   */
  public abstract void squaredDistances(FeatureVector x, double[] out);

  /** The same for two instances, with the same bits; tiles are read once for both. */
  public void squaredDistances(FeatureVector x, FeatureVector y, double[] outX, double[] outY) {
    squaredDistances(x, outX);
    squaredDistances(y, outY);
  }

  /** ‖x − c_i‖² from the differences of the features. */
  public abstract double squaredDistance(FeatureVector x, int i);

  /** Whether ‖x − c_i‖_∞ &lt; a. */
  public abstract boolean isWithin(FeatureVector x, int i, double a);

  /** Feature j of point i. */
  public abstract double coordinate(int i, int j);

  /** A copy of point i, sparse if the set is open-ended. */
  public abstract FeatureVector point(int i);

  /** An equal set that shares nothing mutable with this one. */
  public abstract CoreSet copy();

  /** A set of this kind and dimension without points. */
  public abstract CoreSet empty();

  /** Stored bytes after x was appended. */
  public abstract long storedBytesWith(FeatureVector x);

  /**
   * Length of an array for n entries: a multiple of {@code least}, a power of two, and at most a
   * quarter too long. A function of n alone, whatever way it grew.
   */
  public static int room(int n, int least) {
    int step = Math.max(least, Integer.highestOneBit(Math.max(1, n - 1)) / 4);
    return (int) Math.min(Integer.MAX_VALUE - 8L, ((long) n + step - 1) / step * step);
  }

  public abstract void store(FeatureVector x, int slot);

  /** Makes room for another point in a place that has one. */
  public abstract void clear(int slot);

  public abstract long storedBytes();
}
