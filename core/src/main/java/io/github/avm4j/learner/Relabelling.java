// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Model;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Other labels for the classes of a learner, which stays as it is otherwise: for learners of one
 * stream that number its classes differently and are to be merged, and for learners whose classes
 * are to be called by name.
 */
public final class Relabelling {
  private final Labels old = new Labels();

  private Relabelling(Model model) {
    for (int j = 0; j < model.classes(); j++) {
      old.add(model.label(j));
    }
  }

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

  /**
   * Replaces labels by their index in the runners, the challenger and the kept instances of a
   * learner whose leader is relabelled already.
   *
   * @param model with the labels as they were
   * @throws IllegalArgumentException if they know a label that the model does not
   */
  static void ofRest(AutoLearner learner, Model model) {
    if (learner.task() == Task.REGRESSION) {
      return;
    }
    Relabelling relabelling = new Relabelling(model);
    for (Race.Runner runner : learner.race.runners) {
      if (runner.learner != learner.leader()) {
        runner.learner = relabelling.relabelled(runner.learner);
      }
    }
    @Nullable SecondOrderLearner challenger = learner.trial.challenger;
    learner.trial.challenger = challenger == null ? null : relabelling.relabelled(challenger);
    learner.kept.relabel(relabelling::indexOf);
  }

  private SecondOrderLearner relabelled(SecondOrderLearner learner) {
    List<Double> declared = learner.config().labels().stream().map(this::indexOf).toList();
    SecondOrderLearner copy = learner.copy(learner.config().withLabels(declared));
    copy.labels.rename(this::indexOf);
    return copy;
  }

  private double indexOf(double label) {
    int index = old.indexOf(label);
    if (index == Labels.UNKNOWN) {
      throw new IllegalArgumentException("label " + label + " is not among the model's");
    }
    return index;
  }
}
