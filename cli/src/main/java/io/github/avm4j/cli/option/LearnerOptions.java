// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Huber;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options of the learner, shared by all commands that create one. */
public final class LearnerOptions {
  /** Default epsilon of the epsilon-insensitive loss. */
  static final double EPSILON = 0.1;

  private static final double TAU = 0.5;
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  /** Values of --task. */
  public enum TaskName {
    auto,
    classification,
    regression
  }

  /** Values of --kernel. */
  enum KernelName {
    auto,
    gaussian
  }

  /** Values of --scaling. */
  enum ScalingName {
    auto,
    none,
    standard,
    min_max;

    @Override
    public String toString() {
      return name().replace('_', '-');
    }
  }

  @Option(
      names = "--task",
      paramLabel = "TASK",
      defaultValue = "auto",
      description =
          "${COMPLETION-CANDIDATES}; auto infers classification if the labels of the first 1000 rows"
              + " are texts or integers that look like class codes. The reason is printed.")
  public TaskName task = TaskName.auto;

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "Maximum number of core points; 512 by default, unlimited with --paper.")
  @Nullable Integer budget;

  @Option(
      names = "--cells",
      paramLabel = "N",
      description =
          "Maximum number of cells that the input space is divided into, from 3,000 rows on, each"
              + " with core points of its own where that reduces the error; 256 by default, 0 leaves"
              + " it whole. Not with --paper.")
  @Nullable Integer cells;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      converter = Numbers.Bytes.class,
      description =
          "Maximum memory of the learner, such as 300kB or 1MB, at least 65536 bytes; by default only"
              + " the budget limits it. Not with --paper.")
  @Nullable Long memory;

  @Option(
      names = "--forgetting",
      paramLabel = "F",
      description =
          "Forgetting factor per learned row, in (0, 1]; 1 never forgets. By default chosen while"
              + " learning. Not with --paper.")
  @Nullable Double forgetting;

  @Option(
      names = "--kernel",
      paramLabel = "KERNEL",
      description =
          "Kernels to choose from: auto (Gaussian and Matern 3/2; the default) or gaussian, the only"
              + " one that PMML and LIBSVM have. Not with --paper.")
  @Nullable KernelName kernel;

  @Option(
      names = {"-g", "--gamma"},
      paramLabel = "G",
      description =
          "Parameter of the kernel exp(-G|x-y|^2); it and the kernel are estimated while learning by"
              + " default. With --paper 2/(mean squared distance of the first rows).")
  @Nullable Double gamma;

  @Option(
      names = "--lambda",
      paramLabel = "L",
      description =
          "Weight of the regularizer; 0.01 by default. With --paper 0.0003 for classification,"
              + " 0.02/(deviation of the target) for regression, 0.05 with l2 and huber.")
  @Nullable Double lambda;

  @Option(
      names = "--loss",
      paramLabel = "LOSS",
      description =
          "logistic (classification); l1, l2, epsilon-insensitive, huber (regression); with --paper"
              + " also hinge and smooth-hinge.")
  @Nullable String loss;

  @Option(
      names = "--tau",
      paramLabel = "T",
      description = "Width of the smooth part of smooth-hinge; 0.5 by default.")
  @Nullable Double tau;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      description =
          "Errors up to this cost nothing with epsilon-insensitive, in the unit of the target; 0.1 by"
              + " default, with --paper 0.1 deviations of the target.")
  @Nullable Double epsilon;

  @Option(
      names = "--threshold",
      paramLabel = "K",
      description =
          "Errors beyond this cost linearly with huber, in the unit of the target; 1.345 by default,"
              + " for noise of deviation 1, with --paper 1.345 deviations of the target.")
  @Nullable Double threshold;

  @Option(
      names = "--scaling",
      paramLabel = "MODE",
      converter = ScalingConverter.class,
      description =
          "Scaling of features, estimated on the first rows: ${COMPLETION-CANDIDATES}; auto by"
              + " default. With --paper the target of a regression is also centred, unless none.")
  @Nullable ScalingName scaling;

  @Option(
      names = "--features",
      paramLabel = "N",
      description = "Number of features of LIBSVM rows, if it must be fixed in advance.")
  @Nullable Integer features;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Random seed; ${DEFAULT-VALUE} by default.")
  public long seed = 1;

  @Option(names = "--paper", description = "Use the paper's algorithm, with the options below.")
  boolean paper;

  @ArgGroup(validate = false, heading = "%nThe paper's algorithm (with --paper):%n")
  PaperOptions paperOptions = new PaperOptions();

  public LearnerOptions() {}

  /** Task set by the user, null for auto. */
  public @Nullable Task task() {
    return switch (task) {
      case auto -> null;
      case classification -> Task.CLASSIFICATION;
      case regression -> Task.REGRESSION;
    };
  }

  /** Maximum number of categorical values with features: they get a quarter of --memory. */
  public int mostValues() {
    return memory == null
        ? SchemaFitter.MOST_VALUES
        : (int) Math.min(SchemaFitter.MOST_VALUES, memory / 512);
  }

  /**
   * Loss set by the user, null for the default.
   *
   * @throws UsageException if it is unknown, or belongs to another task or learner
   */
  @Nullable Loss loss(Task forTask) {
    Loss set = loss();
    if (set == null) {
      return null;
    }
    boolean classes = forTask == Task.CLASSIFICATION;
    if (set.forClassification() != classes) {
      throw new UsageException(
          "--loss %s is for %s, but these rows are %s: use %s, or --task"
              .formatted(
                  loss,
                  classes ? "regression" : "classes",
                  classes ? "classes" : "regression",
                  classes
                      ? "logistic (with --paper also hinge, smooth-hinge)"
                      : "l1, l2, epsilon-insensitive or huber"));
    }
    if (!paper && (set instanceof Hinge || set instanceof SmoothHinge)) {
      throw new UsageException(
          "--loss " + loss + " is for the paper's algorithm: add --paper, or use logistic");
    }
    return set;
  }

  private @Nullable Loss loss() {
    if (loss == null) {
      return null;
    }
    return switch (loss.toLowerCase(Locale.ROOT).replace('_', '-')) {
      case "hinge" -> new Hinge();
      case "smooth-hinge" -> new SmoothHinge(tau == null ? TAU : tau);
      case "logistic" -> new Logistic();
      case "l1" -> new AbsoluteLoss();
      case "l2" -> new SquaredLoss();
      case "epsilon-insensitive" -> new EpsilonInsensitive(epsilon == null ? EPSILON : epsilon);
      case "huber" -> new Huber(threshold == null ? Huber.DEFAULT_THRESHOLD : threshold);
      default ->
          throw new UsageException(
              "--loss: unknown loss '"
                  + loss
                  + "'; use hinge, smooth-hinge, logistic, l1, l2, epsilon-insensitive,"
                  + " huber");
    };
  }

  /** Name of a loss as in --loss, with its parameter. */
  public static String name(Loss loss) {
    if (loss instanceof SmoothHinge smooth) {
      return "smooth-hinge, tau " + brief(smooth.tau());
    }
    if (loss instanceof EpsilonInsensitive insensitive) {
      return "epsilon-insensitive, epsilon " + brief(insensitive.epsilon());
    }
    if (loss instanceof Huber huber) {
      return "huber, threshold " + brief(huber.threshold());
    }
    return loss instanceof Hinge
        ? "hinge"
        : loss instanceof Logistic ? "logistic" : loss instanceof AbsoluteLoss ? "l1" : "l2";
  }

  private static String brief(double value) {
    return new BigDecimal(value).round(FOUR_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** Scaling set by the user, else the automatic one. */
  public ScalingMode scaling() {
    if (scaling == null) {
      return ScalingMode.AUTOMATIC;
    }
    return switch (scaling) {
      case auto -> ScalingMode.AUTOMATIC;
      case none -> ScalingMode.NONE;
      case standard -> ScalingMode.STANDARD;
      case min_max -> ScalingMode.MIN_MAX;
    };
  }

  /** Converts the name of a scaling. */
  static final class ScalingConverter implements picocli.CommandLine.ITypeConverter<ScalingName> {
    ScalingConverter() {}

    @Override
    public ScalingName convert(String value) {
      for (ScalingName name : ScalingName.values()) {
        if (name.toString().equalsIgnoreCase(value.replace('_', '-'))) {
          return name;
        }
      }
      throw new picocli.CommandLine.TypeConversionException(
          "'" + value + "' is not a scaling; use auto, none, standard or min-max");
    }
  }
}
