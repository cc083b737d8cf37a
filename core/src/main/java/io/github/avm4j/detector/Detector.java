// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.anomaly.CoreSample;
import io.github.avm4j.internal.anomaly.DetectorEngine;
import io.github.avm4j.model.InvalidModelException;

/**
 * Finds anomalies in a stream without labels: how unlike the instances seen so far is this one?
 *
 * <pre>{@code
 * Detector detector = Avm.detector().alarm(0.01).build();
 * for (FeatureVector x : stream) {
 *   if (detector.isAlarm(detector.pValue(x))) {
 *     System.out.println(detector.explain(x, 3));
 *   }
 *   detector.detectThenLearn(x);
 * }
 * }</pre>
 *
 * <p>The score is a soft distance of x to a bounded random sample of recent instances, the core
 * points: −log of how many are near, each by its own spread. The p-value is the share of recent
 * normal instances whose score, made before each was learned, was at least as large. An alarm at p
 * ≤ 0.01 is therefore false for one normal instance in a hundred, as long as the stream does not
 * change; docs/anomalies.md says what happens when it does.
 *
 * <p>Features may have any unit and origin: each is scaled by its own spread, which follows the
 * stream. NaN is a missing value and counts as the feature's median. Infinities are refused.
 *
 * <p>Cost of an instance: O(S·d) for S core points of d features, and nothing is allocated once the
 * sample is full. For one thread at a time, also for {@link #score} and {@link #pValue}.
 */
public final class Detector {
  final DetectorEngine engine;

  /**
   * A detector that has seen nothing.
   *
   * @param config checked settings
   */
  public Detector(DetectorConfig config) {
    this(new DetectorEngine(config, config.seed()));
  }

  Detector(DetectorEngine engine) {
    this.engine = engine;
  }

  /**
   * The p-value of x by what was learned before; then x is learned. With protection, an instance
   * that is extreme is not, unless most instances are or more than one in twenty are like it.
   *
   * @param x the instance: as many features as the first, or sparse with at most so many
   * @return the p-value, in (0, 1]; small for anomalies
   * @throws IllegalArgumentException if x has another number of features or an infinite one
   */
  public double detectThenLearn(FeatureVector x) {
    return engine.detectThenLearn(x);
  }

  /**
   * {@link #detectThenLearn(FeatureVector)} of a dense vector.
   *
   * @param x the instance
   * @return the p-value, in (0, 1]; small for anomalies
   */
  public double detectThenLearn(double... x) {
    return detectThenLearn(FeatureVector.dense(x));
  }

  /**
   * {@return the score that the last p-value was computed from: a soft distance, larger for
   * anomalies}
   */
  public double lastScore() {
    return engine.lastScore();
  }

  /**
   * The score of x; nothing is learned.
   *
   * @param x the instance
   * @return a soft distance to the core points, larger for anomalies; finite
   */
  public double score(FeatureVector x) {
    return engine.score(x);
  }

  /**
   * {@link #score(FeatureVector)} of a dense vector.
   *
   * @param x the instance
   * @return a soft distance to the core points, larger for anomalies; finite
   */
  public double score(double... x) {
    return score(FeatureVector.dense(x));
  }

  /**
   * The p-value of x; nothing is learned.
   *
   * @param x the instance
   * @return the p-value, in (0, 1]
   */
  public double pValue(FeatureVector x) {
    return engine.pValue(x);
  }

  /**
   * {@link #pValue(FeatureVector)} of a dense vector.
   *
   * @param x the instance
   * @return the p-value, in (0, 1]
   */
  public double pValue(double... x) {
    return pValue(FeatureVector.dense(x));
  }

  /**
   * {@return whether a p-value is an alarm: at most the level that was set}
   *
   * @param pValue a p-value
   */
  public boolean isAlarm(double pValue) {
    return pValue <= engine.config.alarm();
  }

  /**
   * Takes in a person's judgement of an instance. Later scores of instances like it rise or fall:
   * an equal one is an alarm if this was an anomaly, and none if it was normal. The last 64 are
   * kept.
   *
   * @param x the instance
   * @param anomalous true for an anomaly, false for a normal instance
   */
  public void feedback(FeatureVector x, boolean anomalous) {
    engine.feedback(x, anomalous);
  }

  /**
   * {@link #feedback(FeatureVector, boolean)} on a dense vector.
   *
   * @param x the instance
   * @param anomalous true for an anomaly, false for a normal instance
   */
  public void feedback(double[] x, boolean anomalous) {
    feedback(FeatureVector.dense(x), anomalous);
  }

  /**
   * {@return why x has its score: features, core points, expected values; nothing is learned}
   *
   * @param x the instance
   * @param most most features and most core points that are listed
   */
  public AnomalyExplanation explain(FeatureVector x, int most) {
    return Attribution.of(engine, x, most);
  }

  /**
   * {@link #explain(FeatureVector, int)} of a dense vector.
   *
   * @param x the instance
   * @param most most features and most core points that are listed
   * @return why x has its score
   */
  public AnomalyExplanation explain(double[] x, int most) {
    return explain(FeatureVector.dense(x), most);
  }

  /**
   * The clusters of the core points as they are now; nothing is learned, and later instances do not
   * change them. O(S²·d).
   *
   * @return the clusters
   */
  public Clusters clusters() {
    return new Clusters(engine.sample());
  }

  /** {@return the settings it was built with} */
  public DetectorConfig config() {
    return engine.config;
  }

  /** {@return the number of instances seen} */
  public long instances() {
    return engine.instances();
  }

  /** {@return the number of instances learned; the others were held back as extreme} */
  public long learned() {
    return engine.learned();
  }

  /** {@return the number of core points, at most the budget} */
  public int size() {
    CoreSample sample = engine.sample();
    return sample == null ? 0 : sample.size();
  }

  /** {@return the number of features; 0 before the first instance if it was not set} */
  public int features() {
    CoreSample sample = engine.sample();
    return sample == null ? 0 : sample.dimension;
  }

  /** {@return all state as the bytes of a file, in the format of docs/format.md} */
  public byte[] toBytes() {
    return DetectorFormat.write(engine);
  }

  /**
   * The detector in the bytes of {@link #toBytes}; it continues as if it had never stopped, bit for
   * bit on the same platform and SIMD provider.
   *
   * @param file bytes of a saved file
   * @return the detector
   * @throws InvalidModelException if the bytes are not a detector's
   */
  public static Detector fromBytes(byte[] file) throws InvalidModelException {
    return new Detector(DetectorFormat.read(file));
  }

  @Override
  public String toString() {
    return "detector: %,d instances, %,d learned, %,d core points, alarms at p <= %s"
        .formatted(instances(), learned(), size(), config().alarm());
  }
}
