// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.Avm;
import io.github.avm4j.baselines.comparison.PairDistances;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.ScaledLearner;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Creates the paper's learner for --paper; parameters not set are inferred from the first rows.
 *
 * <p>Distances are between random pairs of scaled rows.
 *
 * <ul>
 *   <li>δ: the paper varies it around 2·mean by up to 2·deviation of the distances and finds that
 *       errors grow with it (Section 9.2). The lower end is used: 6.7 on a9a, where the paper
 *       settles on 7.
 *   <li>γ = 2/(mean squared distance).
 *   <li>λ = 3·10⁻⁴ for classification. The first step has length 1/λ in the unit of the target: for
 *       regression 0.02/deviation of the target, or 0.05 for smooth losses, whose gradients have
 *       that unit already.
 * </ul>
 */
final class PaperChoice {
  private static final int PAIRS = 2000;
  private static final double GAMMA_FACTOR = 2;
  private static final double CLASSES_LAMBDA = 3e-4;
  private static final double NUMBERS_LAMBDA = 0.02;
  private static final double SMOOTH_LAMBDA = 0.05;

  private final LearnerOptions options;
  private final Task task;
  private final Scaling scaling;
  private final PairDistances distances;
  private final double intercept;
  private final double unit;

  private PaperChoice(
      LearnerOptions options, Task task, List<FeatureVector> first, List<Double> targets) {
    this.options = options;
    this.task = task;
    scaling = ScalingFitter.fit(first, options.scaling());
    distances = PairDistances.of(scaled(first), PAIRS, options.seed);
    boolean shifts = task == Task.REGRESSION && options.scaling() != ScalingMode.NONE;
    intercept = shifts ? mean(targets, 0, 1) : 0;
    double square = task == Task.REGRESSION ? mean(targets, intercept, 2) : 1;
    unit = square > 0 && Double.isFinite(square) ? Math.sqrt(square) : 1;
  }

  /** Creates the learner for these options, first vectors and, for regression, targets. */
  static LearnerChoice of(
      LearnerOptions options, Task task, List<FeatureVector> first, List<Double> targets) {
    return new PaperChoice(options, task, first, targets).choice();
  }

  private List<FeatureVector> scaled(List<FeatureVector> first) {
    Scaling.Scaler scaler = new Scaling.Scaler(scaling);
    return first.stream().map(x -> scaler.scale(x).copy()).toList();
  }

  /** Mean of (y − centre) to the power of 1 or 2. */
  private static double mean(List<Double> targets, double centre, int power) {
    return targets.stream().mapToDouble(y -> Math.pow(y - centre, power)).average().orElse(0);
  }

  private LearnerChoice choice() {
    PaperOptions paper = options.paperOptions;
    AvmConfig.Builder<KernelLearner> builder =
        task == Task.CLASSIFICATION ? Avm.paperClassifier() : Avm.paperRegressor();
    Loss loss = loss();
    if (loss != null) {
      builder.loss(loss);
    }
    builder
        .gamma(gamma())
        .coverage(paper.coverage(delta()))
        .lambda(lambda(loss))
        .approximation(paper.approximation())
        .output(paper.output())
        .whenFull(paper.whenFull)
        .seed(options.seed);
    if (options.budget != null) {
      builder.budget(options.budget);
    }
    if (options.features != null) {
      builder.features(options.features);
    }
    KernelLearner learner = new KernelLearner(builder.config());
    boolean plain = scaling.isIdentity() && intercept == 0;
    Learner chosen = plain ? learner : new ScaledLearner(learner, scaling, intercept);
    return new LearnerChoice(chosen, note(builder.config().loss()));
  }

  /** Loss set by the user; default parameters are multiples of the target's deviation. */
  private @Nullable Loss loss() {
    LossKind usual = LossKind.EPSILON_INSENSITIVE;
    return task == Task.REGRESSION && options.loss == null
        ? usual.loss(usual.defaultValue() * unit)
        : options.loss(task, unit);
  }

  private double gamma() {
    double square =
        distances.mean() * distances.mean() + distances.deviation() * distances.deviation();
    return options.gamma != null ? options.gamma : GAMMA_FACTOR / square;
  }

  /** Lower end of the paper's range, unless it is close to 0. */
  private double delta() {
    Double set = options.paperOptions.delta;
    return set != null
        ? set
        : Math.max(2 * (distances.mean() - distances.deviation()), distances.mean() / 2);
  }

  private double lambda(@Nullable Loss loss) {
    if (options.lambda != null) {
      return options.lambda;
    }
    return task == Task.CLASSIFICATION
        ? CLASSES_LAMBDA
        : loss != null && Double.isFinite(loss.smoothness())
            ? SMOOTH_LAMBDA
            : NUMBERS_LAMBDA / unit;
  }

  /** One line: the inferred parameters, their source, and the options that change them. */
  private String note(Loss loss) {
    List<String> inferred = new ArrayList<>();
    String text =
        "paper's algorithm, "
            + named("gamma", gamma(), options.gamma, inferred)
            + ", "
            + named("delta", delta(), options.paperOptions.delta, inferred)
            + ", "
            + named("lambda", lambda(loss), options.lambda, inferred)
            + ", "
            + LearnerOptions.name(loss)
            + " loss, features "
            + (scaling.isIdentity() ? "not scaled" : "scaled")
            + (intercept == 0 ? "" : String.format(Locale.ROOT, ", target minus %.5g", intercept));
    if (inferred.isEmpty()) {
      return text;
    }
    return text
        + String.format(
            Locale.ROOT,
            "; inferred from distances between rows (mean %.4g, deviation %.4g): set %s to change",
            distances.mean(),
            distances.deviation(),
            String.join(", ", inferred));
  }

  private static String named(
      String name, double value, @Nullable Double set, List<String> inferred) {
    if (set == null) {
      inferred.add("--" + name);
    }
    return String.format(Locale.ROOT, "%s %.4g%s", name, value, set == null ? " (inferred)" : "");
  }
}
