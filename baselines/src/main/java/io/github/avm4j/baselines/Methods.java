// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import static io.github.avm4j.baselines.Knob.ETA;
import static io.github.avm4j.baselines.Knob.GAMMA;
import static io.github.avm4j.baselines.Knob.LAMBDA;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.WhenFull;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The registry: the default learner, the paper's, and what both are held against. To add one, add a
 * line to {@link #ALL}.
 */
public final class Methods {
  /**
   * Core points that the authors' program keeps unless told otherwise; instances outside of all
   * cells are dropped then. The paper's algorithm has no such limit.
   */
  public static final int PAPER_CELLS = 1000;

  private static final Map<String, Loss> PAPER_LOSSES =
      Map.of(
          "avm-hinge", new Hinge(),
          "avm-logit", new Logistic(),
          "avm-eps", new EpsilonInsensitive(0.1),
          "avm-l1", new AbsoluteLoss(),
          "avm-l2", new SquaredLoss());

  private static final List<Method> ALL =
      List.of(
          new Method("avm", "avm4j default", both(), (task, s) -> automatic(task)),
          limited("avm-hinge", "AVM-Hinge", classes(GAMMA, LAMBDA)),
          limited("avm-logit", "AVM-Logit", classes(GAMMA, LAMBDA)),
          limited("avm-eps", "AVM-ε", numbers(GAMMA, LAMBDA)),
          limited("avm-l1", "AVM-ℓ1", numbers(GAMMA, LAMBDA)),
          limited("avm-l2", "AVM-ℓ2", numbers(GAMMA, LAMBDA)),
          new Method("linear", "linear SGD", both(ETA), LinearSgd::new),
          new Method(
              "majority",
              "majority or mean",
              both(),
              (task, s) -> TrivialBaseline.mostFrequent(task)),
          new Method(
              "no-change", "no change", both(), (task, s) -> TrivialBaseline.noChange(task)));

  private Methods() {}

  /** {@return all methods, ours first} */
  public static List<Method> all() {
    return ALL;
  }

  /**
   * {@return the method of that name; {@code paper} is the paper's learner with the hinge or
   * ε-insensitive loss}
   *
   * @param name name of a method, such as {@code linear}
   * @param task classification or regression
   * @throws IllegalArgumentException if there is none, naming those there are
   */
  public static Method of(String name, Task task) {
    return of(name, task, ALL);
  }

  /**
   * {@return the method of that name among some; {@code paper} is the paper's learner with the
   * hinge or ε-insensitive loss}
   *
   * @param name name of a method
   * @param task classification or regression
   * @param among methods to choose from
   * @throws IllegalArgumentException if there is none, naming those there are
   */
  public static Method of(String name, Task task, List<Method> among) {
    String wanted =
        !name.equals("paper") ? name : task == Task.CLASSIFICATION ? "avm-hinge" : "avm-eps";
    for (Method method : among) {
      if (method.name().equals(wanted)) {
        return method;
      }
    }
    List<String> names =
        among.stream().filter(m -> m.tasks().contains(task)).map(Method::name).toList();
    throw new IllegalArgumentException(
        "no method is called '" + name + "'; there are " + String.join(", ", names));
  }

  private static Map<Task, Set<Knob>> both(Knob... knobs) {
    return Map.of(Task.CLASSIFICATION, Set.of(knobs), Task.REGRESSION, Set.of(knobs));
  }

  private static Map<Task, Set<Knob>> classes(Knob... knobs) {
    return Map.of(Task.CLASSIFICATION, Set.of(knobs));
  }

  private static Map<Task, Set<Knob>> numbers(Knob... knobs) {
    return Map.of(Task.REGRESSION, Set.of(knobs));
  }

  private static OnlineLearner automatic(Task task) {
    return task == Task.CLASSIFICATION ? Avm.classifier().build() : Avm.regressor().build();
  }

  /**
   * {@return whether a method is the paper's learner}
   *
   * @param name name of a method
   */
  public static boolean isPaper(String name) {
    return PAPER_LOSSES.containsKey(name);
  }

  /**
   * {@return the paper's learner, always approximating, with no limit of core points}
   *
   * @param name name of a method that {@link #isPaper}
   * @param task classification or regression
   * @param s γ, λ, δ and seed
   */
  public static AvmConfig.Builder<KernelLearner> paper(String name, Task task, Settings s) {
    Loss loss = PAPER_LOSSES.get(name);
    if (loss == null) {
      throw new IllegalArgumentException("'" + name + "' is not the paper's learner");
    }
    AvmConfig.Builder<KernelLearner> builder =
        task == Task.CLASSIFICATION ? Avm.paperClassifier() : Avm.paperRegressor();
    return builder.loss(loss).gamma(s.gamma()).lambda(s.lambda()).delta(s.delta()).seed(s.seed());
  }

  /** The paper's learner with the limit of the authors' program. */
  private static Method limited(String name, String title, Map<Task, Set<Knob>> knobs) {
    return new Method(
        name,
        title,
        knobs,
        (task, s) -> paper(name, task, s).budget(PAPER_CELLS).whenFull(WhenFull.REFUSE).build());
  }
}
