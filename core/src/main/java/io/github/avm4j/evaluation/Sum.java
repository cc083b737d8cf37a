// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/** A compensated sum (Neumaier): its error does not grow with the number of terms. */
final class Sum {
  private double sum;
  private double lost;

  void add(double term) {
    double next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }

  double value() {
    return sum + lost;
  }
}
