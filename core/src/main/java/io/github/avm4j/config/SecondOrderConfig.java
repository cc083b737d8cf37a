// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;
import java.util.List;

/**
 * Every knob of the second-order learner, checked.
 *
 * @param task classes or numbers
 * @param kernel k(‖x−x′‖²), k(0) = 1
 * @param loss logistic for classes; squared, absolute or ε-insensitive for numbers
 * @param lambda λ &gt; 0: weight of ‖f‖² against one instance's loss
 * @param skip instances whose gradient is at most this are not learned from: a probability for
 *     classification, a share of the recent residuals' standard deviation for regression
 * @param novelty ν in (0, 1): an instance becomes a core point if its squared distance to the span
 *     of the core points exceeds this; ten times this, up to 0.5, once half of the budget is used;
 *     less, down to 1e-5, while residuals are below a tenth of the targets' size
 * @param forgetting share of what was learned that each learned instance leaves, in (0, 1]; 1:
 *     nothing is forgotten
 * @param budget most core points kept, at least 1
 * @param memory most bytes of heap between two instances, 0 for no bound but the budget: no core
 *     point is added that could exceed it, some give way to a new class, and what leaves no room
 *     for eight is refused
 * @param replacing whether a core point gives its place to a better one once the budget is used up
 * @param features number of features, 0 to take it from the first dense instance
 * @param labels classes known in advance, in order; more may appear at any time
 */
public record SecondOrderConfig(
    Task task,
    Kernel kernel,
    Loss loss,
    double lambda,
    double skip,
    double novelty,
    double forgetting,
    int budget,
    long memory,
    boolean replacing,
    int features,
    List<Double> labels)
    implements LearnerConfig {

  /** Beyond this the S×S matrices take more than 1.6 GB. */
  public static final int MAX_BUDGET = 10_000;

  /** Checks every value; a message names the value and its range. */
  public SecondOrderConfig {
    Checks.lambda(lambda);
    Checks.require(skip >= 0 && skip < 1, "skip", "in [0, 1)", skip);
    Checks.require(novelty > 0 && novelty < 1, "novelty", "in (0, 1)", novelty);
    Checks.require(forgetting > 0 && forgetting <= 1, "forgetting", "in (0, 1]", forgetting);
    Checks.require(memory >= 0, "memory", ">= 0 bytes (0: no bound)", memory);
    Checks.require(budget >= 1 && budget <= MAX_BUDGET, "budget", "in 1.." + MAX_BUDGET, budget);
    Checks.features(features);
    labels = Checks.labels(task, labels);
    Checks.loss(task, loss);
    if (loss instanceof Hinge || loss instanceof SmoothHinge) {
      throw new IllegalArgumentException(
          "loss must be logistic for classification by this learner, was "
              + Checks.name(loss)
              + ", which has no curvature; the paper's learner takes it (Avm.paperClassifier)");
    }
  }

  /** Nothing is forgotten, no bound on bytes, core points are replaced. */
  public SecondOrderConfig(
      Task task,
      Kernel kernel,
      Loss loss,
      double lambda,
      double skip,
      double novelty,
      int budget,
      int features,
      List<Double> labels) {
    this(task, kernel, loss, lambda, skip, novelty, 1, budget, 0, true, features, labels);
  }

  @Override
  public SecondOrderConfig withLabels(List<Double> known) {
    return new SecondOrderConfig(
        task,
        kernel,
        loss,
        lambda,
        skip,
        novelty,
        forgetting,
        budget,
        memory,
        replacing,
        features,
        known);
  }

  /** The same with another rate of forgetting. */
  public SecondOrderConfig withForgetting(double value) {
    return new SecondOrderConfig(
        task, kernel, loss, lambda, skip, novelty, value, budget, memory, replacing, features,
        labels);
  }

  /** The same with other core points' replacement. */
  public SecondOrderConfig withReplacing(boolean value) {
    return new SecondOrderConfig(
        task,
        kernel,
        loss,
        lambda,
        skip,
        novelty,
        forgetting,
        budget,
        memory,
        value,
        features,
        labels);
  }
}
