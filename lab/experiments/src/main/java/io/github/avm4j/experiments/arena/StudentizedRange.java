// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

/**
 * The range of k independent standard normal numbers: the studentized range with infinitely many
 * degrees of freedom.
 */
final class StudentizedRange {
  private static final double FARTHEST = 8;
  private static final int STEPS = 800;

  private StudentizedRange() {}

  /** P(range ≤ r) = k ∫ φ(z) (Φ(z) − Φ(z − r))^(k−1) dz, by Simpson's rule. */
  static double probability(int k, double r) {
    double step = 2 * FARTHEST / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
      double z = -FARTHEST + i * step;
      double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * density(z) * Math.pow(normal(z) - normal(z - r), k - 1);
    }
    return k * sum * step / 3;
  }

  /** The range that is not exceeded with that probability. */
  static double quantile(int k, double probability) {
    double low = 0;
    double high = 2 * FARTHEST;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (probability(k, middle) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private static double density(double z) {
    return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }

  /** Φ(z) = 1/2 + φ(z)·(z + z³/3 + z⁵/(3·5) + …). */
  static double normal(double z) {
    if (Math.abs(z) > FARTHEST) {
      return z < 0 ? 0 : 1;
    }
    double term = z;
    double sum = z;
    for (int i = 3; Math.abs(term) > 1e-17 * Math.abs(sum); i += 2) {
      term *= z * z / i;
      sum += term;
    }
    return 0.5 + sum * density(z);
  }
}
