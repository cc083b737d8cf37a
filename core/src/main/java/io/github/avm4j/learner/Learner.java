// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;

/**
 * An {@link OnlineLearner} that can be configured, saved and asked for a model.
 *
 * <p>One thread learns. For answers from other threads take a {@link #snapshot()}: it is immutable
 * and shares nothing that changes.
 */
public interface Learner extends OnlineLearner {
  /**
   * The learner in the bytes of {@link #toBytes}; it continues as if it had never stopped, bit for
   * bit on the same platform and SIMD provider.
   *
   * @throws InvalidModelException if the bytes are not a learner's
   */
  static Learner fromBytes(byte[] file) throws InvalidModelException {
    return SavedLearners.read(file);
  }

  /** How it learns. */
  LearnerConfig config();

  /** Instances outside every cell that the nearest core point took because the budget was full. */
  long absorbed();

  /** Instances outside every cell whose gradient was dropped because the budget was full. */
  long refused();

  /** An immutable copy of what was learned, with the configured output. O(S·columns). */
  Model snapshot();

  /** All state, in the format of docs/format.md; the file holds the model too. */
  byte[] toBytes();

  /**
   * About the length of {@link #toBytes}. The learners of this library compute it from their sizes,
   * without writing anything, to within 1 kB or 2 %.
   */
  @Override
  default long modelBytes() {
    return toBytes().length;
  }
}
