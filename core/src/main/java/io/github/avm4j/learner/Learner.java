// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;

/**
 * An {@link OnlineLearner} with a configuration, which can be saved and gives models.
 *
 * <p>One thread learns. For predictions in other threads take a {@link #snapshot()}: it is
 * immutable and shares nothing that changes.
 */
public interface Learner extends OnlineLearner {
  /**
   * The learner in the bytes of {@link #toBytes}; it continues as if it had never stopped, bit for
   * bit on the same platform and SIMD provider.
   *
   * @param file bytes of a saved file
   * @return the learner
   * @throws InvalidModelException if the bytes are not a learner's
   */
  static Learner fromBytes(byte[] file) throws InvalidModelException {
    return SavedLearners.read(file);
  }

  /** {@return the configuration in use} */
  LearnerConfig config();

  /**
   * {@return the number of instances outside every cell, or beyond the budget, that existing core
   * points took}
   */
  long absorbed();

  /** {@return an immutable copy of what was learned, with the configured output} O(S·columns). */
  Model snapshot();

  /**
   * {@return all state as the bytes of a file, in the format of docs/format.md; the file holds the
   * model too}
   */
  byte[] toBytes();

  /**
   * About the length of {@link #toBytes}. The learners of this library compute it from their sizes,
   * without writing anything, to within 1 kB or 2 %.
   */
  @Override
  long modelBytes();
}
