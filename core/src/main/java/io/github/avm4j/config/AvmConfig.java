// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.averaging.LastIterate;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the paper's learner.
 *
 * <p>An immutable value. Two learners with equal settings that see the same instances on the same
 * platform are equal to the bit.
 */
public final class AvmConfig implements LearnerConfig {

  private final AvmSettings values;

  private AvmConfig(AvmSettings values) {
    this.values = values;
  }

  /**
   * {@return a builder for a task; every setting has a default but the kernel, λ and the coverage}
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
    builder.coverage = values.coverage();
    builder.approximation = values.approximation();
    builder.output = values.output();
    builder.budget = values.budget();
    builder.whenFull = values.whenFull();
    builder.yMax = values.yMax();
    builder.features = values.features();
    builder.labels = values.labels();
    builder.seed = values.seed();
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

  /** {@return the shape of the cells and their diameter δ} */
  public Coverage coverage() {
    return values.coverage();
  }

  /** {@return the policy Z_t: whether an instance is replaced by the core point of its cell} */
  public Approximation approximation() {
    return values.approximation();
  }

  /** {@return which iterate, or average of iterates, predicts} */
  public Output output() {
    return values.output();
  }

  @Override
  public int budget() {
    return values.budget();
  }

  /** {@return what happens to an instance that needs a core point beyond the budget} */
  public WhenFull whenFull() {
    return values.whenFull();
  }

  /** {@return the largest |y| for the projection of the squared loss with λ ≤ 1; 0 tracks it} */
  public double yMax() {
    return values.yMax();
  }

  @Override
  public int features() {
    return values.features();
  }

  @Override
  public List<Double> labels() {
    return values.labels();
  }

  /** {@return the seed of the random draws of the approximation policy} */
  public long seed() {
    return values.seed();
  }

  @Override
  public Map<String, Object> toMap() {
    return Checks.toMap(values);
  }

  @Override
  public AvmConfig withLabels(List<Double> known) {
    return toBuilder().labels(known).build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AvmConfig config && config.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString().replaceFirst("AvmSettings", "AvmConfig");
  }

  /** Builder; the last call of a kind counts. */
  public static final class Builder {
    private final Task task;
    private @Nullable Kernel kernel;
    private Loss loss;
    private double lambda;
    private @Nullable Coverage coverage;
    private Approximation approximation = new Always();
    private Output output = new LastIterate();
    private int budget;
    private WhenFull whenFull = WhenFull.ABSORB;
    private double yMax;
    private int features;
    private List<Double> labels = List.of();
    private long seed = 1;

    private Builder(Task task) {
      this.task = task;
      loss = task == Task.CLASSIFICATION ? new Hinge() : new EpsilonInsensitive(0.1);
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
     * Loss; it must fit the task.
     *
     * @param value a loss that fits the task
     * @return this builder
     */
    public Builder loss(Loss value) {
      loss = value;
      return this;
    }

    /**
     * Regularisation λ of (λ/2)‖w‖², in [1e-12, 1e12]; the step is 1/(λt).
     *
     * @param value λ, in [1e-12, 1e12]
     * @return this builder
     */
    public Builder lambda(double value) {
      lambda = value;
      return this;
    }

    /**
     * Shape of the cells and their diameter δ.
     *
     * @param value shape and diameter of the cells
     * @return this builder
     */
    public Builder coverage(Coverage value) {
      coverage = value;
      return this;
    }

    /**
     * Policy Z_t: whether an instance is replaced by the core point of its cell.
     *
     * @param value a policy; {@link io.github.avm4j.approximation.Confidence} for classification
     *     only
     * @return this builder
     */
    public Builder approximation(Approximation value) {
      approximation = value;
      return this;
    }

    /**
     * Which iterate, or average of iterates, predicts.
     *
     * @param value the output
     * @return this builder
     */
    public Builder output(Output value) {
      output = value;
      return this;
    }

    /**
     * Most core points; 0 for no bound but that of the coverage.
     *
     * @param value number of core points, ≥ 0
     * @return this builder
     */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /**
     * What happens to an instance that needs a core point beyond the budget.
     *
     * @param value absorb or refuse
     * @return this builder
     */
    public Builder whenFull(WhenFull value) {
      whenFull = value;
      return this;
    }

    /**
     * Largest |y| for the projection of the squared loss with λ ≤ 1; 0 tracks it.
     *
     * @param value a bound of |y|, ≥ 0; 0 tracks it
     * @return this builder
     */
    public Builder yMax(double value) {
      yMax = value;
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
     * Seed of the random draws of the approximation policy.
     *
     * @param value any number
     * @return this builder
     */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /**
     * {@return the checked settings}
     *
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
    public AvmConfig build() {
      return new AvmConfig(
          new AvmSettings(
              task,
              set("kernel", kernel),
              loss,
              lambda,
              set("coverage", coverage),
              approximation,
              output,
              budget,
              whenFull,
              yMax,
              features,
              labels,
              seed));
    }

    private static <T> T set(String name, @Nullable T value) {
      if (value == null) {
        throw new IllegalArgumentException(name + " must be set");
      }
      return value;
    }
  }
}
