// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

/**
 * Numbers between two ends, which belong to it. Ends are infinite where too little was seen to say
 * anything.
 *
 * @param lower the smallest number
 * @param upper the largest number
 */
public record Interval(double lower, double upper) {
  /**
   * {@return whether it holds y}
   *
   * @param y a number
   */
  public boolean contains(double y) {
    return lower <= y && y <= upper;
  }

  /** {@return the upper end less the lower} */
  public double width() {
    return upper - lower;
  }
}
