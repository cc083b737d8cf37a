// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.detector.AnomalyExplanation.Neighbour;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowDetector;

/** What a file must pass before its detector may judge: format and checksums, then a probe. */
final class DetectorCheck {
  private static final int PROBES = 16;

  /** Core points are held twice, as they were and scaled. */
  private static final long VALUE_BYTES = 16;

  private DetectorCheck() {}

  /**
   * The detector in {@code file}.
   *
   * @param mostBytes memory that the core points of one that learns may grow to
   * @throws RefusedModelException if it is damaged, has seen nothing, or cannot judge
   */
  static RowDetector check(byte[] file, long mostBytes) throws RefusedModelException {
    RowDetector rows;
    try {
      rows = RowDetector.read(file);
    } catch (InvalidModelException e) {
      throw new RefusedModelException("not a detector: " + e.getMessage(), e);
    }
    Detector detector = rows.detector();
    if (detector.size() == 0) {
      throw new RefusedModelException("a detector that has learned no row yet");
    }
    DetectorConfig config = detector.config();
    long full = VALUE_BYTES * config.budget() * detector.features();
    if (full > mostBytes) {
      throw new RefusedModelException(
          "its core points may grow to %d bytes, at most %d are allowed (a sixth of the heap: -Xmx)"
              .formatted(full, mostBytes));
    }
    try {
      FeatureVector zero = FeatureVector.dense(new double[detector.features()]);
      probe(detector, zero);
      for (Neighbour near : detector.explain(zero, PROBES).neighbours()) {
        probe(detector, near.example());
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new RefusedModelException("a probe could not be judged: " + e.getMessage(), e);
    }
    return rows;
  }

  private static void probe(Detector detector, FeatureVector x) throws RefusedModelException {
    double p = detector.pValue(x);
    double score = detector.lastScore();
    if (!(p > 0 && p <= 1) || !Double.isFinite(score)) {
      throw new RefusedModelException(
          "a probe was judged with the p-value " + p + " and the score " + score);
    }
  }
}
