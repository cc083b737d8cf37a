// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.Task;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.model.Model;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Replaces the labels of a learner's parts by their index in its model. */
public final class LabelIndexes {
  private final Labels old = new Labels();

  private LabelIndexes(Model model) {
    for (int j = 0; j < model.classes(); j++) {
      old.add(model.label(j));
    }
  }

  /**
   * Replaces labels by their index in the runners, the challenger and the stored instances of a
   * learner whose leader is relabelled already.
   *
   * @param model with the labels as they were
   * @throws IllegalArgumentException if they know a label that the model does not
   */
  public static void ofRest(AutoEngine learner, Model model) {
    if (learner.task() == Task.REGRESSION) {
      return;
    }
    LabelIndexes indexes = new LabelIndexes(model);
    learner.whole.race.replaceOthers(indexes::relabelled);
    @Nullable SecondOrderEngine challenger = learner.whole.trial.challenger;
    learner.whole.trial.challenger = challenger == null ? null : indexes.relabelled(challenger);
    learner.whole.stored.relabel(indexes::indexOf);
    learner.levels.relabel(indexes::indexOf);
    learner.levels.forEach(expert -> expert.rename(indexes::indexOf));
  }

  private SecondOrderEngine relabelled(SecondOrderEngine learner) {
    List<Double> declared = learner.config().labels().stream().map(this::indexOf).toList();
    SecondOrderEngine copy = learner.copy(learner.config().withLabels(declared));
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
