// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.averaging.LastIterate;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.Hypersphere;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the configuration of the paper's learner. γ (or a kernel), δ (or a coverage) and λ must
 * be set; all else has a default. Each call overwrites the last of its kind.
 */
public final class PaperLearnerBuilder {
  private final Task task;
  private final List<Double> labels = new ArrayList<>();
  private Loss loss;
  private @Nullable Kernel kernel;
  private @Nullable Coverage coverage;
  private double lambda;
  private Approximation approximation = new Always();
  private Output output = new LastIterate();
  private int budget;
  private WhenFull whenFull = WhenFull.ABSORB;
  private double yMax;
  private int features;
  private long seed = 1;

  PaperLearnerBuilder(Task task) {
    this.task = task;
    this.loss = task == Task.CLASSIFICATION ? new Hinge() : new EpsilonInsensitive(0.1);
  }

  /**
   * The Gaussian kernel exp(−γ‖x−y‖²).
   *
   * @param gamma inverse width γ &gt; 0
   * @return this builder
   */
  public PaperLearnerBuilder gamma(double gamma) {
    return kernel(new Gaussian(gamma));
  }

  /**
   * Any kernel.
   *
   * @param value a kernel with k(0) = 1
   * @return this builder
   */
  public PaperLearnerBuilder kernel(Kernel value) {
    kernel = value;
    return this;
  }

  /**
   * Hyperspheres of diameter δ.
   *
   * @param delta diameter δ, in (0, 1e150)
   * @return this builder
   */
  public PaperLearnerBuilder delta(double delta) {
    return coverage(new Hypersphere(delta));
  }

  /**
   * Any coverage.
   *
   * @param value shape and diameter of the cells
   * @return this builder
   */
  public PaperLearnerBuilder coverage(Coverage value) {
    coverage = value;
    return this;
  }

  /**
   * λ of the regulariser; the step is 1/(λt).
   *
   * @param value λ, in [1e-12, 1e12]
   * @return this builder
   */
  public PaperLearnerBuilder lambda(double value) {
    lambda = value;
    return this;
  }

  /**
   * The loss; by default hinge for classification, ε-insensitive with ε = 0.1 for regression.
   *
   * @param value a loss that fits the task
   * @return this builder
   */
  public PaperLearnerBuilder loss(Loss value) {
    loss = value;
    return this;
  }

  /**
   * The policy Z_t; always by default.
   *
   * @param value a policy; {@link io.github.avm4j.approximation.Confidence} for classification only
   * @return this builder
   */
  public PaperLearnerBuilder approximation(Approximation value) {
    approximation = value;
    return this;
  }

  /**
   * Which iterate, or average of iterates, predicts; the last iterate by default.
   *
   * @param value the output
   * @return this builder
   */
  public PaperLearnerBuilder output(Output value) {
    output = value;
    return this;
  }

  /**
   * Most core points kept; 0, the default, for no limit but the coverage's own.
   *
   * @param value number of core points, ≥ 0
   * @return this builder
   */
  public PaperLearnerBuilder budget(int value) {
    budget = value;
    return this;
  }

  /**
   * What happens to an instance beyond the budget; absorbed by default.
   *
   * @param value absorb or refuse
   * @return this builder
   */
  public PaperLearnerBuilder whenFull(WhenFull value) {
    whenFull = value;
    return this;
  }

  /**
   * Largest |y|, for the projection of the squared loss; tracked by default.
   *
   * @param value a bound of |y|, ≥ 0; 0 tracks it
   * @return this builder
   */
  public PaperLearnerBuilder yMax(double value) {
    yMax = value;
    return this;
  }

  /**
   * Number of features; by default that of the first dense instance.
   *
   * @param value number of features, ≥ 0; 0 for that of the first dense instance
   * @return this builder
   */
  public PaperLearnerBuilder features(int value) {
    features = value;
    return this;
  }

  /**
   * Classes known in advance, in order; others may still appear.
   *
   * @param values distinct finite labels; none for regression
   * @return this builder
   */
  public PaperLearnerBuilder labels(double... values) {
    labels.clear();
    for (double value : values) {
      labels.add(value);
    }
    return this;
  }

  /**
   * Seed of the policy's random draws; 1 by default.
   *
   * @param value any number
   * @return this builder
   */
  public PaperLearnerBuilder seed(long value) {
    seed = value;
    return this;
  }

  /** {@return the checked configuration} */
  public AvmConfig config() {
    if (kernel == null) {
      throw new IllegalStateException(
          "gamma is not set: call gamma(g) or kernel(k); 1/(mean squared distance between two"
              + " instances) is a good start");
    }
    if (coverage == null && approximation.usesCoverage()) {
      throw new IllegalStateException(
          "delta is not set: call delta(d) or coverage(c); twice the mean distance between two"
              + " instances is a good start");
    }
    Coverage cover = coverage == null ? new Hypersphere(1) : coverage;
    if (lambda == 0) {
      throw new IllegalStateException(
          "lambda is not set: call lambda(l); 16/(number of instances) is a good start");
    }
    return AvmConfig.builder(task)
        .kernel(kernel)
        .loss(loss)
        .lambda(lambda)
        .coverage(cover)
        .approximation(approximation)
        .output(output)
        .budget(budget)
        .whenFull(whenFull)
        .yMax(yMax)
        .features(features)
        .labels(labels)
        .seed(seed)
        .build();
  }

  /** {@return a learner that has seen nothing} */
  public Learner build() {
    return Avm.learner(config());
  }
}
