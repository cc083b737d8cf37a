// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.kernel.RationalQuadratic;

/** Kernels and distances by their definitions, feature by feature. */
public final class PaperKernel {
  private PaperKernel() {}

  /**
   * {@return K(a, b)}
   *
   * @param kernel the kernel
   * @param a a point
   * @param b another point
   */
  public static double value(Kernel kernel, FeatureVector a, FeatureVector b) {
    return ofDistance(kernel, distance(a, b));
  }

  /**
   * {@return k at the distance r}
   *
   * @param kernel the kernel
   * @param r distance, ≥ 0
   */
  public static double ofDistance(Kernel kernel, double r) {
    double gamma = kernel.gamma();
    if (kernel instanceof Gaussian) {
      return Math.exp(-gamma * r * r);
    }
    if (kernel instanceof Laplacian) {
      return Math.exp(-gamma * r);
    }
    if (kernel instanceof Matern32) {
      double a = Math.sqrt(3) * gamma * r;
      return (1 + a) * Math.exp(-a);
    }
    if (kernel instanceof Matern52) {
      double a = Math.sqrt(5) * gamma * r;
      return (1 + a + 5 * gamma * gamma * r * r / 3) * Math.exp(-a);
    }
    double alpha = ((RationalQuadratic) kernel).alpha();
    return Math.pow(1 + gamma * r * r / alpha, -alpha);
  }

  /**
   * {@return ‖Φ(a) − Φ(b)‖ = √(K(a,a) + K(b,b) − 2K(a,b))}
   *
   * @param kernel the kernel
   * @param a a point
   * @param b another point
   */
  public static double imageDistance(Kernel kernel, FeatureVector a, FeatureVector b) {
    return Math.sqrt(2 - 2 * value(kernel, a, b));
  }

  /**
   * {@return ‖a − b‖}
   *
   * @param a a point
   * @param b another point
   */
  public static double distance(FeatureVector a, FeatureVector b) {
    double sum = 0;
    for (double difference : differences(a, b)) {
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  /**
   * {@return ‖a − b‖_∞}
   *
   * @param a a point
   * @param b another point
   */
  public static double largestDifference(FeatureVector a, FeatureVector b) {
    double largest = 0;
    for (double difference : differences(a, b)) {
      largest = Math.max(largest, Math.abs(difference));
    }
    return largest;
  }

  /** a_j − b_j for every feature that either lists; further entries are 0. */
  private static double[] differences(FeatureVector a, FeatureVector b) {
    double[] result = new double[a.count() + b.count()];
    int n = 0;
    int i = 0;
    int k = 0;
    while (i < a.count() || k < b.count()) {
      int ja = feature(a, i);
      int jb = feature(b, k);
      double va = ja <= jb ? a.values()[i++] : 0;
      double vb = jb <= ja ? b.values()[k++] : 0;
      result[n++] = va - vb;
    }
    return result;
  }

  private static int feature(FeatureVector x, int position) {
    if (position >= x.count()) {
      return Integer.MAX_VALUE;
    }
    return x.isSparse() ? x.indices()[position] : position;
  }
}
