// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * exp(−γ‖x−y‖²), the paper's kernel; the γ of LIBSVM and scikit-learn.
 *
 * @param gamma inverse width γ &gt; 0
 */
public record Gaussian(double gamma) implements Kernel {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /**
   * Checks that gamma is positive and finite.
   *
   * @param gamma inverse width γ &gt; 0
   */
  public Gaussian {
    Widths.check(gamma);
  }

  @Override
  public double value(double squaredDistance) {
    return Math.exp(-gamma * squaredDistance);
  }

  @Override
  public void values(double[] squared, double[] out, int n) {
    OPS.exp(squared, -gamma, out, n);
  }

  /** √(2(1−exp(−γδ²))), without the cancellation of the general form for small δ. */
  @Override
  public double imageDiameter(double delta) {
    return Math.sqrt(-2 * Math.expm1(-gamma * delta * delta));
  }
}
