// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import java.util.Map;

/**
 * The checked settings of a detector of anomalies.
 *
 * @param gamma γ of the kernel exp(−γ‖x − y‖), after scaling; 0 estimates it
 * @param budget number of core points, in 8..{@value #MAX_BUDGET}
 * @param forgetting factor per learned instance, in (0, 1]; 1 never forgets
 * @param alarm p-values up to this are alarms, in (0, 0.5]
 * @param calibration number of recent scores that a p-value compares with
 * @param protection whether extreme instances are neither learned nor calibrated on
 * @param features number of features; 0 for that of the first instance
 * @param seed of the random choice of core points
 */
public record DetectorConfig(
    double gamma,
    int budget,
    double forgetting,
    double alarm,
    int calibration,
    boolean protection,
    int features,
    long seed) {
  /** Most core points. */
  public static final int MAX_BUDGET = 65_536;

  /** Most scores that a p-value compares with. */
  public static final int MAX_CALIBRATION = 1_000_000;

  /** Most values that all core points hold together. */
  public static final long MAX_VALUES = 1L << 26;

  /** What a detector has by default. */
  public static final DetectorConfig DEFAULT =
      new DetectorConfig(0, 512, 0.9998, 0.01, 2000, true, 0, 1);

  /**
   * Checks the settings.
   *
   * @param gamma γ of the kernel exp(−γ‖x − y‖), after scaling; 0 estimates it
   * @param budget number of core points, in 8..{@value #MAX_BUDGET}
   * @param forgetting factor per learned instance, in (0, 1]; 1 never forgets
   * @param alarm p-values up to this are alarms, in (0, 0.5]
   * @param calibration number of recent scores that a p-value compares with
   * @param protection whether extreme instances are neither learned nor calibrated on
   * @param features number of features; 0 for that of the first instance
   * @param seed of the random choice of core points
   * @throws IllegalArgumentException naming the first setting that is not acceptable
   */
  public DetectorConfig {
    Checks.require(gamma >= 0 && gamma <= 1e6, "gamma", "in [0, 1e6] (0: estimated)", gamma);
    Checks.require(budget >= 8 && budget <= MAX_BUDGET, "budget", "in 8.." + MAX_BUDGET, budget);
    Checks.require(forgetting > 0 && forgetting <= 1, "forgetting", "in (0, 1]", forgetting);
    Checks.require(alarm > 0 && alarm <= 0.5, "alarm", "in (0, 0.5]", alarm);
    Checks.require(
        calibration >= 1 / alarm && calibration <= MAX_CALIBRATION,
        "calibration",
        "in 1/alarm.." + MAX_CALIBRATION,
        calibration);
    Checks.features(features);
    Checks.require(
        (long) features * budget <= MAX_VALUES,
        "features * budget",
        "at most " + MAX_VALUES,
        (long) features * budget);
  }

  /** {@return all settings by name, in a fixed order} */
  public Map<String, Object> toMap() {
    return Checks.toMap(this);
  }
}
