// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options of the learner, shared by all commands that create one. */
public final class LearnerOptions {
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
          "${COMPLETION-CANDIDATES}; auto infers classification if the labels of the first 1000"
              + " rows are texts or integers that look like class codes. The reason is printed.")
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
              + " with core points of its own where that reduces the error; 256 by default, 0"
              + " leaves it whole. Not with --paper.")
  @Nullable Integer cells;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Numbers.Bytes.class,
      description =
          "Maximum memory of the learner, such as 300kB or 1MB, at least 65536 bytes; by default"
              + " only the budget limits it. Not with --paper.")
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
          "Kernels to choose from: auto (Gaussian and Matern 3/2; the default) or gaussian, the"
              + " only one that PMML and LIBSVM have. Not with --paper.")
  @Nullable KernelName kernel;

  @Option(
      names = {"-g", "--gamma"},
      paramLabel = "G",
      description =
          "Parameter of the kernel exp(-G|x-y|^2); it and the kernel are estimated while learning"
              + " by default. With --paper 2/(mean squared distance of the first rows).")
  @Nullable Double gamma;

  @Option(
      names = "--lambda",
      paramLabel = "L",
      description =
          "Weight of the regularizer; 0.01 by default. With --paper 0.0003 for classification,"
              + " 0.02/(deviation of the target) for regression, 0.05 with a smooth loss.")
  @Nullable Double lambda;

  @Option(
      names = "--loss",
      paramLabel = "LOSS[:VALUE]",
      completionCandidates = LossNames.class,
      description =
          "Loss, with the default of its parameter: ${COMPLETION-CANDIDATES}. For classification"
              + " without --paper logistic only. For regression the parameter is in the unit of the"
              + " target, its default with --paper in deviations of the target.")
  @Nullable String loss;

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
   * @param unit of the target, in which the default of a parameter is
   * @throws UsageException if it is unknown, or belongs to another task or learner
   */
  @Nullable Loss loss(Task forTask, double unit) {
    if (loss == null) {
      return null;
    }
    int colon = loss.indexOf(':');
    String title = colon < 0 ? loss : loss.substring(0, colon);
    LossKind kind = kind(title.toLowerCase(Locale.ROOT).replace('_', '-'));
    boolean classes = forTask == Task.CLASSIFICATION;
    if (kind.loss().forClassification() != classes) {
      throw new UsageException(
          "--loss %s is for %s, but these rows are %s: use %s, or --task"
              .formatted(
                  title,
                  classes ? "regression" : "classes",
                  classes ? "classes" : "regression",
                  titles(k -> k.loss().forClassification() == classes && (paper || !ofPaper(k)))));
    }
    if (!paper && ofPaper(kind)) {
      throw new UsageException(
          "--loss " + title + " is for the paper's algorithm: add --paper, or use logistic");
    }
    return colon < 0
        ? kind.loss(unit * kind.defaultValue())
        : loss(kind, loss.substring(colon + 1));
  }

  private static LossKind kind(String title) {
    return Arrays.stream(LossKind.values())
        .filter(kind -> kind.title().equals(title))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--loss: unknown loss '" + title + "'; use " + titles(kind -> true)));
  }

  private static Loss loss(LossKind kind, String parameter) {
    if (!kind.hasParameter()) {
      throw new UsageException("--loss " + kind.title() + " has no parameter: remove what follows");
    }
    try {
      return kind.loss(Double.parseDouble(parameter));
    } catch (NumberFormatException e) {
      throw new UsageException(
          "--loss %s: %s must be a number, was '%s'"
              .formatted(kind.title(), kind.parameter(), parameter));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--loss " + kind.title() + ": " + e.getMessage());
    }
  }

  /** Whether the default learner refuses it: the loss has no second derivative to learn from. */
  private static boolean ofPaper(LossKind kind) {
    return kind.loss().forClassification() && kind != LossKind.LOGISTIC;
  }

  private static String titles(Predicate<LossKind> wanted) {
    return Arrays.stream(LossKind.values())
        .filter(wanted)
        .map(LossKind::title)
        .collect(Collectors.joining(", "));
  }

  /** Losses as they are written, with the default of the parameter. */
  static final class LossNames implements Iterable<String> {
    LossNames() {}

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(LossKind.values())
          .map(kind -> kind.title() + (kind.hasParameter() ? ":" + brief(kind.defaultValue()) : ""))
          .iterator();
    }
  }

  /** Name of a loss as in --loss, with its parameter. */
  public static String name(Loss loss) {
    LossKind kind = LossKind.of(loss);
    String parameter = ", " + kind.parameter() + " " + brief(kind.parameterOf(loss));
    return kind.title() + (kind.hasParameter() ? parameter : "");
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
