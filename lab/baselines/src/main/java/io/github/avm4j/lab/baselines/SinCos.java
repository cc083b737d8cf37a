// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

/**
 * Cosines and sines of many angles without a branch, so that the compiler can use vectors: reduced
 * to [−π/2, π/2] by multiples of π, then Taylor's polynomials. Within 1e−12 for angles up to 1e5,
 * and never outside [−1, 1] by more than that; beyond 1e8 the reduction has lost its digits.
 */
final class SinCos {
  private static final double PI_HIGH = 0x1.921fb54p1;
  private static final double PI_LOW = Math.PI - PI_HIGH + 1.2246467991473532e-16;
  private static final double PER_PI = 1 / Math.PI;

  private SinCos() {}

  /** out[i] = scale·cos(angles[i]), out[n+i] = scale·sin(angles[i]), i &lt; n. */
  static void fill(double[] angles, int n, double scale, double[] out) {
    for (int i = 0; i < n; i++) {
      double turns = Math.rint(angles[i] * PER_PI);
      double r = (angles[i] - turns * PI_HIGH) - turns * PI_LOW;
      double odd = turns - 2 * Math.rint(0.5 * turns);
      double signed = scale * (1 - 2 * odd * odd);
      double s = r * r;
      out[i] = signed * cosine(s);
      out[n + i] = signed * r * sineOverAngle(s);
    }
  }

  private static double cosine(double s) {
    double p = -1.5619206968586225e-16;
    p = p * s + 4.779477332387385e-14;
    p = p * s - 1.1470745597729725e-11;
    p = p * s + 2.08767569878681e-9;
    p = p * s - 2.755731922398589e-7;
    p = p * s + 2.48015873015873e-5;
    p = p * s - 1.388888888888889e-3;
    p = p * s + 4.1666666666666664e-2;
    p = p * s - 0.5;
    return p * s + 1;
  }

  private static double sineOverAngle(double s) {
    double p = -8.22063524662433e-18;
    p = p * s + 2.8114572543455206e-15;
    p = p * s - 7.647163731819816e-13;
    p = p * s + 1.6059043836821613e-10;
    p = p * s - 2.505210838544172e-8;
    p = p * s + 2.7557319223985893e-6;
    p = p * s - 1.984126984126984e-4;
    p = p * s + 8.333333333333333e-3;
    p = p * s - 0.16666666666666666;
    return p * s + 1;
  }
}
