// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.detector.Detector;

/** Builder for a detector of anomalies; every setting is optional, the last call counts. */
public final class DetectorBuilder {
  private double gamma = DetectorConfig.DEFAULT.gamma();
  private int budget = DetectorConfig.DEFAULT.budget();
  private double forgetting = DetectorConfig.DEFAULT.forgetting();
  private double alarm = DetectorConfig.DEFAULT.alarm();
  private int calibration = DetectorConfig.DEFAULT.calibration();
  private boolean protection = DetectorConfig.DEFAULT.protection();
  private int features = DetectorConfig.DEFAULT.features();
  private long seed = DetectorConfig.DEFAULT.seed();

  DetectorBuilder() {}

  /**
   * γ of the widest kernel exp(−γ‖x − y‖), after scaling; by default 1/(mean distance of core
   * points).
   *
   * @param value γ &gt; 0; 0 estimates it
   * @return this builder
   */
  public DetectorBuilder gamma(double value) {
    gamma = value;
    return this;
  }

  /**
   * Number of core points; 512 by default. Time and memory grow with it.
   *
   * @param value number of core points, in 8..65,536
   * @return this builder
   */
  public DetectorBuilder budget(int value) {
    budget = value;
    return this;
  }

  /**
   * Forgetting factor per learned instance; 0.9998 by default: it remembers about 5000.
   *
   * @param value factor in (0, 1]; 1 never forgets
   * @return this builder
   */
  public DetectorBuilder forgetting(double value) {
    forgetting = value;
    return this;
  }

  /**
   * P-values up to this are alarms; 0.01 by default.
   *
   * @param value share of normal instances that may be false alarms, in (0, 0.5]
   * @return this builder
   */
  public DetectorBuilder alarm(double value) {
    alarm = value;
    return this;
  }

  /**
   * Number of recent scores that a p-value compares with; 2000 by default.
   *
   * @param value number of scores, from 1/alarm to 1,000,000
   * @return this builder
   */
  public DetectorBuilder calibration(int value) {
    calibration = value;
    return this;
  }

  /**
   * Whether extreme instances are held back: neither learned nor calibrated on, unless most are
   * extreme, or more than one in twenty are and are alike; true by default.
   *
   * @param value false to learn every instance
   * @return this builder
   */
  public DetectorBuilder protection(boolean value) {
    protection = value;
    return this;
  }

  /**
   * Number of features; by default that of the first instance.
   *
   * @param value number of features, ≥ 0; 0 for that of the first instance
   * @return this builder
   */
  public DetectorBuilder features(int value) {
    features = value;
    return this;
  }

  /**
   * Seed of the random choice of core points; 1 by default.
   *
   * @param value the seed
   * @return this builder
   */
  public DetectorBuilder seed(long value) {
    seed = value;
    return this;
  }

  /** {@return the checked settings} */
  public DetectorConfig config() {
    return new DetectorConfig(
        gamma, budget, forgetting, alarm, calibration, protection, features, seed);
  }

  /** {@return a detector that has seen nothing} */
  public Detector build() {
    return new Detector(config());
  }
}
