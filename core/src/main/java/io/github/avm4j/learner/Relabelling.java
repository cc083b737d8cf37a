// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.model.InvalidModelException;
import java.util.function.DoubleUnaryOperator;

/**
 * Other labels for the classes of a learner, which stays as it is otherwise: for learners whose
 * classes are to be called by name.
 */
public final class Relabelling {
  private Relabelling() {}

  /**
   * Gives every class of {@code learner} the label that {@code renamed} has for its label. Copy the
   * learner first if a failure must not leave it half renamed.
   *
   * @param learner the learner
   * @param renamed new label by old label, one to one
   * @throws IllegalArgumentException if two classes would have one label, or labels were declared
   */
  public static void apply(Learner learner, DoubleUnaryOperator renamed) {
    if (learner.task() == Task.REGRESSION) {
      return;
    }
    if (!learner.config().labels().isEmpty()) {
      throw new IllegalArgumentException(
          "declared labels cannot be renamed, were " + learner.config().labels());
    }
    if (learner instanceof ScaledLearner scaled) {
      scaled.unscaled().engine.labels.rename(renamed);
    } else if (learner instanceof AutoLearner auto) {
      auto.engine.rename(renamed);
    } else if (learner instanceof EngineLearner<?> own
        && own.engine instanceof ExpansionEngine expansion) {
      expansion.labels.rename(renamed);
    }
  }

  /**
   * The learner in a file, with each label replaced by its index: 0, 1, 2 … in the order of {@link
   * Learner#label}. It continues as the other would, bit for bit.
   *
   * @param file bytes of a saved file
   * @return the learner
   * @throws InvalidModelException if the bytes are not a learner's
   */
  public static Learner read(byte[] file) throws InvalidModelException {
    return SavedLearners.readRelabelled(file);
  }
}
