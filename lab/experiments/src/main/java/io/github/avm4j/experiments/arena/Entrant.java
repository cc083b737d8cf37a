// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.config.Task;
import io.github.avm4j.lab.baselines.LearnerProvider;
import io.github.avm4j.lab.baselines.PaperMethods;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A learner of the arena.
 *
 * @param name what it is called on the command line
 * @param title what it is called in tables
 * @param group whose it is
 * @param method of the registry, for those of this project
 * @param provider of another library's learner
 */
record Entrant(
    String name,
    String title,
    Group group,
    Optional<Method> method,
    Optional<LearnerProvider> provider) {

  /** Whose a learner is. */
  enum Group {
    /** The default learner. */
    OURS,
    /** Baselines that do not learn from features, and a linear model. */
    SIMPLE,
    /** The paper's own method and its competitors. */
    PAPER,
    /** Another library's. */
    OTHERS
  }

  static final String DEFAULT = "avm";
  private static final List<String> SIMPLE = List.of("majority", "no-change", "linear");
  private static final List<String> PAPER_CLASSES =
      List.of(
          "avm-hinge",
          "avm-logit",
          "perceptron",
          "ogd",
          "rbp",
          "forgetron",
          "projectron",
          "projectron++",
          "bpas",
          "bogd",
          "fogd",
          "nogd");
  private static final List<String> PAPER_NUMBERS =
      List.of(
          "avm-eps", "avm-l1", "avm-l2", "rbp", "forgetron", "projectron", "bogd", "fogd", "nogd");

  /** All for a task: the default learner, the simple ones, the paper's, other libraries'. */
  static List<Entrant> all(Task task, List<LearnerProvider> providers) {
    List<Entrant> all = new ArrayList<>();
    all.add(of(PaperMethods.of(DEFAULT, task), Group.OURS));
    SIMPLE.forEach(name -> all.add(of(PaperMethods.of(name, task), Group.SIMPLE)));
    List<String> paper = task == Task.CLASSIFICATION ? PAPER_CLASSES : PAPER_NUMBERS;
    paper.forEach(name -> all.add(of(PaperMethods.of(name, task), Group.PAPER)));
    for (LearnerProvider provider : providers) {
      for (String name : provider.names(task)) {
        all.add(
            new Entrant(
                name, provider.title(name), Group.OTHERS, Optional.empty(), Optional.of(provider)));
      }
    }
    return all;
  }

  private static Entrant of(Method method, Group group) {
    return new Entrant(method.name(), method.title(), group, Optional.of(method), Optional.empty());
  }
}
