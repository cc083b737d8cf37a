// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.linear;

/** A compensated sum (Neumaier): its error does not grow with the number of terms. */
public final class CompensatedSum {
  private double sum;
  private double lost;

  /** Adds a term. */
  public void add(double term) {
    double next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }

  /** The sum so far. */
  public double value() {
    return sum + lost;
  }
}
