// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.approximation.Confidence;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Loss;
import java.util.List;

/**
 * Every knob of the paper's learner, checked. Two learners with equal configurations that see the
 * same instances on the same platform are equal to the bit.
 *
 * @param task classes or numbers
 * @param kernel k(‖x−x′‖²), k(0) = 1
 * @param loss must fit the task
 * @param lambda λ &gt; 0 of the regulariser (λ/2)‖w‖²; the step is 1/(λt)
 * @param coverage the cells and their diameter δ
 * @param approximation the policy Z_t
 * @param output which iterate or average answers
 * @param budget most core points kept, 0 for no limit but the coverage's own
 * @param whenFull what happens to an instance that needs a core point beyond the budget
 * @param yMax largest |y| for the projection of the squared loss with λ ≤ 1; 0 to track it
 * @param features number of features, 0 to take it from the first dense instance
 * @param labels classes known in advance, in order; more may appear at any time
 * @param seed of the random draws of the policy
 */
public record AvmConfig(
    Task task,
    Kernel kernel,
    Loss loss,
    double lambda,
    Coverage coverage,
    Approximation approximation,
    Output output,
    int budget,
    WhenFull whenFull,
    double yMax,
    int features,
    List<Double> labels,
    long seed)
    implements LearnerConfig {

  /** Checks every value; a message names the value and its range. */
  public AvmConfig {
    Checks.lambda(lambda);
    Checks.require(budget >= 0, "budget", ">= 0 (0: no limit)", budget);
    Checks.require(yMax >= 0 && yMax < Double.POSITIVE_INFINITY, "yMax", ">= 0 and finite", yMax);
    Checks.features(features);
    labels = Checks.labels(task, labels);
    Checks.loss(task, loss);
    if (task == Task.REGRESSION && approximation instanceof Confidence) {
      throw new IllegalArgumentException(
          "approximation must not be Confidence for regression: a number has no margin");
    }
  }

  @Override
  public AvmConfig withLabels(List<Double> known) {
    return new AvmConfig(
        task,
        kernel,
        loss,
        lambda,
        coverage,
        approximation,
        output,
        budget,
        whenFull,
        yMax,
        features,
        known,
        seed);
  }
}
