// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Huber;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;

/**
 * The losses and their derivatives as printed in the paper's section on loss functions, but for the
 * hinge at y·f = 1, where the derivative is 0 as in its multiclass section; and Huber's, as in his
 * paper of 1964.
 */
public final class PaperLoss {
  private PaperLoss() {}

  /**
   * {@return α with l′(w; x, y) = α·Φ(x), at f = wᵀΦ(x)} For |f| below 700.
   *
   * @param loss the loss
   * @param f the score
   * @param y label of the instance, or its target for regression
   */
  public static double derivative(Loss loss, double f, double y) {
    if (loss instanceof Hinge) {
      return y * f < 1 ? -y : 0;
    }
    if (loss instanceof SmoothHinge smooth) {
      double tau = smooth.tau();
      double linear = y * f < 1 - tau ? -y : 0;
      double quadratic = 1 - tau <= y * f && y * f <= 1 ? (y * f - 1) * y / tau : 0;
      return linear + quadratic;
    }
    if (loss instanceof Logistic) {
      double e = Math.exp(-y * f);
      return -y * e / (e + 1);
    }
    if (loss instanceof AbsoluteLoss) {
      return sign(f - y);
    }
    if (loss instanceof EpsilonInsensitive insensitive) {
      return Math.abs(y - f) > insensitive.epsilon() ? sign(f - y) : 0;
    }
    if (loss instanceof Huber huber) {
      return Math.abs(y - f) <= huber.threshold() ? f - y : huber.threshold() * sign(f - y);
    }
    return f - y;
  }

  /**
   * {@return l(f; y)}
   *
   * @param loss the loss
   * @param f the score
   * @param y label of the instance, or its target for regression
   */
  public static double value(Loss loss, double f, double y) {
    if (loss instanceof Hinge) {
      return Math.max(0, 1 - y * f);
    }
    if (loss instanceof SmoothHinge smooth) {
      double tau = smooth.tau();
      if (y * f > 1) {
        return 0;
      }
      return y * f < 1 - tau ? 1 - y * f - tau / 2 : (1 - y * f) * (1 - y * f) / (2 * tau);
    }
    if (loss instanceof Logistic) {
      return Math.log1p(Math.exp(-y * f));
    }
    if (loss instanceof AbsoluteLoss) {
      return Math.abs(y - f);
    }
    if (loss instanceof EpsilonInsensitive insensitive) {
      return Math.max(0, Math.abs(y - f) - insensitive.epsilon());
    }
    if (loss instanceof Huber huber && Math.abs(y - f) > huber.threshold()) {
      return huber.threshold() * Math.abs(y - f) - huber.threshold() * huber.threshold() / 2;
    }
    return (y - f) * (y - f) / 2;
  }

  private static double sign(double a) {
    return a > 0 ? 1 : a < 0 ? -1 : 0;
  }
}
