// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.loss.Loss;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the default learner, which estimates what is not set.
 *
 * <p>An immutable value: equal settings are equal objects.
 */
public final class AutoConfig {
  /** Most instances that may be kept for estimation. */
  public static final int MAX_ESTIMATION = 100_000;

  /** Most cells there may be. */
  public static final int MAX_CELLS = 100_000;

  /** Most core points: four learners, side by side while parameters are found, fit one file. */
  public static final int MAX_BUDGET = 8000;

  /** A bound on bytes below this leaves no room to learn. */
  public static final long LEAST_MEMORY = 64 * 1024;

  private final AutoSettings values;

  private AutoConfig(AutoSettings values) {
    this.values = values;
  }

  /**
   * {@return a builder for a task; every setting has a default}
   *
   * @param task classification or regression
   */
  public static Builder builder(Task task) {
    return new Builder(task);
  }

  /** {@return a builder that begins with these settings} */
  public Builder toBuilder() {
    return values.toBuilder();
  }

  /** {@return the task: classification or regression} */
  public Task task() {
    return values.task();
  }

  /**
   * {@return the loss: logistic for classification; squared, absolute, Huber or ε-insensitive for
   * regression}
   */
  public Loss loss() {
    return values.loss();
  }

  /** {@return the kernels to choose from} */
  public KernelChoice kernel() {
    return values.kernel();
  }

  /** {@return γ of the kernel exp(−γ‖x − y‖²), after scaling; 0 estimates it} */
  public double gamma() {
    return values.gamma();
  }

  /** {@return the regularisation λ, in [1e-12, 1e12]} */
  public double lambda() {
    return values.lambda();
  }

  /**
   * {@return the largest gradient, in [0, 1), that is not learned from: a probability for
   * classification, a share of the standard deviation of recent residuals for regression}
   */
  public double skip() {
    return values.skip();
  }

  /**
   * {@return ν in (0, 1): an instance becomes a core point if its squared distance to the span of
   * the core points exceeds this; ten times this, up to 0.5, once half of the budget is used; less,
   * down to 1e-5, while residuals are below a tenth of the targets}
   */
  public double novelty() {
    return values.novelty();
  }

  /** {@return the forgetting factor per learned instance, in (0, 1]; 0 estimates it} */
  public double forgetting() {
    return values.forgetting();
  }

  /** {@return the largest number of core points; time and memory grow with its square} */
  public int budget() {
    return values.budget();
  }

  /** {@return the largest number of cells of the input space; 0 leaves it whole} */
  public int cells() {
    return values.cells();
  }

  /** {@return the most bytes of heap between two instances, search included; 0 for no bound} */
  public long memory() {
    return values.memory();
  }

  /** {@return the mode in which features are brought to a common scale} */
  public ScalingMode scaling() {
    return values.scaling();
  }

  /**
   * {@return the number of first instances that scaling and kernel are estimated on; fewer if they
   * outgrow a fifth of the memory}
   */
  public int estimation() {
    return values.estimation();
  }

  /** {@return the number of features; 0 takes it from the first dense instance} */
  public int features() {
    return values.features();
  }

  /** {@return the classes known in advance, in order; more may appear at any time} */
  public List<Double> labels() {
    return values.labels();
  }

  /** {@return the levels of intervals or prediction sets, ascending; empty if none} */
  public List<Double> coverage() {
    return values.coverage();
  }

  /** {@return all settings by name, in a fixed order} */
  public Map<String, Object> toMap() {
    return Checks.toMap(values);
  }

  /**
   * {@return the default settings for a task}
   *
   * @param task classification or regression
   */
  public static AutoConfig of(Task task) {
    return builder(task).build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AutoConfig config && config.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString().replaceFirst("AutoSettings", "AutoConfig");
  }

  /** Builder; the last call of a kind counts. */
  public static final class Builder extends AutoDefaults {
    Builder(Task task) {
      super(task);
    }

    /**
     * Sets {@link AutoConfig#loss()}.
     *
     * @param value a loss that fits the task
     * @return this builder
     */
    public Builder loss(Loss value) {
      loss = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#kernel()}.
     *
     * @param value the kernels to choose from
     * @return this builder
     */
    public Builder kernel(KernelChoice value) {
      kernel = value;
      return this;
    }

    /**
     * γ of the kernel exp(−γ‖x − y‖²), after scaling; 0 estimates it.
     *
     * @param value γ &gt; 0; 0 estimates it
     * @return this builder
     */
    public Builder gamma(double value) {
      gamma = value;
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
     * Sets {@link AutoConfig#skip()}.
     *
     * @param value bound in [0, 1); 0 learns from every instance
     * @return this builder
     */
    public Builder skip(double value) {
      skip = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#novelty()}.
     *
     * @param value squared distance in feature space, in (0, 1)
     * @return this builder
     */
    public Builder novelty(double value) {
      novelty = value;
      return this;
    }

    /**
     * Forgetting factor per learned instance, in (0, 1]; 0 estimates it.
     *
     * @param value factor in (0, 1]; 0 estimates it
     * @return this builder
     */
    public Builder forgetting(double value) {
      forgetting = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#budget()}.
     *
     * @param value number of core points, in 1..8000
     * @return this builder
     */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#cells()}.
     *
     * @param value number of cells, in 0..{@value AutoConfig#MAX_CELLS}
     * @return this builder
     */
    public Builder cells(int value) {
      cells = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#memory()}.
     *
     * @param value bytes of heap, ≥ 65,536; 0 for no bound
     * @return this builder
     */
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#scaling()}.
     *
     * @param value the mode of scaling
     * @return this builder
     */
    public Builder scaling(ScalingMode value) {
      scaling = value;
      return this;
    }

    /**
     * Sets {@link AutoConfig#estimation()}.
     *
     * @param value number of instances, in 1..100,000
     * @return this builder
     */
    public Builder estimation(int value) {
      estimation = value;
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
     * Sets {@link AutoConfig#coverage()}; 0.8, 0.9 and 0.95 by default.
     *
     * @param value levels in (0, 1); empty for none
     * @return this builder
     */
    public Builder coverage(List<Double> value) {
      coverage = value;
      return this;
    }

    /**
     * {@return the checked settings}
     *
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
    public AutoConfig build() {
      return new AutoConfig(new AutoSettings(this));
    }
  }
}
