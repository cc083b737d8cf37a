// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * exp(−γ‖x−y‖): γ is an inverse length.
 *
 * @param gamma inverse width γ &gt; 0
 */
public record Laplacian(double gamma) implements Kernel {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /**
   * Checks that gamma is positive and finite.
   *
   * @param gamma inverse width γ &gt; 0
   */
  public Laplacian {
    Widths.check(gamma);
  }

  @Override
  public double value(double squaredDistance) {
    return Math.exp(-gamma * Math.sqrt(squaredDistance));
  }

  @Override
  public void values(double[] squared, double[] out, int n) {
    for (int i = 0; i < n; i++) {
      out[i] = Math.sqrt(squared[i]);
    }
    OPS.exp(out, -gamma, out, n);
  }
}
