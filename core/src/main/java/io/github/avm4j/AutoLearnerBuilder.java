// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.loss.Loss;
import java.util.Arrays;

/** Builder for the self-configuring learner; every setting is optional, the last call counts. */
public final class AutoLearnerBuilder {
  private final AutoConfig.Builder settings;

  AutoLearnerBuilder(Task task) {
    settings = AutoConfig.builder(task);
  }

  /**
   * γ of the kernel exp(−γ‖x − y‖²), after scaling; estimated by default.
   *
   * @param value γ &gt; 0; 0 estimates it
   * @return this builder
   */
  public AutoLearnerBuilder gamma(double value) {
    settings.gamma(value);
    return this;
  }

  /**
   * Weight of ‖f‖² against one instance's loss; 0.01 by default.
   *
   * @param value λ, in [1e-12, 1e12]
   * @return this builder
   */
  public AutoLearnerBuilder lambda(double value) {
    settings.lambda(value);
    return this;
  }

  /**
   * Loss; logistic for classification and squared for regression by default.
   *
   * @param value a loss that fits the task
   * @return this builder
   */
  public AutoLearnerBuilder loss(Loss value) {
    settings.loss(value);
    return this;
  }

  /**
   * Kernels to choose from; all by default. {@code GAUSSIAN} for a model that PMML or LIBSVM can
   * express.
   *
   * @param value the kernels to choose from
   * @return this builder
   */
  public AutoLearnerBuilder kernel(KernelChoice value) {
    settings.kernel(value);
    return this;
  }

  /**
   * Most core points; 512 by default. Time and memory grow with its square.
   *
   * @param value number of core points, in 1..8000
   * @return this builder
   */
  public AutoLearnerBuilder budget(int value) {
    settings.budget(value);
    return this;
  }

  /**
   * Most cells that the input space is divided into as the stream gets longer; 256 by default, 0
   * leaves it whole. A cell has up to 256 core points of its own where that lowers the error; a
   * prediction asks one cell only.
   *
   * @param value number of cells, ≥ 0; 0 does not divide
   * @return this builder
   */
  public AutoLearnerBuilder cells(int value) {
    settings.cells(value);
    return this;
  }

  /**
   * Most bytes of heap the learner may hold between two instances, all it keeps while it finds its
   * parameters included; no bound but the budget by default. The estimation period ends early where
   * its instances outgrow a fifth of that; classes take room from core points; what would leave
   * fewer than eight of those is refused, with the memory that would do.
   *
   * @param bytes bytes of heap, ≥ 65,536; 0 for no bound
   * @return this builder
   */
  public AutoLearnerBuilder memory(long bytes) {
    settings.memory(bytes);
    return this;
  }

  /**
   * Forgetting factor per learned instance, in (0, 1]; 1 never forgets. By default it is estimated,
   * and the learner forgets only where that lowers the loss.
   *
   * @param value factor in (0, 1]; 0 estimates it
   * @return this builder
   */
  public AutoLearnerBuilder forgetting(double value) {
    settings.forgetting(value);
    return this;
  }

  /**
   * Instances whose gradient is at most this are not learned from (0.2 by default): a probability
   * for classification, a share of the standard deviation of recent residuals for regression.
   *
   * @param value bound in [0, 1); 0 learns from every instance
   * @return this builder
   */
  public AutoLearnerBuilder skip(double value) {
    settings.skip(value);
    return this;
  }

  /**
   * Instances this far from the span of the core points become one (0.001 by default), ten times as
   * far once half of the budget is used, nearer where targets have next to no noise.
   *
   * @param value squared distance in feature space, in (0, 1)
   * @return this builder
   */
  public AutoLearnerBuilder novelty(double value) {
    settings.novelty(value);
    return this;
  }

  /**
   * How features are brought to a common scale; automatic by default.
   *
   * @param value the mode of scaling
   * @return this builder
   */
  public AutoLearnerBuilder scaling(ScalingMode value) {
    settings.scaling(value);
    return this;
  }

  /**
   * Number of first instances that scaling and γ are estimated on; 1000 by default.
   *
   * @param value number of instances, in 1..100,000
   * @return this builder
   */
  public AutoLearnerBuilder estimation(int value) {
    settings.estimation(value);
    return this;
  }

  /**
   * Number of features; by default that of the first dense instance.
   *
   * @param value number of features, ≥ 0; 0 for that of the first dense instance
   * @return this builder
   */
  public AutoLearnerBuilder features(int value) {
    settings.features(value);
    return this;
  }

  /**
   * Classes known in advance, in order; others may still appear.
   *
   * @param values distinct finite labels; none for regression
   * @return this builder
   */
  public AutoLearnerBuilder labels(double... values) {
    settings.labels(Arrays.stream(values).boxed().toList());
    return this;
  }

  /**
   * Levels that intervals of a regression and prediction sets of a classification can be asked for:
   * the share of instances whose target they are to hold; 0.8, 0.9 and 0.95 by default.
   *
   * @param levels levels in (0, 1); none for no intervals
   * @return this builder
   */
  public AutoLearnerBuilder coverage(double... levels) {
    settings.coverage(Arrays.stream(levels).boxed().toList());
    return this;
  }

  /** {@return the checked settings} */
  public AutoConfig config() {
    return settings.build();
  }

  /** {@return a learner that has seen nothing} */
  public AutoLearner build() {
    return Avm.learner(config());
  }
}
