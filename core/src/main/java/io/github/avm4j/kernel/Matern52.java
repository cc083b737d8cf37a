// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * Matérn with smoothness 5/2: (1+a+a²/3)·exp(−a) with a = √5·γ‖x−y‖; γ is an inverse length.
 *
 * @param gamma inverse width γ &gt; 0
 */
public record Matern52(double gamma) implements Kernel {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final double SQRT5 = Math.sqrt(5);

  /**
   * Checks that gamma is positive and finite.
   *
   * @param gamma inverse width γ &gt; 0
   */
  public Matern52 {
    Widths.check(gamma);
  }

  @Override
  public double value(double squaredDistance) {
    double a = SQRT5 * gamma * Math.sqrt(squaredDistance);
    return (1 + a + a * a / 3) * Math.exp(-a);
  }

  @Override
  public void values(double[] squared, double[] out, int n) {
    double factor = SQRT5 * gamma;
    for (int i = 0; i < n; i++) {
      out[i] = Math.sqrt(squared[i]);
    }
    OPS.exp(out, -factor, out, n);
    for (int i = 0; i < n; i++) {
      double a = factor * Math.sqrt(squared[i]);
      out[i] *= 1 + a + a * a / 3;
    }
  }
}
