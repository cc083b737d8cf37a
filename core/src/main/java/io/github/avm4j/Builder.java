// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.loss.Loss;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what may be told to the learner that needs nothing told. Each call overwrites the last
 * of its kind.
 */
public final class Builder {
  private final AutoConfig defaults;
  private final List<Double> labels = new ArrayList<>();
  private Loss loss;
  private double gamma;
  private double lambda;
  private double skip;
  private double novelty;
  private double forgetting;
  private int budget;
  private int fine;
  private long memory;
  private ScalingMode scaling;
  private int estimation;
  private int features;

  Builder(Task task) {
    defaults = AutoConfig.of(task);
    loss = defaults.loss();
    gamma = defaults.gamma();
    lambda = defaults.lambda();
    skip = defaults.skip();
    novelty = defaults.novelty();
    forgetting = defaults.forgetting();
    budget = defaults.budget();
    fine = defaults.fine();
    memory = defaults.memory();
    scaling = defaults.scaling();
    estimation = defaults.estimation();
  }

  /** γ of exp(−γ‖x−y‖²), after scaling; found by default. */
  public Builder gamma(double value) {
    gamma = value;
    return this;
  }

  /** Weight of ‖f‖² against one instance's loss; 0.01 by default. */
  public Builder lambda(double value) {
    lambda = value;
    return this;
  }

  /** Logistic for classes, squared for numbers by default. */
  public Builder loss(Loss value) {
    loss = value;
    return this;
  }

  /**
   * Most core points with all of the second order; 512 by default. Time and memory grow with its
   * square.
   */
  public Builder budget(int value) {
    budget = value;
    return this;
  }

  /**
   * Most fine points: cheap ones that correct the core points after ten estimation periods where
   * the learner finds that it pays; 4096 by default, 0 for none, and of d dense features at most
   * 262,144/d. A prediction costs as many distances more.
   */
  public Builder fine(int value) {
    fine = value;
    return this;
  }

  /**
   * Most bytes of heap the learner may hold between two instances, all it keeps while it finds its
   * parameters included; no bound but the budget by default. The estimation period ends early where
   * its instances outgrow a fifth of that; classes take room from core points; what would leave
   * fewer than eight of those is refused, with the memory that would do.
   */
  public Builder memory(long bytes) {
    memory = bytes;
    return this;
  }

  /**
   * Share of what was learned that each learned instance leaves, in (0, 1]; 1 never forgets. By
   * default the learner finds it and forgets only where that pays.
   */
  public Builder forgetting(double value) {
    forgetting = value;
    return this;
  }

  /**
   * Instances that surprise less than this are not learned from (0.2 by default): a probability for
   * classification, a share of the recent residuals' standard deviation for regression.
   */
  public Builder skip(double value) {
    skip = value;
    return this;
  }

  /**
   * Instances this far from the span of the core points become one (0.001 by default), ten times as
   * far once half of the budget is used, nearer where targets have next to no noise.
   */
  public Builder novelty(double value) {
    novelty = value;
    return this;
  }

  /** How features are brought to a common scale; automatic by default. */
  public Builder scaling(ScalingMode value) {
    scaling = value;
    return this;
  }

  /** Number of first instances that scaling and γ are found on; 1000 by default. */
  public Builder estimation(int value) {
    estimation = value;
    return this;
  }

  /** Number of features; by default that of the first dense instance. */
  public Builder features(int value) {
    features = value;
    return this;
  }

  /** Classes known in advance, in order; others may still appear. */
  public Builder labels(double... values) {
    labels.clear();
    for (double value : values) {
      labels.add(value);
    }
    return this;
  }

  /** The checked configuration. */
  public AutoConfig config() {
    return new AutoConfig(
        defaults.task(),
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
        labels);
  }

  /** The learner. */
  public AutoLearner build() {
    return Avm.learner(config());
  }
}
