// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static io.github.avm4j.baselines.Knob.C;
import static io.github.avm4j.baselines.Knob.ETA;
import static io.github.avm4j.baselines.Knob.GAMMA;
import static io.github.avm4j.baselines.Knob.LAMBDA;

import io.github.avm4j.Avm;
import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.config.Task;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The library's methods and every other online method of the paper's Tables 3 to 5. To add one, add
 * a line to {@link #OTHERS}.
 */
public final class PaperMethods {
  /** The default learner and the same with the others' budget: they scale features themselves. */
  public static final List<String> OURS = List.of("avm", "avm-budget");

  private static final List<Method> OTHERS =
      List.of(
          new Method(
              "avm-budget",
              "avm4j, budget B",
              both(),
              (task, s) ->
                  task == Task.CLASSIFICATION
                      ? Avm.classifier().budget(s.budget()).cells(0).build()
                      : Avm.regressor().budget(s.budget()).cells(0).build()),
          new Method("perceptron", "Perceptron", classes(GAMMA), Perceptron::new),
          new Method("ogd", "OGD", both(GAMMA, ETA), KernelGradientDescent::new),
          new Method("rbp", "RBP", stepping(GAMMA), RandomBudgetPerceptron::new),
          new Method("forgetron", "Forgetron", stepping(GAMMA), Forgetron::new),
          new Method("projectron", "Projectron", stepping(GAMMA), Projectron::plain),
          new Method(
              "projectron++", "Projectron++", classes(GAMMA), (task, s) -> Projectron.plusPlus(s)),
          new Method("bpas", "BPAS", classes(GAMMA, C), (t, s) -> new BudgetPassiveAggressive(s)),
          new Method("bogd", "BOGD", both(GAMMA, ETA), BudgetGradientDescent::new),
          new Method("fogd", "FOGD", both(GAMMA, ETA), FourierGradientDescent::new),
          new Method("nogd", "NOGD", both(GAMMA, ETA), NystromGradientDescent::new),
          new Method("bsgd-m", "BSGD-M", classes(GAMMA, LAMBDA), (t, s) -> BudgetSgd.merging(s)),
          new Method("bsgd-r", "BSGD-R", classes(GAMMA, LAMBDA), (t, s) -> BudgetSgd.removing(s)));

  private static final List<Method> ALL =
      Stream.concat(Methods.all().stream(), OTHERS.stream()).toList();

  private PaperMethods() {}

  /** {@return all methods, the library's first} */
  public static List<Method> all() {
    return ALL;
  }

  /** {@return the methods that the library has not} */
  static List<Method> others() {
    return OTHERS;
  }

  /**
   * {@return the method of that name; {@code paper} is the paper's learner with the hinge or
   * ε-insensitive loss}
   */
  public static Method of(String name, Task task) {
    return Methods.of(name, task, ALL);
  }

  private static Map<Task, Set<Knob>> both(Knob... knobs) {
    return Map.of(Task.CLASSIFICATION, Set.of(knobs), Task.REGRESSION, Set.of(knobs));
  }

  private static Map<Task, Set<Knob>> classes(Knob... knobs) {
    return Map.of(Task.CLASSIFICATION, Set.of(knobs));
  }

  /** γ for both, and for numbers the size of a step, which a Perceptron of classes has not. */
  private static Map<Task, Set<Knob>> stepping(Knob gamma) {
    return Map.of(Task.CLASSIFICATION, Set.of(gamma), Task.REGRESSION, Set.of(gamma, ETA));
  }
}
