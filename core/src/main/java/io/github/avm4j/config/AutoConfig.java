// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Checked settings of the default learner, which estimates what is not set.
 *
 * @param task classification or regression
 * @param loss logistic for classification; one with regression as its task otherwise
 * @param kernel the kernels to choose from
 * @param gamma γ of the kernel exp(−γ‖x − y‖²), after scaling; 0 estimates it
 * @param lambda the regularisation λ
 * @param skip the largest gradient that is not learned from: a probability for classification, a
 *     share of the standard deviation of recent residuals for regression
 * @param novelty ν: an instance becomes a core point if its squared distance to the span of the
 *     core points exceeds this; ten times this, up to 0.5, once half of the budget is used; less,
 *     down to 1e-5, while residuals are below a tenth of the targets
 * @param forgetting the forgetting factor per learned instance, with which nothing begins afresh; 0
 *     estimates it
 * @param budget the largest number of core points; time and memory grow with its square
 * @param cells the largest number of cells of the input space; 0 leaves it whole
 * @param memory the most bytes of heap between two instances, all that is tried included; 0 for no
 *     bound; with one the space is not divided and nothing begins afresh
 * @param scaling the mode in which features are brought to a common scale
 * @param estimation the number of first instances that scaling and kernel are estimated on; fewer
 *     if they outgrow an eighth of the memory
 * @param features the number of features; 0 takes it from the first dense instance
 * @param labels the classes known in advance, in order; more may appear at any time
 * @param levels the levels of intervals or prediction sets, ascending; empty if none
 */
public record AutoConfig(
    Task task,
    Loss loss,
    KernelChoice kernel,
    double gamma,
    double lambda,
    double skip,
    double novelty,
    double forgetting,
    int budget,
    int cells,
    long memory,
    ScalingMode scaling,
    int estimation,
    int features,
    List<Double> labels,
    List<Double> levels) {
  /** Most instances that may be kept for estimation. */
  public static final int MAX_ESTIMATION = 100_000;

  /** Most cells there may be. */
  public static final int MAX_CELLS = 100_000;

  /** Most core points: five experts, side by side while parameters are found, fit one file. */
  public static final int MAX_BUDGET = 7000;

  /** A bound on bytes below this leaves no room to learn. */
  public static final long LEAST_MEMORY = 64 * 1024;

  /**
   * Checks the settings.
   *
   * @param task any
   * @param loss of the task, with a second derivative or for regression
   * @param kernel any
   * @param gamma ≥ 0
   * @param lambda in [1e-12, 1e12]
   * @param skip in [0, 1)
   * @param novelty in (0, 1)
   * @param forgetting in [0, 1]
   * @param budget in 1..{@value #MAX_BUDGET}
   * @param cells in 0..{@value #MAX_CELLS}
   * @param memory 0, or ≥ {@value #LEAST_MEMORY}
   * @param scaling any
   * @param estimation in 1..{@value #MAX_ESTIMATION}
   * @param features ≥ 0
   * @param labels distinct and finite; none for regression
   * @param levels at most 16, in (0, 1)
   * @throws IllegalArgumentException naming the setting that is not in its range, and the range
   */
  public AutoConfig {
    Checks.require(
        gamma >= 0 && gamma < Double.POSITIVE_INFINITY, "gamma", ">= 0 (0: estimated)", gamma);
    Checks.within(1, MAX_ESTIMATION, "estimation", estimation);
    Checks.within(1, MAX_BUDGET, "budget", budget);
    Checks.require(
        forgetting >= 0 && forgetting <= 1, "forgetting", "in [0, 1] (0: estimated)", forgetting);
    Checks.within(0, MAX_CELLS, "cells", cells);
    Checks.require(
        memory == 0 || memory >= LEAST_MEMORY,
        "memory",
        ">= " + LEAST_MEMORY + " bytes (0: no bound)",
        memory);
    Checks.newton(task, loss, lambda, skip, novelty);
    Checks.features(features);
    labels = Checks.labels(task, labels);
    levels = Checks.levels(levels);
  }

  /**
   * {@return the default settings for a task}
   *
   * @param task classification or regression
   */
  public static AutoConfig of(Task task) {
    return new Builder<>(task, config -> config).build();
  }

  /** {@return a builder that begins with these settings} */
  public Builder<AutoConfig> toBuilder() {
    Builder<AutoConfig> builder = new Builder<>(task, config -> config);
    builder.loss = loss;
    builder.kernel = kernel;
    builder.gamma = gamma;
    builder.lambda = lambda;
    builder.skip = skip;
    builder.novelty = novelty;
    builder.forgetting = forgetting;
    builder.budget = budget;
    builder.cells = cells;
    builder.memory = memory;
    builder.scaling = scaling;
    builder.estimation = estimation;
    builder.features = features;
    builder.labels = labels;
    builder.levels = levels;
    return builder;
  }

  /** {@return all settings by name, in a fixed order} */
  public Map<String, Object> toMap() {
    return Checks.toMap(this);
  }

  /**
   * Builder of the default learner; every setting is optional, the last call counts.
   *
   * @param <L> what is built: a learner, or its settings
   */
  public static final class Builder<L> {
    private final Task task;
    private final Function<AutoConfig, L> made;
    private Loss loss;
    private KernelChoice kernel = KernelChoice.AUTOMATIC;
    private double gamma;
    private double lambda = 0.01;
    private double skip = 0.2;
    private double novelty = 1e-3;
    private double forgetting;
    private int budget = 512;
    private int cells = 256;
    private long memory;
    private ScalingMode scaling = ScalingMode.AUTOMATIC;
    private int estimation = 1000;
    private int features;
    private List<Double> labels = List.of();
    private List<Double> levels = List.of(0.8, 0.9, 0.95);

    /**
     * A builder with the default settings.
     *
     * @param task classification or regression
     * @param made what {@link #build} makes of the settings
     */
    public Builder(Task task, Function<AutoConfig, L> made) {
      this.task = task;
      this.made = made;
      loss = task == Task.CLASSIFICATION ? new Logistic() : new SquaredLoss();
    }

    /**
     * γ of the kernel exp(−γ‖x − y‖²), after scaling; estimated by default.
     *
     * @param value γ &gt; 0; 0 estimates it
     * @return this builder
     */
    public Builder<L> gamma(double value) {
      gamma = value;
      return this;
    }

    /**
     * Weight of ‖f‖² against one instance's loss; 0.01 by default.
     *
     * @param value λ, in [1e-12, 1e12]
     * @return this builder
     */
    public Builder<L> lambda(double value) {
      lambda = value;
      return this;
    }

    /**
     * Loss; logistic for classification and squared for regression by default.
     *
     * @param value a loss that fits the task
     * @return this builder
     */
    public Builder<L> loss(Loss value) {
      loss = value;
      return this;
    }

    /**
     * Kernels to choose from; all by default. {@code GAUSSIAN} for a model that PMML or LIBSVM can
     * express.
     *
     * @param value the kernels to choose from
     * @return this builder
     */
    public Builder<L> kernel(KernelChoice value) {
      kernel = value;
      return this;
    }

    /**
     * Most core points; 512 by default. Time and memory grow with its square.
     *
     * @param value number of core points, in 1..7000
     * @return this builder
     */
    public Builder<L> budget(int value) {
      budget = value;
      return this;
    }

    /**
     * Most cells that the input space is divided into as the stream gets longer; 256 by default, 0
     * leaves it whole. A cell has up to 256 core points of its own where that lowers the error; a
     * prediction takes the core points of one cell.
     *
     * @param value number of cells, ≥ 0; 0 does not divide
     * @return this builder
     */
    public Builder<L> cells(int value) {
      cells = value;
      return this;
    }

    /**
     * Most bytes of heap the learner may hold between two instances, all it keeps while it finds
     * its parameters included; no bound but the budget by default. The estimation period ends early
     * where its instances outgrow an eighth of that. With a bound the space is not divided into
     * cells, and nothing begins afresh after a change. Classes take room from core points. A bound
     * too small for eight core points is refused; the message says how much is enough.
     *
     * @param bytes bytes of heap, ≥ 65,536; 0 for no bound
     * @return this builder
     */
    public Builder<L> memory(long bytes) {
      memory = bytes;
      return this;
    }

    /**
     * Forgetting factor per learned instance, in (0, 1]; 1 never forgets. By default it is
     * estimated: the learner forgets only where that lowers the loss, and begins afresh after a
     * change. With a factor that is set it does not begin afresh.
     *
     * @param value factor in (0, 1]; 0 estimates it
     * @return this builder
     */
    public Builder<L> forgetting(double value) {
      forgetting = value;
      return this;
    }

    /**
     * Instances whose gradient is at most this are not learned from (0.2 by default): a probability
     * for classification, a share of the standard deviation of recent residuals for regression.
     *
     * @param value bound in [0, 1); 0 learns from every instance
     * @return this builder
     */
    public Builder<L> skip(double value) {
      skip = value;
      return this;
    }

    /**
     * Instances this far from the span of the core points become one (0.001 by default), ten times
     * as far once half of the budget is used, nearer where targets have next to no noise.
     *
     * @param value squared distance in feature space, in (0, 1)
     * @return this builder
     */
    public Builder<L> novelty(double value) {
      novelty = value;
      return this;
    }

    /**
     * How features are brought to a common scale; automatic by default.
     *
     * @param value the mode of scaling
     * @return this builder
     */
    public Builder<L> scaling(ScalingMode value) {
      scaling = value;
      return this;
    }

    /**
     * Number of first instances that scaling and γ are estimated on; 1000 by default.
     *
     * @param value number of instances, in 1..100,000
     * @return this builder
     */
    public Builder<L> estimation(int value) {
      estimation = value;
      return this;
    }

    /**
     * Number of features; by default that of the first dense instance.
     *
     * @param value number of features, ≥ 0; 0 for that of the first dense instance
     * @return this builder
     */
    public Builder<L> features(int value) {
      features = value;
      return this;
    }

    /**
     * Classes known in advance, in order; others may still appear.
     *
     * @param values distinct finite labels; none for regression
     * @return this builder
     */
    public Builder<L> labels(double... values) {
      labels = Arrays.stream(values).boxed().toList();
      return this;
    }

    /**
     * Levels that intervals of a regression and prediction sets of a classification can be asked
     * for: the share of instances whose target they are to hold; 0.8, 0.9 and 0.95 by default.
     *
     * @param values levels in (0, 1); none for no intervals
     * @return this builder
     */
    public Builder<L> levels(double... values) {
      levels = Arrays.stream(values).boxed().toList();
      return this;
    }

    /**
     * {@return the checked settings}
     *
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
    public AutoConfig config() {
      return new AutoConfig(
          task,
          loss,
          kernel,
          gamma,
          lambda,
          skip,
          novelty,
          forgetting,
          budget,
          cells,
          memory,
          scaling,
          estimation,
          features,
          labels,
          levels);
    }

    /** {@return what is built of {@link #config}: a learner that has seen nothing} */
    public L build() {
      return made.apply(config());
    }
  }
}
