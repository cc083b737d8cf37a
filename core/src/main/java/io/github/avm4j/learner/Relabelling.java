// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Other labels for the classes of a learner, which stays as it is otherwise: for learners of one
 * stream that number its classes differently and are to be merged.
 */
public final class Relabelling {
  private Relabelling() {}

  /**
   * Gives every class of {@code learner} the label that {@code renamed} has for its label. Copy the
   * learner first if a failure must not leave it half renamed.
   *
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
      scaled.unscaled().labels.rename(renamed);
    } else if (learner instanceof ExpansionLearner expansion) {
      expansion.labels.rename(renamed);
    } else if (learner instanceof AutoLearner auto) {
      rename(auto, renamed);
    }
  }

  private static void rename(AutoLearner auto, DoubleUnaryOperator renamed) {
    Set<Labels> all = Collections.newSetFromMap(new IdentityHashMap<>());
    auto.race.runners.forEach(runner -> all.add(runner.learner.labels));
    @Nullable SecondOrderLearner challenger = auto.trial.challenger;
    if (challenger != null) {
      all.add(challenger.labels);
    }
    all.forEach(labels -> labels.rename(renamed));
    auto.kept.relabel(renamed);
  }
}
