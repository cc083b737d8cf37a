// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

/**
 * Robust scale of recent magnitudes: the exponential of a clipped exponential mean of their
 * logarithms, over about fifty instances. Of normal residuals it estimates the standard deviation.
 *
 * <p>One outlier, however large, moves it by 6 %; a change of scale by 1000 is followed within some
 * hundred instances. Multiplying all magnitudes multiplies it, whatever the factor.
 */
public final class ResidualScale {
  /** Share of the distance to a new magnitude's logarithm that is taken. */
  private static final double RATE = 0.02;

  /** Distances of logarithms beyond this count as this. */
  private static final double CLIP = 3;

  /** Standard deviation of a normal variable over the exponential of its mean log magnitude. */
  private static final double NORMAL = 1.887;

  /** 0 until a magnitude above 0 was observed. */
  private double level;

  /** Takes in one magnitude ≥ 0. */
  public void observe(double magnitude) {
    if (level == 0) {
      level = magnitude;
      return;
    }
    double distance = Math.log(magnitude / level);
    double moved = level * Math.exp(RATE * Math.max(-CLIP, Math.min(CLIP, distance)));
    level = Math.max(Double.MIN_NORMAL, moved);
  }

  /** The exponential of the mean log magnitude; 0 until a magnitude above 0 was observed. */
  public double level() {
    return level;
  }

  /** Goes on with a level. */
  public void restore(double saved) {
    level = saved;
  }

  /** The scale as a standard deviation, 0 if nothing but zeros was observed. */
  public double deviation() {
    return NORMAL * level;
  }
}
