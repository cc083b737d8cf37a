// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.paper.SplitMix64;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Centres of a sample of vectors by Lloyd's algorithm, a vector at a time; the same vectors give
 * the same centres.
 */
public final class KMeans {
  private static final int ROUNDS = 10;

  /** Most instances that centres are found from. */
  private static final int SAMPLE = 8000;

  /** How many vectors are tried for each centre to begin with. */
  private static final int TRIES = 4;

  private final Scaling scaling;
  private final Scaling.Scaler scaler;
  private final CoreDistances distances = new CoreDistances();

  /** The vectors: those of so many numbers from the first on, of which as many are looked at. */
  private final long first;

  private final int all;
  private final int size;

  private CoreSet centres;

  /** Of the vectors looked at in this round that are nearest to each centre. */
  private double[][] sums;

  private int[] counts;
  private int round;
  private int next;

  private KMeans(Scaling scaling, long first, int all, CoreSet centres) {
    this.scaling = scaling;
    this.scaler = new Scaling.Scaler(scaling);
    this.first = first;
    this.all = all;
    this.size = Math.min(SAMPLE, all);
    this.centres = centres;
    this.counts = new int[centres.size()];
    this.sums = sums(centres);
  }

  private static double[][] sums(CoreSet centres) {
    return new double[centres.storesPostings() ? 0 : centres.size()][centres.dimension()];
  }

  /**
   * Begins with some of the vectors as centres; null if they are too few or of two forms.
   *
   * @param vectors by their numbers, of which the first and how many there are follow
   * @param count most centres
   */
  static @Nullable KMeans of(
      LongFunction<FeatureVector> vectors, long first, int all, Scaling scaling, int count) {
    KMeans none = new KMeans(scaling, first, all, CoreSet.sparse(0));
    boolean sparse = none.size > 0 && none.vector(vectors, 0).isSparse();
    int dimension = 0;
    for (int i = 0; i < none.size; i++) {
      FeatureVector z = none.vector(vectors, i);
      if (z.isSparse() != sparse) {
        return null;
      }
      dimension = sparse || i == 0 ? Math.max(dimension, z.dimension()) : dimension;
    }
    CoreSet centres = sparse ? CoreSet.sparse(dimension) : CoreSet.dense(dimension);
    SplitMix64 random = new SplitMix64(none.size);
    int tries = none.size == 0 ? 0 : TRIES * count;
    for (int i = 0; i < tries && centres.size() < count; i++) {
      FeatureVector chosen = none.vector(vectors, (int) (random.nextDouble() * none.size));
      none.distances.measure(centres, chosen);
      if (none.distances.nearestSquared() > 0) {
        centres = centres.roomFor(chosen);
        centres.append(chosen, true);
      }
    }
    return centres.size() < 2 ? null : new KMeans(scaling, first, all, centres);
  }

  /**
   * Centres of a sample of vectors; null if they are too few or of two forms.
   *
   * @param all at most as many of them are looked at as take part
   * @param count most centres
   */
  public static @Nullable CoreSet ofSample(List<FeatureVector> all, Scaling scaling, int count) {
    LongFunction<FeatureVector> vectors = number -> all.get((int) number);
    @Nullable KMeans means = of(vectors, 0, all.size(), scaling, count);
    while (means != null && !means.isDone()) {
      means.goOn(vectors);
    }
    return means == null ? null : means.centres;
  }

  private FeatureVector vector(LongFunction<FeatureVector> vectors, int i) {
    return scaler.scale(vectors.apply(first + (long) i * all / size));
  }

  /** Whether the centres will move no more. */
  boolean isDone() {
    // Means of sparse vectors in an inverted index would have values for most features.
    return round == ROUNDS || centres.storesPostings();
  }

  /** The division around the centres. */
  Centres cells() {
    return new Centres(scaling, centres);
  }

  /** Elements of centres that {@link #goOn} compares a vector with. */
  double work() {
    return (double) centres.size() * centres.dimension();
  }

  /** Bytes of centres and sums, of heap and of a file, at most. */
  long bytes() {
    long sum = Double.BYTES * (centres.dimension() + 2L) * sums.length;
    return centres.bytes() + sum + Scaling.bytes(scaling.dimension());
  }

  /** Looks at one vector more, and moves the centres after the last. */
  void goOn(LongFunction<FeatureVector> vectors) {
    FeatureVector x = vector(vectors, next++);
    distances.measure(centres, x);
    int nearest = distances.nearest();
    counts[nearest]++;
    double[] sum = sums[nearest];
    for (int k = 0; k < x.count(); k++) {
      int j = x.isSparse() ? x.indices()[k] : k;
      if (j < sum.length) {
        sum[j] += x.values()[k];
      }
    }
    if (next == size) {
      move();
    }
  }

  /** To the means of the vectors nearest to each centre; a centre that has none stays. */
  private void move() {
    CoreSet moved = centres.empty();
    for (int i = 0; i < centres.size(); i++) {
      FeatureVector mean = counts[i] == 0 ? centres.point(i) : mean(sums[i], counts[i]);
      moved = moved.roomFor(mean);
      moved.append(mean, true);
    }
    centres = moved;
    round++;
    next = 0;
    counts = new int[centres.size()];
    sums = sums(centres);
  }

  private static FeatureVector mean(double[] sum, int count) {
    for (int j = 0; j < sum.length; j++) {
      sum[j] /= count;
    }
    return FeatureVector.dense(sum);
  }

  /**
   * Writes its state.
   *
   * @param rows so far: from the last one numbers are counted
   */
  void write(StateWriter out, long rows) {
    out.scaling(scaling);
    ModelFormat.writeCoreSet(out.bytes(), centres);
    out.i64(rows - first);
    out.i32(all);
    out.i32(round);
    out.i32(next);
    for (int i = 0; i < sums.length; i++) {
      out.i32(counts[i]);
      out.numbers(sums[i]);
    }
  }

  static KMeans read(StateReader in, long rows) throws InvalidModelException {
    Scaling scaling = in.scaling();
    CoreSet centres = ModelFormat.readCoreSet(in.bytes(), 1);
    long first = rows - in.count("rows of centres");
    int all = in.i32();
    KMeans means = new KMeans(scaling, first, all, centres);
    means.round = in.i32();
    means.next = in.i32();
    for (int i = 0; i < means.sums.length; i++) {
      means.counts[i] = in.i32();
      means.sums[i] = in.numbers("sums of a cell");
      if (means.counts[i] < 0 || means.sums[i].length != centres.dimension()) {
        throw new InvalidModelException("sums of a cell of other features");
      }
    }
    boolean fits = centres.size() > 1 && all > 0 && first + all <= rows;
    fits &= means.round >= 0 && means.round <= ROUNDS && means.next >= 0 && means.next < means.size;
    if (!fits || rows == 0) {
      throw new InvalidModelException("centres do not fit together");
    }
    return means;
  }
}
