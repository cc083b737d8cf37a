// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Model;
import java.util.List;

/** Labels replaced by their index in the parts of an {@link AutoLearner} beside its leader. */
final class Relabelling {
  private final Labels old = new Labels();

  private Relabelling(Model model) {
    for (int j = 0; j < model.classes(); j++) {
      old.add(model.label(j));
    }
  }

  /**
   * Relabels the runners, the challenger and the kept instances of a learner whose leader is
   * relabelled already.
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
    SecondOrderLearner challenger = learner.trial.challenger;
    learner.trial.challenger = challenger == null ? null : relabelling.relabelled(challenger);
    relabelling.relabel(learner.kept);
  }

  private SecondOrderLearner relabelled(SecondOrderLearner learner) {
    List<Double> declared = learner.config().labels().stream().map(this::indexOf).toList();
    SecondOrderLearner copy = learner.copy(learner.config().withLabels(declared));
    copy.labels.rename(this::indexOf);
    return copy;
  }

  private void relabel(KeptInstances kept) {
    List<KeptInstances.Kept> instances = List.copyOf(kept.list());
    kept.clear();
    for (KeptInstances.Kept one : instances) {
      kept.add(one.x(), indexOf(one.y()), one.weight());
    }
  }

  private double indexOf(double label) {
    int index = old.indexOf(label);
    if (index == Labels.UNKNOWN) {
      throw new IllegalArgumentException("label " + label + " is not among the model's");
    }
    return index;
  }
}
