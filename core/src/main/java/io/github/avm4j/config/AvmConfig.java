// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.WhenFull;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checked settings of the paper's learner. Two learners with equal settings that see the same
 * instances on the same platform are equal to the bit.
 *
 * @param task classification or regression
 * @param kernel the kernel k(‖x − x′‖²), with k(0) = 1
 * @param loss the loss, which fits the task
 * @param lambda the regularisation λ of (λ/2)‖w‖²; the step is 1/(λt)
 * @param coverage the shape of the cells and their diameter δ
 * @param approximation the policy Z_t: whether an instance is replaced by the core point of its
 *     cell
 * @param output which iterate, or average of iterates, predicts
 * @param budget the largest number of core points; 0 for no limit but that of the coverage
 * @param whenFull what happens to an instance that needs a core point beyond the budget
 * @param yMax the largest |y| for the projection of the squared loss with λ ≤ 1; 0 tracks it
 * @param features the number of features; 0 takes it from the first dense instance
 * @param labels the classes known in advance, in order; more may appear at any time
 * @param seed the seed of the random draws of the approximation policy
 */
public record AvmConfig(
    Task task,
    Kernel kernel,
    Loss loss,
    double lambda,
    Coverage coverage,
    Approximation approximation,
    Output output,
    int budget,
    WhenFull whenFull,
    double yMax,
    int features,
    List<Double> labels,
    long seed)
    implements LearnerConfig {
  /**
   * Checks the settings.
   *
   * @param task any
   * @param kernel any
   * @param loss of the task
   * @param lambda in [1e-12, 1e12]
   * @param coverage any
   * @param approximation any; {@link Confidence} for classification only
   * @param output any
   * @param budget ≥ 0
   * @param whenFull any
   * @param yMax ≥ 0 and finite
   * @param features ≥ 0
   * @param labels distinct and finite; none for regression
   * @param seed any
   * @throws IllegalArgumentException naming the setting that is not in its range, and the range
   */
  public AvmConfig {
    Checks.lambda(lambda);
    Checks.require(budget >= 0, "budget", ">= 0 (0: no limit)", budget);
    Checks.require(yMax >= 0 && yMax < Double.POSITIVE_INFINITY, "yMax", ">= 0 and finite", yMax);
    Checks.features(features);
    labels = Checks.labels(task, labels);
    Checks.loss(task, loss);
    if (task == Task.REGRESSION && approximation instanceof Confidence) {
      throw new IllegalArgumentException(
          "approximation must not be Confidence for regression: a number has no margin");
    }
  }

  @Override
  public Map<String, Object> toMap() {
    return Checks.toMap(this);
  }

  @Override
  public AvmConfig withLabels(List<Double> known) {
    return new AvmConfig(
        task,
        kernel,
        loss,
        lambda,
        coverage,
        approximation,
        output,
        budget,
        whenFull,
        yMax,
        features,
        known,
        seed);
  }

  /**
   * Builder of the paper's learner. γ (or a kernel), δ (or a coverage) and λ must be set; all else
   * has a default. The last call of a kind counts.
   *
   * @param <L> what is built: a learner, or its settings
   */
  public static final class Builder<L> {
    private final Task task;
    private final Function<AvmConfig, L> made;
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

    /**
     * A builder with the default settings.
     *
     * @param task classification or regression
     * @param made what {@link #build} makes of the settings
     */
    public Builder(Task task, Function<AvmConfig, L> made) {
      this.task = task;
      this.made = made;
      loss = task == Task.CLASSIFICATION ? new Hinge() : new EpsilonInsensitive(0.1);
    }

    /**
     * The Gaussian kernel exp(−γ‖x−y‖²).
     *
     * @param gamma inverse width γ &gt; 0
     * @return this builder
     */
    public Builder<L> gamma(double gamma) {
      return kernel(new Gaussian(gamma));
    }

    /**
     * Any kernel.
     *
     * @param value a kernel with k(0) = 1
     * @return this builder
     */
    public Builder<L> kernel(Kernel value) {
      kernel = value;
      return this;
    }

    /**
     * Hyperspheres of diameter δ.
     *
     * @param delta diameter δ, in (0, 1e150)
     * @return this builder
     */
    public Builder<L> delta(double delta) {
      return coverage(new Hypersphere(delta));
    }

    /**
     * Any coverage.
     *
     * @param value shape and diameter of the cells
     * @return this builder
     */
    public Builder<L> coverage(Coverage value) {
      coverage = value;
      return this;
    }

    /**
     * λ of the regulariser; the step is 1/(λt).
     *
     * @param value λ, in [1e-12, 1e12]
     * @return this builder
     */
    public Builder<L> lambda(double value) {
      lambda = value;
      return this;
    }

    /**
     * The loss; by default hinge for classification, ε-insensitive with ε = 0.1 for regression.
     *
     * @param value a loss that fits the task
     * @return this builder
     */
    public Builder<L> loss(Loss value) {
      loss = value;
      return this;
    }

    /**
     * The policy Z_t; always by default.
     *
     * @param value a policy; {@link Confidence} for classification only
     * @return this builder
     */
    public Builder<L> approximation(Approximation value) {
      approximation = value;
      return this;
    }

    /**
     * Which iterate, or average of iterates, predicts; the last iterate by default.
     *
     * @param value the output
     * @return this builder
     */
    public Builder<L> output(Output value) {
      output = value;
      return this;
    }

    /**
     * Most core points kept; 0, the default, for no limit but the coverage's own.
     *
     * @param value number of core points, ≥ 0
     * @return this builder
     */
    public Builder<L> budget(int value) {
      budget = value;
      return this;
    }

    /**
     * What happens to an instance beyond the budget; absorbed by default.
     *
     * @param value absorb or refuse
     * @return this builder
     */
    public Builder<L> whenFull(WhenFull value) {
      whenFull = value;
      return this;
    }

    /**
     * Largest |y|, for the projection of the squared loss; tracked by default.
     *
     * @param value a bound of |y|, ≥ 0; 0 tracks it
     * @return this builder
     */
    public Builder<L> yMax(double value) {
      yMax = value;
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
     * Seed of the policy's random draws; 1 by default.
     *
     * @param value any number
     * @return this builder
     */
    public Builder<L> seed(long value) {
      seed = value;
      return this;
    }

    /**
     * {@return the checked settings}
     *
     * @throws IllegalStateException if γ, δ or λ is not set
     * @throws IllegalArgumentException naming the setting that is not in its range, and the range
     */
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
      if (lambda == 0) {
        throw new IllegalStateException(
            "lambda is not set: call lambda(l); 16/(number of instances) is a good start");
      }
      return new AvmConfig(
          task,
          kernel,
          loss,
          lambda,
          coverage == null ? new Hypersphere(1) : coverage,
          approximation,
          output,
          budget,
          whenFull,
          yMax,
          features,
          labels,
          seed);
    }

    /** {@return what is built of {@link #config}: a learner that has seen nothing} */
    public L build() {
      return made.apply(config());
    }
  }
}
