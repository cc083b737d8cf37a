// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

/**
 * (1 + γ‖x−y‖²/α)^(−α): a mixture of Gaussians of all widths; tends to {@link Gaussian} as the
 * shape α grows. Cost: one power per value, none for α = 1.
 *
 * @param gamma inverse width γ &gt; 0
 * @param alpha shape α &gt; 0; the larger, the nearer to a Gaussian
 */
public record RationalQuadratic(double gamma, double alpha) implements Kernel {

  /**
   * Checks that both are positive and finite.
   *
   * @param gamma inverse width γ &gt; 0
   * @param alpha shape α &gt; 0; the larger, the nearer to a Gaussian
   */
  public RationalQuadratic {
    Widths.check(gamma);
    if (!(alpha > 0 && alpha < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("alpha must be > 0 and finite, was " + alpha);
    }
  }

  @Override
  public double value(double squaredDistance) {
    return Math.pow(1 + gamma * squaredDistance / alpha, -alpha);
  }

  @Override
  public void values(double[] squared, double[] out, int n) {
    if (alpha == 1) {
      for (int i = 0; i < n; i++) {
        out[i] = 1 / (1 + gamma * squared[i]);
      }
      return;
    }
    for (int i = 0; i < n; i++) {
      out[i] = value(squared[i]);
    }
  }
}
