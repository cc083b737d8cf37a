// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import java.util.List;

/**
 * What may be told to the learner that finds the rest by itself on its first instances.
 *
 * @param task classes or numbers
 * @param loss as for the second-order learner
 * @param gamma of the Gaussian kernel, 0 to find it
 * @param lambda λ &gt; 0
 * @param skip see {@link SecondOrderConfig}
 * @param novelty see {@link SecondOrderConfig}
 * @param forgetting share of what was learned that each learned instance leaves, 0 to find it
 * @param budget most core points with all of the second order
 * @param fine most fine points, which correct them where that pays; 0 for none
 * @param memory most bytes of heap between two instances, 0 for no bound but the budget
 * @param scaling how features are brought to a common scale
 * @param estimation number of first instances that scaling and γ are found on; fewer if they
 *     outgrow {@link #learnerMemory}
 * @param features number of features, 0 to take it from the first dense instance
 * @param labels classes known in advance
 */
public record AutoConfig(
    Task task,
    Loss loss,
    double gamma,
    double lambda,
    double skip,
    double novelty,
    double forgetting,
    int budget,
    int fine,
    long memory,
    ScalingMode scaling,
    int estimation,
    int features,
    List<Double> labels) {

  /** Most instances that may be kept for estimation. */
  public static final int MAX_ESTIMATION = 100_000;

  /** Most fine points there may be. */
  public static final int MAX_FINE = 100_000;

  /** Most core points: four learners, side by side while parameters are found, fit one file. */
  public static final int MAX_BUDGET = 8000;

  /** A bound on bytes below this leaves no room to learn. */
  public static final long LEAST_MEMORY = 64 * 1024;

  /** Learners that may run beside each other while parameters are found, or kept instances. */
  public static final int MOST_LEARNERS = 4;

  /** Every learner may have 7/32 of the memory; an eighth is left for all else. */
  private static final int UNITS = 32;

  private static final int UNITS_A_LEARNER = 7;

  /** Checks what the final configuration would, and the rest. */
  public AutoConfig {
    Checks.require(
        gamma >= 0 && gamma < Double.POSITIVE_INFINITY, "gamma", ">= 0 (0: found)", gamma);
    Checks.require(
        estimation >= 1 && estimation <= MAX_ESTIMATION,
        "estimation",
        "in 1.." + MAX_ESTIMATION,
        estimation);
    labels = Checks.labels(task, labels);
    Checks.require(budget >= 1 && budget <= MAX_BUDGET, "budget", "in 1.." + MAX_BUDGET, budget);
    Checks.require(
        forgetting >= 0 && forgetting <= 1, "forgetting", "in [0, 1] (0: found)", forgetting);
    Checks.require(fine >= 0 && fine <= MAX_FINE, "fine", "in 0.." + MAX_FINE, fine);
    Checks.require(
        memory == 0 || memory >= LEAST_MEMORY,
        "memory",
        ">= " + LEAST_MEMORY + " bytes (0: no bound)",
        memory);
    new SecondOrderConfig(
        task,
        new io.github.avm4j.kernel.Gaussian(1),
        loss,
        lambda,
        skip,
        novelty,
        forgetting == 0 ? 1 : forgetting,
        budget,
        memory,
        true,
        features,
        labels);
  }

  /** The defaults for a task; measured in docs/benchmarks.md. */
  public static AutoConfig of(Task task) {
    boolean classes = task == Task.CLASSIFICATION;
    return new AutoConfig(
        task,
        classes ? new Logistic() : new SquaredLoss(),
        0,
        0.01,
        0.2,
        1e-3,
        0,
        512,
        4096,
        0,
        ScalingMode.AUTOMATIC,
        1000,
        0,
        List.of());
  }

  /** Bytes that one learner, or the instances kept while estimating, may hold; 0 for no bound. */
  public long learnerMemory() {
    return memory / UNITS * UNITS_A_LEARNER;
  }

  /** Bytes that all else may hold: the scaling, above all. */
  public long otherMemory() {
    return memory - MOST_LEARNERS * learnerMemory();
  }

  /** The least memory in which a learner may hold so many bytes. */
  public static long memoryFor(long learnerMemory) {
    return (learnerMemory + UNITS_A_LEARNER - 1) / UNITS_A_LEARNER * UNITS;
  }

  /** The learner's configuration once γ is known. */
  public SecondOrderConfig with(double foundGamma) {
    return new SecondOrderConfig(
        task,
        new io.github.avm4j.kernel.Gaussian(foundGamma),
        loss,
        lambda,
        skip,
        novelty,
        forgetting == 0 ? 1 : forgetting,
        budget,
        learnerMemory(),
        true,
        features,
        labels);
  }
}
