// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checked settings of the second-order learner.
 *
 * @param task classification or regression
 * @param kernel the kernel k(‖x − x′‖²), with k(0) = 1
 * @param loss logistic for classification; one with regression as its task otherwise
 * @param lambda the regularisation λ
 * @param skip the largest gradient that is not learned from: a probability for classification, a
 *     share of the standard deviation of recent residuals for regression
 * @param novelty ν: an instance becomes a core point if its squared distance to the span of the
 *     core points exceeds this; ten times this, up to 0.5, once half of the budget is used; less,
 *     down to 1e-5, while residuals are below a tenth of the targets
 * @param forgetting the forgetting factor per learned instance; 1 forgets nothing
 * @param budget the largest number of core points
 * @param memory the most bytes of heap between two instances; 0 for no bound but the budget.
 *     Instances that would leave no room for eight core points are refused
 * @param replacing whether core points are replaced once the budget is used up: by better ones, or,
 *     where it forgets, the oldest by each instance learned from
 * @param features the number of features; 0 takes it from the first dense instance
 * @param labels the classes known in advance, in order; more may appear at any time
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

  /**
   * Checks the settings.
   *
   * @param task any
   * @param kernel any
   * @param loss of the task, with a second derivative or for regression
   * @param lambda in [1e-12, 1e12]
   * @param skip in [0, 1)
   * @param novelty in (0, 1)
   * @param forgetting in (0, 1]
   * @param budget in 1..{@value #MAX_BUDGET}
   * @param memory ≥ 0
   * @param replacing any
   * @param features ≥ 0
   * @param labels distinct and finite; none for regression
   * @throws IllegalArgumentException naming the setting that is not in its range, and the range
   */
  public SecondOrderConfig {
    Checks.newton(task, loss, lambda, skip, novelty);
    Checks.require(forgetting > 0 && forgetting <= 1, "forgetting", "in (0, 1]", forgetting);
    Checks.require(memory >= 0, "memory", ">= 0 bytes (0: no bound)", memory);
    Checks.within(1, MAX_BUDGET, "budget", budget);
    Checks.features(features);
    labels = Checks.labels(task, labels);
  }

  /**
   * {@return a builder for a task; every setting but the kernel has a default}
   *
   * @param task classification or regression
   */
  public static Builder builder(Task task) {
    return new Builder(task);
  }

  /** {@return a builder that begins with these settings} */
  public Builder toBuilder() {
    Builder builder = new Builder(task);
    builder.kernel = kernel;
    builder.loss = loss;
    builder.lambda = lambda;
    builder.skip = skip;
    builder.novelty = novelty;
    builder.forgetting = forgetting;
    builder.budget = budget;
    builder.memory = memory;
    builder.replacing = replacing;
    builder.features = features;
    builder.labels = labels;
    return builder;
  }

  @Override
  public Map<String, Object> toMap() {
    return Checks.toMap(this);
  }

  @Override
  public SecondOrderConfig withLabels(List<Double> known) {
    Builder builder = toBuilder();
    builder.labels = known;
    return builder.build();
  }

  /** Builder; the last call of a kind counts. */
  public static final class Builder {
    private final Task task;
    private @Nullable Kernel kernel;
    private Loss loss;
    private double lambda = 0.01;
    private double skip = 0.2;
    private double novelty = 1e-3;
    private double forgetting = 1;
    private int budget = 512;
    private long memory;
    private boolean replacing = true;
    private int features;
    private List<Double> labels = List.of();

    private Builder(Task task) {
      this.task = task;
      loss = task == Task.CLASSIFICATION ? new Logistic() : new SquaredLoss();
    }

    /**
     * Kernel k(‖x − y‖²) with k(0) = 1.
     *
     * @param value a kernel with k(0) = 1
     * @return this builder
     */
    public Builder kernel(Kernel value) {
      kernel = value;
      return this;
    }

    /**
     * Loss; logistic for classification and squared for regression by default.
     *
     * @param value a loss that fits the task
     * @return this builder
     */
    public Builder loss(Loss value) {
      loss = value;
      return this;
    }

    /**
     * Regularisation λ, in [1e-12, 1e12].
     *
     * @param value λ, in [1e-12, 1e12]
     * @return this builder
     */
    public Builder lambda(double value) {
      lambda = value;
      return this;
    }

    /**
     * Sets {@link SecondOrderConfig#skip()}.
     *
     * @param value bound in [0, 1); 0 learns from every instance
     * @return this builder
     */
    public Builder skip(double value) {
      skip = value;
      return this;
    }

    /**
     * Sets {@link SecondOrderConfig#novelty()}.
     *
     * @param value squared distance in feature space, in (0, 1)
     * @return this builder
     */
    public Builder novelty(double value) {
      novelty = value;
      return this;
    }

    /**
     * Forgetting factor per learned instance, in (0, 1]; 1 forgets nothing.
     *
     * @param value factor in (0, 1]
     * @return this builder
     */
    public Builder forgetting(double value) {
      forgetting = value;
      return this;
    }

    /**
     * Most core points, at least 1.
     *
     * @param value number of core points, in 1..10,000
     * @return this builder
     */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /**
     * Sets {@link SecondOrderConfig#memory()}.
     *
     * @param value bytes of heap, ≥ 0; 0 for no bound
     * @return this builder
     */
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /**
     * Whether core points are replaced once the budget is used up: by better ones, or, where it
     * forgets, the oldest by each instance learned from.
     *
     * @param value whether core points are replaced
     * @return this builder
     */
    public Builder replacing(boolean value) {
      replacing = value;
      return this;
    }

    /**
     * Number of features; 0 takes it from the first dense instance.
     *
     * @param value number of features, ≥ 0; 0 for that of the first dense instance
     * @return this builder
     */
    public Builder features(int value) {
      features = value;
      return this;
    }

    /**
     * Classes known in advance, in order; more may appear at any time.
     *
     * @param values distinct finite labels; none for regression
     * @return this builder
     */
    public Builder labels(double... values) {
      labels = Arrays.stream(values).boxed().toList();
      return this;
    }

    /**
     * {@return the checked settings}
     *
     * @throws IllegalStateException if no kernel is set
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
    public SecondOrderConfig build() {
      if (kernel == null) {
        throw new IllegalStateException("kernel is not set: call kernel(k)");
      }
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
          labels);
    }
  }
}
