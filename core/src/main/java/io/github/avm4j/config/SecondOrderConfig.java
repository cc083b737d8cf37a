// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the second-order learner.
 *
 * <p>An immutable value: equal settings are equal objects.
 */
public final class SecondOrderConfig implements LearnerConfig {
  /** Beyond this the S×S matrices take more than 1.6 GB. */
  public static final int MAX_BUDGET = 10_000;

  private final SecondOrderSettings values;

  private SecondOrderConfig(SecondOrderSettings values) {
    this.values = values;
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
    Builder builder = new Builder(values.task());
    builder.kernel = values.kernel();
    builder.loss = values.loss();
    builder.lambda = values.lambda();
    builder.skip = values.skip();
    builder.novelty = values.novelty();
    builder.forgetting = values.forgetting();
    builder.budget = values.budget();
    builder.memory = values.memory();
    builder.replacing = values.replacing();
    builder.features = values.features();
    builder.labels = values.labels();
    return builder;
  }

  @Override
  public Task task() {
    return values.task();
  }

  @Override
  public Kernel kernel() {
    return values.kernel();
  }

  @Override
  public Loss loss() {
    return values.loss();
  }

  @Override
  public double lambda() {
    return values.lambda();
  }

  /**
   * Instances whose gradient is at most this are not learned from: a probability for
   * classification, a share of the standard deviation of recent residuals for regression.
   *
   * @return the bound, in [0, 1)
   */
  public double skip() {
    return values.skip();
  }

  /**
   * ν in (0, 1): an instance becomes a core point if its squared distance to the span of the core
   * points exceeds this; ten times this, up to 0.5, once half of the budget is used; less, down to
   * 1e-5, while residuals are below a tenth of the targets.
   *
   * @return ν
   */
  public double novelty() {
    return values.novelty();
  }

  /** {@return the forgetting factor per learned instance, in (0, 1]; 1 forgets nothing} */
  public double forgetting() {
    return values.forgetting();
  }

  @Override
  public int budget() {
    return values.budget();
  }

  /**
   * Most bytes of heap between two instances; 0 for no bound but the budget. Instances that would
   * leave no room for eight core points are refused.
   *
   * @return the bound, in bytes
   */
  public long memory() {
    return values.memory();
  }

  /**
   * Whether core points are replaced once the budget is used up: by better ones, or, where it
   * forgets, the oldest by each instance learned from.
   *
   * @return whether core points are replaced
   */
  public boolean replacing() {
    return values.replacing();
  }

  @Override
  public int features() {
    return values.features();
  }

  @Override
  public List<Double> labels() {
    return values.labels();
  }

  @Override
  public Map<String, Object> toMap() {
    return Checks.toMap(values);
  }

  @Override
  public SecondOrderConfig withLabels(List<Double> known) {
    return toBuilder().labels(known).build();
  }

  /**
   * {@return the same with another forgetting factor}
   *
   * @param value factor in (0, 1]
   */
  public SecondOrderConfig withForgetting(double value) {
    return toBuilder().forgetting(value).build();
  }

  /**
   * {@return the same with another choice of replacing}
   *
   * @param value whether core points are replaced
   */
  public SecondOrderConfig withReplacing(boolean value) {
    return toBuilder().replacing(value).build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SecondOrderConfig config && config.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString().replaceFirst("SecondOrderSettings", "SecondOrderConfig");
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
     * Loss: logistic for classification; squared, absolute, Huber or ε-insensitive for regression.
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
     * @param value distinct finite labels; empty for regression
     * @return this builder
     */
    public Builder labels(List<Double> value) {
      labels = value;
      return this;
    }

    /**
     * {@return the checked settings}
     *
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
    public SecondOrderConfig build() {
      return new SecondOrderConfig(
          new SecondOrderSettings(
              task,
              set("kernel", kernel),
              loss,
              lambda,
              skip,
              novelty,
              forgetting,
              budget,
              memory,
              replacing,
              features,
              labels));
    }

    private static <T> T set(String name, @Nullable T value) {
      if (value == null) {
        throw new IllegalArgumentException(name + " must be set");
      }
      return value;
    }
  }
}
