// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;
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

  private final Values values;

  /** The settings, checked; equality, hash code and names come from here. */
  record Values(
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
      List<Double> labels) {
    Values {
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
  }

  private SecondOrderConfig(Values values) {
    this.values = values;
  }

  /** Builder for a task; every setting has a default. */
  public static Builder builder(Task task) {
    return new Builder(task);
  }

  /** A builder that begins with these settings. */
  public Builder toBuilder() {
    Builder builder = new Builder(values.task);
    builder.kernel = values.kernel;
    builder.loss = values.loss;
    builder.lambda = values.lambda;
    builder.skip = values.skip;
    builder.novelty = values.novelty;
    builder.forgetting = values.forgetting;
    builder.budget = values.budget;
    builder.memory = values.memory;
    builder.replacing = values.replacing;
    builder.features = values.features;
    builder.labels = values.labels;
    return builder;
  }

  @Override
  public Task task() {
    return values.task;
  }

  @Override
  public Kernel kernel() {
    return values.kernel;
  }

  @Override
  public Loss loss() {
    return values.loss;
  }

  @Override
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

  /** Forgetting factor per learned instance, in (0, 1]; 1 forgets nothing. */
  public double forgetting() {
    return values.forgetting;
  }

  @Override
  public int budget() {
    return values.budget;
  }

  /**
   * Most bytes of heap between two instances; 0 for no bound but the budget. Instances that would
   * leave no room for eight core points are refused.
   */
  public long memory() {
    return values.memory;
  }

  /** Whether a core point is replaced by a better one once the budget is used up. */
  public boolean replacing() {
    return values.replacing;
  }

  @Override
  public int features() {
    return values.features;
  }

  @Override
  public List<Double> labels() {
    return values.labels;
  }

  @Override
  public Map<String, Object> toMap() {
    return Checks.toMap(values);
  }

  @Override
  public SecondOrderConfig withLabels(List<Double> known) {
    return toBuilder().labels(known).build();
  }

  /** The same with another forgetting factor. */
  public SecondOrderConfig withForgetting(double value) {
    return toBuilder().forgetting(value).build();
  }

  /** The same with another choice of replacing. */
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
    return values.toString().replaceFirst("Values", "SecondOrderConfig");
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

    /** Kernel k(‖x − y‖²) with k(0) = 1. */
    public Builder kernel(Kernel value) {
      kernel = value;
      return this;
    }

    /**
     * Loss: logistic for classification; squared, absolute, Huber or ε-insensitive for regression.
     */
    public Builder loss(Loss value) {
      loss = value;
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

    /** Forgetting factor per learned instance, in (0, 1]; 1 forgets nothing. */
    public Builder forgetting(double value) {
      forgetting = value;
      return this;
    }

    /** Most core points, at least 1. */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /**
     * Most bytes of heap between two instances; 0 for no bound but the budget. Instances that would
     * leave no room for eight core points are refused.
     */
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /** Whether a core point is replaced by a better one once the budget is used up. */
    public Builder replacing(boolean value) {
      replacing = value;
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
    public SecondOrderConfig build() {
      return new SecondOrderConfig(
          new Values(
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
