// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.averaging.LastIterate;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.Hypersphere;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.ModelFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one entry: builds learners, saves and loads them.
 *
 * <pre>{@code
 * Learner learner = Avm.classifier().gamma(0.5).delta(1).lambda(1e-4).build();
 * for (Row row : stream) {
 *   double guess = learner.predict(row.x());
 *   learner.learn(row.x(), row.label());
 * }
 * Model model = learner.snapshot(); // immutable, for any number of threads
 * }</pre>
 */
public final class Avm {
  private Avm() {}

  /** A classifier for two or many classes; hinge loss unless told otherwise. */
  public static Builder classifier() {
    return new Builder(Task.CLASSIFICATION, new Hinge());
  }

  /** A regressor; ε-insensitive loss with ε = 0.1 unless told otherwise. */
  public static Builder regressor() {
    return new Builder(Task.REGRESSION, new EpsilonInsensitive(0.1));
  }

  /** A learner with exactly this configuration. */
  public static Learner learner(LearnerConfig config) {
    return config instanceof AvmConfig paper
        ? new KernelLearner(paper)
        : new SecondOrderLearner((SecondOrderConfig) config);
  }

  /** Saves a model; the file appears whole or not at all. */
  public static void save(Model model, Path path) throws IOException {
    ModelFormat.write(model.toBytes(), path);
  }

  /** Saves a learner with all it needs to go on; the file appears whole or not at all. */
  public static void save(Learner learner, Path path) throws IOException {
    ModelFormat.write(learner.toBytes(), path);
  }

  /** The model in a saved model's or learner's file. */
  public static Model loadModel(Path path) throws IOException {
    return ModelFormat.read(path);
  }

  /** A saved learner, to go on as if it had never stopped. */
  public static Learner loadLearner(Path path) throws IOException {
    return LearnerFormat.read(Files.readAllBytes(path));
  }

  /**
   * Collects a configuration. γ (or a kernel), δ (or a coverage) and λ must be set; all else has a
   * default. Each call overwrites the last of its kind.
   */
  public static final class Builder {
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

    private Builder(Task task, Loss loss) {
      this.task = task;
      this.loss = loss;
    }

    /** The Gaussian kernel exp(−γ‖x−y‖²). */
    public Builder gamma(double gamma) {
      return kernel(new Gaussian(gamma));
    }

    /** Any kernel. */
    public Builder kernel(Kernel value) {
      kernel = value;
      return this;
    }

    /** Hyperspheres of diameter δ. */
    public Builder delta(double delta) {
      return coverage(new Hypersphere(delta));
    }

    /** Any coverage. */
    public Builder coverage(Coverage value) {
      coverage = value;
      return this;
    }

    /** λ of the regulariser; the step is 1/(λt). */
    public Builder lambda(double value) {
      lambda = value;
      return this;
    }

    /** The loss; must fit the task. */
    public Builder loss(Loss value) {
      loss = value;
      return this;
    }

    /** The policy Z_t; always by default. */
    public Builder approximation(Approximation value) {
      approximation = value;
      return this;
    }

    /** What answers: the last iterate by default. */
    public Builder output(Output value) {
      output = value;
      return this;
    }

    /** Most core points kept; 0, the default, for no limit but the coverage's own. */
    public Builder budget(int value) {
      budget = value;
      return this;
    }

    /** What happens to an instance beyond the budget; absorbed by default. */
    public Builder whenFull(WhenFull value) {
      whenFull = value;
      return this;
    }

    /** Largest |y|, for the projection of the squared loss; tracked by default. */
    public Builder yMax(double value) {
      yMax = value;
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

    /** Seed of the policy's random draws; 1 by default. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** The checked configuration. */
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
      return new AvmConfig(
          task,
          kernel,
          loss,
          lambda,
          cover,
          approximation,
          output,
          budget,
          whenFull,
          yMax,
          features,
          labels,
          seed);
    }

    /** The learner. */
    public Learner build() {
      return learner(config());
    }
  }
}
