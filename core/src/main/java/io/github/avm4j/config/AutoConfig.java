// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
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

  /** Most fine points there may be. */
  public static final int MAX_FINE = 100_000;

  /** Most core points: four learners, side by side while parameters are found, fit one file. */
  public static final int MAX_BUDGET = 8000;

  /** A bound on bytes below this leaves no room to learn. */
  public static final long LEAST_MEMORY = 64 * 1024;

  private final Values values;

  /** The settings, checked; equality, hash code and names come from here. */
  record Values(
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
    Values {
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
      engine(task, 1)
          .loss(loss)
          .lambda(lambda)
          .skip(skip)
          .novelty(novelty)
          .forgetting(forgetting == 0 ? 1 : forgetting)
          .budget(budget)
          .memory(memory)
          .features(features)
          .labels(labels)
          .build();
    }
  }

  private AutoConfig(Values values) {
    this.values = values;
  }

  /** Builder for a task; every setting has a default. */
  public static Builder builder(Task task) {
    return new Builder(task);
  }

  /** A builder that begins with these settings. */
  public Builder toBuilder() {
    Builder builder = new Builder(values.task);
    builder.loss = values.loss;
    builder.gamma = values.gamma;
    builder.lambda = values.lambda;
    builder.skip = values.skip;
    builder.novelty = values.novelty;
    builder.forgetting = values.forgetting;
    builder.budget = values.budget;
    builder.fine = values.fine;
    builder.memory = values.memory;
    builder.scaling = values.scaling;
    builder.estimation = values.estimation;
    builder.features = values.features;
    builder.labels = values.labels;
    return builder;
  }

  /** Classification or regression. */
  public Task task() {
    return values.task;
  }

  /**
   * Loss: logistic for classification; squared, absolute, Huber or ε-insensitive for regression.
   */
  public Loss loss() {
    return values.loss;
  }

  /** γ of the kernel exp(−γ‖x − y‖²), after scaling; 0 estimates it. */
  public double gamma() {
    return values.gamma;
  }

  /** Regularisation λ, in [1e-12, 1e12]. */
  public double lambda() {
    return values.lambda;
  }

  /**
   * Instances whose gradient is at most this are not learned from: a probability for
   * classification, a share of the standard deviation of recent residuals for regression.
   */
  public double skip() {
    return values.skip;
  }

  /**
   * ν in (0, 1): an instance becomes a core point if its squared distance to the span of the core
   * points exceeds this; ten times this, up to 0.5, once half of the budget is used; less, down to
   * 1e-5, while residuals are below a tenth of the targets.
   */
  public double novelty() {
    return values.novelty;
  }

  /** Forgetting factor per learned instance, in (0, 1]; 0 estimates it. */
  public double forgetting() {
    return values.forgetting;
  }

  /** Most core points; time and memory grow with its square. */
  public int budget() {
    return values.budget;
  }

  /** Most fine points, which correct the core points where that helps; 0 for none. */
  public int fine() {
    return values.fine;
  }

  /**
   * Most bytes of heap between two instances, the search for parameters included; 0 for no bound
   * but the budget.
   */
  public long memory() {
    return values.memory;
  }

  /** How features are brought to a common scale. */
  public ScalingMode scaling() {
    return values.scaling;
  }

  /**
   * Number of first instances that scaling and γ are estimated on; fewer if they outgrow a fifth of
   * the memory.
   */
  public int estimation() {
    return values.estimation;
  }

  /** Number of features; 0 takes it from the first dense instance. */
  public int features() {
    return values.features;
  }

  /** Classes known in advance, in order; more may appear at any time. */
  public List<Double> labels() {
    return values.labels;
  }

  /** All settings by name, in a fixed order. */
  public Map<String, Object> toMap() {
    return Checks.toMap(values);
  }

  private static SecondOrderConfig.Builder engine(Task task, double gamma) {
    return SecondOrderConfig.builder(task).kernel(new Gaussian(gamma));
  }

  /** The defaults for a task; measured in docs/benchmarks.md. */
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
    return values.toString().replaceFirst("Values", "AutoConfig");
  }

  /** Builder; the last call of a kind counts. */
  public static final class Builder {
    private final Task task;
    private Loss loss;
    private double gamma;
    private double lambda = 0.01;
    private double skip = 0.2;
    private double novelty = 1e-3;
    private double forgetting;
    private int budget = 512;
    private int fine = 4096;
    private long memory;
    private ScalingMode scaling = ScalingMode.AUTOMATIC;
    private int estimation = 1000;
    private int features;
    private List<Double> labels = List.of();

    private Builder(Task task) {
      this.task = task;
      loss = task == Task.CLASSIFICATION ? new Logistic() : new SquaredLoss();
    }

    /**
     * Loss: logistic for classification; squared, absolute, Huber or ε-insensitive for regression.
     */
    public Builder loss(Loss value) {
      loss = value;
      return this;
    }

    /** γ of the kernel exp(−γ‖x − y‖²), after scaling; 0 estimates it. */
    public Builder gamma(double value) {
      gamma = value;
      return this;
    }

    /** Regularisation λ, in [1e-12, 1e12]. */
    public Builder lambda(double value) {
      lambda = value;
      return this;
    }

    /**
     * Instances whose gradient is at most this are not learned from: a probability for
     * classification, a share of the standard deviation of recent residuals for regression.
     */
    public Builder skip(double value) {
      skip = value;
      return this;
    }

    /**
     * ν in (0, 1): an instance becomes a core point if its squared distance to the span of the core
     * points exceeds this; ten times this, up to 0.5, once half of the budget is used; less, down
     * to 1e-5, while residuals are below a tenth of the targets.
     */
    public Builder novelty(double value) {
      novelty = value;
      return this;
    }

    /** Forgetting factor per learned instance, in (0, 1]; 0 estimates it. */
    public Builder forgetting(double value) {
      forgetting = value;
      return this;
    }

    /** Most core points; time and memory grow with its square. */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /** Most fine points, which correct the core points where that helps; 0 for none. */
    public Builder fine(int value) {
      fine = value;
      return this;
    }

    /**
     * Most bytes of heap between two instances, the search for parameters included; 0 for no bound
     * but the budget.
     */
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /** How features are brought to a common scale. */
    public Builder scaling(ScalingMode value) {
      scaling = value;
      return this;
    }

    /**
     * Number of first instances that scaling and γ are estimated on; fewer if they outgrow a fifth
     * of the memory.
     */
    public Builder estimation(int value) {
      estimation = value;
      return this;
    }

    /** Number of features; 0 takes it from the first dense instance. */
    public Builder features(int value) {
      features = value;
      return this;
    }

    /** Classes known in advance, in order; more may appear at any time. */
    public Builder labels(List<Double> value) {
      labels = value;
      return this;
    }

    /**
     * The checked settings.
     *
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
    public AutoConfig build() {
      return new AutoConfig(
          new Values(
              task,
              loss,
              gamma,
              lambda,
              skip,
              novelty,
              forgetting,
              budget,
              fine,
              memory,
              scaling,
              estimation,
              features,
              labels));
    }
  }
}
