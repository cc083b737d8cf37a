// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.detector.AnomalyExplanation.Neighbour;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowDetector;

/** What a file must pass before its detector may judge: format and checksums, then a probe. */
public final class DetectorCheck {
  private static final int PROBES = 16;

  /** A file needs about six times its size of heap while it is read and checked. */
  private static final int HEAP_SHARE = 6;

  /** Core points are held twice, as they were and scaled. */
  private static final long VALUE_BYTES = 16;

  private DetectorCheck() {}

  /**
   * The detector in {@code file}.
   *
   * @throws RefusedModelException if it is damaged, has seen nothing, or cannot judge
   */
  static RowDetector check(byte[] file) throws RefusedModelException {
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
    try {
      FeatureVector zero = FeatureVector.dense(new double[detector.features()]);
      probe(detector, zero);
      for (Neighbour near : detector.explain(zero, PROBES).neighbours()) {
        probe(detector, near.example());
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new RefusedModelException("a test row could not be judged: " + e.getMessage(), e);
    }
    return rows;
  }

  /**
   * The same of one that is to learn: it may grow to its budget, so that is what must fit.
   *
   * @throws RefusedModelException if it is damaged, has seen nothing, cannot judge or is too large
   */
  public static RowDetector checkLearning(byte[] file) throws RefusedModelException {
    RowDetector rows = check(file);
    long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    long full = VALUE_BYTES * rows.detector().config().budget() * rows.detector().features();
    if (full > most) {
      throw new RefusedModelException(
          "its core points may grow to %d bytes, at most %d are allowed (a sixth of the heap: -Xmx)"
              .formatted(full, most));
    }
    return rows;
  }

  private static void probe(Detector detector, FeatureVector x) throws RefusedModelException {
    double p = detector.pValue(x);
    double score = detector.lastScore();
    if (!(p > 0 && p <= 1) || !Double.isFinite(score)) {
      throw new RefusedModelException(
          "a test row has the p-value " + p + " and the score " + score);
    }
  }
}
