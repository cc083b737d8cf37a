// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.Relevance;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.paper.SplitMix64;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an expert sees a row: its features scaled, or as they are, and weighed by their relevance if
 * that has been found.
 *
 * <p>Relevance is a power of the mean squared gradient of what was learned: a field that hardly
 * changes along a feature is learned from fewer rows if that feature hardly counts in distances.
 * The exponent is the best over the development streams; with more than so many features gradients
 * are too noisy, and it harms.
 */
final class View {
  private static final double EXPONENT = 0.35;

  static final int MOST_FEATURES = 64;

  private static final int PAIRS = 300;

  /** Features beyond are not to be learned from as they are. */
  private static final double LARGEST_RAW = 1e9;

  /**
   * Features that are weighed as they are get a unit in which none reaches the cut of a scaling
   * before it is so many times as large as the largest that was weighed, and those of a scaling
   * that is set one in which none reaches it before it is so many times as far out; unless γ is
   * set, which is of the unit in which that would be the cut.
   */
  private static final int HEADROOM = 64;

  private final Scaling plain;
  private final Scaling scaling;

  /** Mean squared gradients in the plain scaling; null if features are not weighed. */
  private final double @Nullable [] squares;

  /** What features are multiplied by where the plain scaling does nothing. */
  private final double unit;

  private View(Scaling plain, Scaling scaling, double @Nullable [] squares, double unit) {
    this.plain = plain;
    this.scaling = scaling;
    this.squares = squares;
    this.unit = unit;
  }

  /** Features as they are. */
  static View unscaled() {
    return new View(Scaling.none(), Scaling.none(), null, 1);
  }

  /** Whether features may be learned from as they are: none is so large as to drown all others. */
  static boolean mayBeUnscaled(List<FeatureVector> rows) {
    return largest(rows) <= LARGEST_RAW;
  }

  /** The largest magnitude of a feature. */
  static double largest(List<FeatureVector> rows) {
    double largest = 0;
    for (FeatureVector x : rows) {
      for (int k = 0; k < x.count(); k++) {
        largest = Math.max(largest, Math.abs(x.values()[k]));
      }
    }
    return largest;
  }

  /**
   * Features scaled to rows. A scaling that the user has set gets a smaller unit, which moves its
   * cuts outwards and changes nothing else, because kernels follow the distances: it is not chosen
   * again when features drift, and what is far out is bounded by {@link Ranges}. One that the
   * learner chooses keeps its cuts: without them the error on electricity, whose date drifts, is 3
   * to 6 % larger.
   */
  static View of(List<FeatureVector> rows, Setup setup) {
    Scaling fitted = setup.fitted(rows);
    boolean roomy = !setup.choosesScaling() && !setup.hasGamma() && !fitted.isIdentity();
    Scaling plain = roomy ? inSmallerUnit(fitted) : fitted;
    return new View(plain, plain, null, 1);
  }

  private static Scaling inSmallerUnit(Scaling fitted) {
    int features = fitted.dimension();
    double[] shift = new double[features];
    double[] scale = new double[features];
    boolean[] logarithm = new boolean[features];
    for (int j = 0; j < features; j++) {
      shift[j] = fitted.shift(j);
      scale[j] = fitted.scale(j) / HEADROOM;
      logarithm[j] = fitted.isLogarithmic(j);
    }
    return new Scaling(shift, scale, logarithm, fitted.isSparse());
  }

  /** Features scaled to other rows and weighed as here. */
  View refitted(List<FeatureVector> rows, Setup setup) {
    View fitted = of(rows, setup);
    return squares == null ? fitted : fitted.shrunk(squares, unit, rows.get(0).isSparse());
  }

  /** The same without weights. */
  View unweighed() {
    return new View(plain, plain, null, 1);
  }

  /** What features up to so large are multiplied by if they are weighed as they are. */
  static double unit(double largest, Setup setup) {
    return Scaling.LIMIT / ((setup.hasGamma() ? 1 : HEADROOM) * largest);
  }

  /**
   * The same with weights by the gradients of what an expert of this view has learned.
   *
   * @param found squared gradients
   * @param one what features are multiplied by where the plain scaling does nothing
   * @param sparse whether rows are
   */
  View weighed(double[] found, double one, boolean sparse) {
    double[] squared = found.clone();
    for (int j = 0; squares != null && j < squared.length; j++) {
      // To gradients in the plain scaling, of which weights are multiples.
      double factor = scale(scaling, j, one) / scale(plain, j, one);
      squared[j] *= factor * factor;
    }
    return shrunk(squared, one, sparse);
  }

  private static double scale(Scaling by, int j, double otherwise) {
    return j < by.dimension() ? by.scale(j) : otherwise;
  }

  private View shrunk(double[] found, double one, boolean sparse) {
    Scaling shrunk = Relevance.shrunk(plain, one, sparse, found, EXPONENT);
    return new View(plain, shrunk, found, one);
  }

  /** The share of values cut by the scaling, of the feature where it is largest; 0 for no rows. */
  double cutShare(List<FeatureVector> rows) {
    int[] cut = new int[scaling.dimension()];
    int most = 0;
    for (FeatureVector x : rows) {
      for (int k = 0; k < x.count(); k++) {
        int j = x.isSparse() ? x.indices()[k] : k;
        if (j < cut.length && Math.abs(scaling.apply(j, x.values()[k])) >= Scaling.LIMIT) {
          most = Math.max(most, ++cut[j]);
        }
      }
    }
    return most == 0 ? 0 : (double) most / rows.size();
  }

  /** How many times as small as those of other views its features are. */
  double headroom() {
    return squares != null && plain.isIdentity() ? HEADROOM : 1;
  }

  /** Whether features are weighed. */
  boolean isWeighed() {
    return squares != null;
  }

  /** Whether features are as they are. */
  boolean isIdentity() {
    return scaling.isIdentity();
  }

  Scaling scaling() {
    return scaling;
  }

  /** Bytes of heap, at most. */
  long bytes() {
    return Scaling.bytes(plain.dimension())
        + (squares == null ? 0 : Scaling.bytes(scaling.dimension()) + 8L * squares.length);
  }

  /** About its bytes in a file. */
  long fileBytes() {
    return FileSize.of(plain) + (squares == null ? 0 : FileSize.of(scaling) + 8L * squares.length);
  }

  void write(StateWriter out) {
    out.scaling(plain);
    out.f64(unit);
    out.numbers(squares == null ? new double[0] : squares);
    if (squares != null) {
      out.scaling(scaling);
    }
  }

  static View read(StateReader in) throws InvalidModelException {
    Scaling plain = in.scaling();
    double unit = in.f64("unit");
    double[] squares = in.numbers("squared gradients");
    boolean weighs = squares.length > 0;
    if (squares.length > MOST_FEATURES) {
      throw new InvalidModelException("weights of " + squares.length + " features");
    }
    return new View(plain, weighs ? in.scaling() : plain, weighs ? squares : null, unit);
  }

  /** The median of squared distances of random pairs of rows; the same pairs for as many rows. */
  double median(List<FeatureVector> rows) {
    SplitMix64 random = new SplitMix64(rows.size());
    Scaling.Scaler one = new Scaling.Scaler(scaling);
    Scaling.Scaler other = new Scaling.Scaler(scaling);
    double[] squared = new double[PAIRS];
    for (int p = 0; p < PAIRS; p++) {
      FeatureVector a = one.scale(rows.get((int) (random.nextDouble() * rows.size())));
      FeatureVector b = other.scale(rows.get((int) (random.nextDouble() * rows.size())));
      squared[p] = squaredDistance(a, b);
    }
    Arrays.sort(squared);
    double median = squared[PAIRS / 2] > 0 ? squared[PAIRS / 2] : squared[PAIRS - 1];
    return median > 0 && median < Double.POSITIVE_INFINITY ? median : 1;
  }

  private static double squaredDistance(FeatureVector a, FeatureVector b) {
    double dot = 0;
    for (int k = 0; k < a.count(); k++) {
      dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
    }
    return Math.max(0, a.squaredNorm() + b.squaredNorm() - 2 * dot);
  }
}
