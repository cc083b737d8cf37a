// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * Matérn with smoothness 3/2: (1+a)·exp(−a) with a = √3·γ‖x−y‖; γ is an inverse length.
 *
 * @param gamma inverse width γ &gt; 0
 */
public record Matern32(double gamma) implements Kernel {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final double SQRT3 = Math.sqrt(3);

  /**
   * Checks that gamma is positive and finite.
   *
   * @param gamma inverse width γ &gt; 0
   */
  public Matern32 {
    Widths.check(gamma);
  }

  @Override
  public double value(double squaredDistance) {
    double a = SQRT3 * gamma * Math.sqrt(squaredDistance);
    return (1 + a) * Math.exp(-a);
  }

  @Override
  public void values(double[] squared, double[] out, int n) {
    double factor = SQRT3 * gamma;
    for (int i = 0; i < n; i++) {
      out[i] = Math.sqrt(squared[i]);
    }
    OPS.exp(out, -factor, out, n);
    for (int i = 0; i < n; i++) {
      out[i] *= 1 + factor * Math.sqrt(squared[i]);
    }
  }
}
