// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.Arrays;
import java.util.Objects;

/**
 * A shift and a scale for each feature, fixed once fitted; travels with the model. Feature j
 * becomes (g(x_j) − shift_j)·scale_j, cut to ±{@link #LIMIT}, where g is the identity or, for
 * features with a heavy tail, sign(x)·log(1+|x|).
 *
 * <p>Features beyond those fitted, which sparse vectors may bring at any time, are multiplied by
 * the median scale of those fitted and cut alike. NaN and infinities pass unchanged. Immutable.
 */
public final class Scaling {
  /** No scaled feature goes beyond this, so that one outlier cannot silence all others. */
  public static final double LIMIT = 4;

  private final double[] shift;
  private final double[] scale;
  private final boolean[] logarithm;
  private final boolean sparse;
  private final double beyond;

  /**
   * Takes ownership of the arrays, all of one length.
   *
   * @param shift what is subtracted, per feature
   * @param scale what is multiplied by, per feature
   * @param logarithm whether the logarithm is taken first, per feature
   * @param sparse whether it is for sparse vectors, which it must not shift
   * @throws IllegalArgumentException if lengths differ, a number is not finite, or a scaling of
   *     sparse vectors shifts
   */
  public Scaling(double[] shift, double[] scale, boolean[] logarithm, boolean sparse) {
    if (shift.length != scale.length || shift.length != logarithm.length) {
      throw new IllegalArgumentException(
          "shift, scale and logarithm must have one length, were "
              + shift.length
              + ", "
              + scale.length
              + " and "
              + logarithm.length);
    }
    for (int j = 0; j < shift.length; j++) {
      boolean fine = Double.isFinite(shift[j]) && Double.isFinite(scale[j]);
      if (!fine || (sparse && shift[j] != 0)) {
        throw new IllegalArgumentException(
            "feature " + j + " cannot have shift " + shift[j] + " and scale " + scale[j]);
      }
    }
    this.shift = shift;
    this.scale = scale;
    this.logarithm = logarithm;
    this.sparse = sparse;
    this.beyond = median(scale);
  }

  private static double median(double[] scale) {
    double[] sorted = Arrays.stream(scale).filter(value -> value > 0).sorted().toArray();
    return sorted.length == 0 ? 1 : sorted[sorted.length / 2];
  }

  /** {@return the scaling that leaves every vector as it is} */
  public static Scaling none() {
    return new Scaling(new double[0], new double[0], new boolean[0], true);
  }

  /** {@return whether every vector is left as it is} */
  public boolean isIdentity() {
    return shift.length == 0;
  }

  /** {@return the number of fitted features} */
  public int dimension() {
    return shift.length;
  }

  /**
   * {@return the bytes of heap that a scaling of so many features and a {@link Scaler} of it hold,
   * at most}
   *
   * @param dimension number of features
   */
  public static long bytes(int dimension) {
    return 25L * dimension + 256;
  }

  /** {@return whether it is for sparse vectors and keeps zeros zero} */
  public boolean isSparse() {
    return sparse;
  }

  /**
   * {@return what is subtracted from feature j}
   *
   * @param j index of the feature, from 0
   */
  public double shift(int j) {
    return shift[j];
  }

  /**
   * {@return what feature j is multiplied by}
   *
   * @param j index of the feature, from 0
   */
  public double scale(int j) {
    return scale[j];
  }

  /**
   * {@return whether feature j is replaced by its logarithm first}
   *
   * @param j index of the feature, from 0
   */
  public boolean isLogarithmic(int j) {
    return logarithm[j];
  }

  /**
   * {@return value x of feature j, scaled}
   *
   * @param j index of the feature, from 0
   * @param x value of the feature
   */
  public double apply(int j, double x) {
    if (!(Math.abs(x) < Double.POSITIVE_INFINITY)) {
      return x;
    }
    if (j >= shift.length) {
      return isIdentity() ? x : Math.max(-LIMIT, Math.min(LIMIT, x * beyond));
    }
    double g = logarithm[j] ? Math.copySign(Math.log1p(Math.abs(x)), x) : x;
    double z = (g - shift[j]) * scale[j];
    return Math.max(-LIMIT, Math.min(LIMIT, z));
  }

  /**
   * {@return the value of feature j that {@link #apply} makes {@code z} of, within its limits}
   *
   * @param j index of the feature, from 0
   * @param z scaled value
   */
  public double invert(int j, double z) {
    if (j >= shift.length) {
      return isIdentity() ? z : z / beyond;
    }
    if (scale[j] == 0) {
      return 0;
    }
    double g = z / scale[j] + shift[j];
    return logarithm[j] ? Math.copySign(Math.expm1(Math.abs(g)), g) : g;
  }

  /**
   * {@return the vector that scaling makes {@code z} of, where nothing was cut}
   *
   * @param z scaled value
   */
  public FeatureVector invert(FeatureVector z) {
    double[] values = new double[z.count()];
    for (int k = 0; k < values.length; k++) {
      values[k] = invert(z.isSparse() ? z.indices()[k] : k, z.values()[k]);
    }
    return z.isSparse()
        ? FeatureVector.sparse(z.indices().clone(), values, values.length).copy()
        : FeatureVector.dense(values);
  }

  /** Scratch for one thread: scales vectors without allocating per call. */
  public static final class Scaler {
    private final Scaling scaling;
    private double[] values = new double[0];
    private FeatureVector view = FeatureVector.dense();

    /**
     * For the given scaling.
     *
     * @param scaling the scaling
     */
    public Scaler(Scaling scaling) {
      this.scaling = scaling;
    }

    /**
     * {@return the scaled {@code x}, valid until the next call; x itself if nothing is to do} Where
     * 0 is shifted, a sparse x becomes dense, so that it is scaled as its dense form.
     *
     * @param x a vector of the scaled dimension, or any sparse one
     */
    public FeatureVector scale(FeatureVector x) {
      Objects.requireNonNull(x, "x is null: an instance's features are needed");
      if (scaling.isIdentity()) {
        return x;
      }
      int n = x.count();
      double[] source = x.values();
      if (x.isSparse() && !scaling.sparse) {
        return x.dimension() > scaling.dimension() ? scaledBeyond(x) : scaledDense(x);
      }
      if (x.isSparse()) {
        // A vector of more values than there are fitted features leaves nothing behind.
        double[] scaled = n > scaling.dimension() ? new double[n] : reserved(scaling.dimension());
        for (int k = 0; k < n; k++) {
          scaled[k] = scaling.apply(x.indices()[k], source[k]);
        }
        return FeatureVector.sparse(x.indices(), scaled, n);
      }
      reserved(n);
      for (int j = 0; j < n; j++) {
        values[j] = scaling.apply(j, source[j]);
      }
      return view;
    }

    private FeatureVector scaledDense(FeatureVector x) {
      reserved(scaling.dimension());
      int k = 0;
      for (int j = 0; j < values.length; j++) {
        boolean listed = k < x.count() && x.indices()[k] == j;
        values[j] = scaling.apply(j, listed ? x.values()[k++] : 0);
      }
      return view;
    }

    /** All fitted features, then those of x beyond them: O(d + count) however far. */
    private FeatureVector scaledBeyond(FeatureVector x) {
      int d = scaling.dimension();
      int first = 0;
      while (x.indices()[first] < d) {
        first++;
      }
      int more = x.count() - first;
      FeatureVector known = scaledDense(FeatureVector.sparse(x.indices(), x.values(), first));
      double[] all = Arrays.copyOf(known.values(), d + more);
      int[] indices = new int[d + more];
      Arrays.setAll(indices, j -> j);
      System.arraycopy(x.indices(), first, indices, d, more);
      for (int k = 0; k < more; k++) {
        all[d + k] = scaling.apply(x.indices()[first + k], x.values()[first + k]);
      }
      return FeatureVector.sparse(indices, all);
    }

    private double[] reserved(int n) {
      if (values.length != n) {
        values = new double[n];
        view = FeatureVector.dense(values);
      }
      return values;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scaling s
        && sparse == s.sparse
        && Arrays.equals(shift, s.shift)
        && Arrays.equals(scale, s.scale)
        && Arrays.equals(logarithm, s.logarithm);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(scale) + 31 * Arrays.hashCode(shift);
  }
}
