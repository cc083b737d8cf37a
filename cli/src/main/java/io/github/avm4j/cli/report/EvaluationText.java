// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.progress.ProgressTable;
import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.cli.run.Spread;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.RegressionFigures;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.ScaledLearner;
import io.github.avm4j.pipeline.ClassNames;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation as text: a line at every power of two instances, once there is something to see, and a
 * table at the end.
 */
public final class EvaluationText {
  private final PrintWriter out;
  private final boolean plain;
  private @Nullable CurvePoint previous;

  public EvaluationText(PrintWriter out) {
    this.out = out;
    this.plain = !Charset.defaultCharset().newEncoder().canEncode("µκ±");
  }

  /** Prints one line of the learning curve, with a heading before the first. */
  public void progress(CurvePoint point) {
    if (!ProgressTable.isWarm(point.instances(), (long) (1e9 * point.wallSeconds()))) {
      return;
    }
    boolean classes = point.cumulative() instanceof ClassificationFigures;
    if (previous == null) {
      out.printf(
          Locale.ROOT,
          "%11s %11s %11s %11s %11s %11s%n",
          "instances",
          classes ? "mistakes %" : "RMSE",
          "since last",
          "baseline",
          "core points",
          plain ? "us/instance" : "µs/instance");
    }
    double since = previous == null ? point.error() : since(previous, point);
    double seconds = point.wallSeconds() - (previous == null ? 0 : previous.wallSeconds());
    long count = point.instances() - (previous == null ? 0 : previous.instances());
    out.printf(
        Locale.ROOT,
        "%,11d %11s %11s %11s %11d %11s%n",
        point.instances(),
        error(point.cumulative(), point.error()),
        error(point.cumulative(), since),
        error(point.cumulative(), point.baseline()),
        point.corePoints(),
        previous == null ? "-" : "%.1f".formatted(1e6 * seconds / count));
    out.flush();
    previous = point;
  }

  private static double since(CurvePoint earlier, CurvePoint later) {
    return later.cumulative().errorSince(earlier.cumulative());
  }

  /** Formats a percentage with two decimals, or an RMSE with five digits. */
  static String error(Figures kind, double value) {
    return String.format(
        Locale.ROOT, kind instanceof ClassificationFigures ? "%.2f" : "%.5g", value);
  }

  /** Prints the score beside the baselines, and for classification the score per class. */
  public void summary(Evaluation evaluation, ClassNames names) {
    Score score = evaluation.score();
    out.println();
    if (evaluation.test() != null) {
      out.println("Held-out rows:");
    }
    if (score.cumulative() instanceof ClassificationFigures figures) {
      classification(figures, (ClassificationScore) score, evaluation.test() == null);
      out.println();
      out.print(new ClassTable((ClassificationScore) score, names).text());
    } else if (score.cumulative() instanceof RegressionFigures figures) {
      regression(figures, evaluation.test() == null);
    }
    coverage(evaluation);
    String warning = warning(evaluation);
    out.print(warning.isEmpty() ? "" : warning + System.lineSeparator());
    out.println();
    out.println(cost(evaluation));
    out.print(labels(evaluation));
    out.println(kernel(evaluation.learner()) + scaled(evaluation.learner()));
    String forgetting = ForgettingNote.of(evaluation.learner());
    out.print(forgetting.isEmpty() ? "" : forgetting + System.lineSeparator());
  }

  /** Title of a plot, with the final error. */
  public static String title(Evaluation evaluation, EvaluationContext context) {
    Figures end = evaluation.end().cumulative();
    String unit = end instanceof ClassificationFigures ? " % mistakes" : " RMSE";
    return String.join(", ", context.files()).replaceAll("[^ ,]*[/\\\\]", "")
        + ": "
        + error(end, end.error())
        + unit
        + " (baseline "
        + error(end, end.baseline())
        + ")";
  }

  /** Warning if a baseline is better, else empty. */
  static String warning(Evaluation evaluation) {
    Figures figures = evaluation.score().cumulative();
    if (!(figures.baseline() < figures.error())) {
      return "";
    }
    boolean classes = figures instanceof ClassificationFigures;
    return String.format(
        Locale.ROOT,
        "Worse than a baseline: predicting %s %s, avm %s.",
        baseline(figures, evaluation.test() != null),
        (classes ? "makes " : "has an RMSE of ")
            + error(figures, figures.baseline())
            + (classes ? " % mistakes" : ""),
        error(figures, figures.error()) + (classes ? " %" : ""));
  }

  /** What the better baseline predicts. */
  static String baseline(Figures figures, boolean heldOut) {
    boolean classes = figures instanceof ClassificationFigures;
    double noChange =
        figures instanceof ClassificationFigures labels
            ? labels.noChange()
            : ((RegressionFigures) figures).noChange();
    if (noChange == figures.baseline()) {
      return classes ? "the label of the previous row" : "the target of the previous row";
    }
    return (classes ? "the most frequent label" : "the mean")
        + (heldOut ? " of the rows learned from" : " so far");
  }

  private void classification(
      ClassificationFigures figures, ClassificationScore score, boolean stream) {
    String kappa = plain ? "kappa" : "κ";
    row("", "mistakes %", kappa, kappa + "-M", kappa + "-T", "log loss", "AUC");
    row(
        "avm",
        two(figures.mistakeRate()),
        two(figures.kappa()),
        two(figures.kappaM()),
        stream ? two(figures.kappaT()) : "-",
        known(score.logLoss(), "%.4f"),
        known(score.auc(), "%.4f"));
    row("majority", two(figures.majority()));
    if (stream) {
      row("no-change", two(figures.noChange()));
    }
    out.println(
        stream
            ? "Baselines: majority predicts the most frequent label so far, no-change the previous"
                + " label."
            : "Baseline: majority predicts the most frequent label of the rows learned from.");
  }

  private void regression(RegressionFigures figures, boolean stream) {
    row("", "RMSE", "MAE", "bias", "R2");
    row(
        "avm",
        five(figures.rmse()),
        five(figures.mae()),
        five(figures.bias()),
        known(figures.r2(), "%.4f"));
    row("mean", five(figures.mean()));
    if (stream) {
      row("no-change", five(figures.noChange()));
    }
    out.println(
        stream
            ? "Baselines: mean predicts the mean so far, no-change the previous target."
            : "Baseline: mean predicts the mean of the rows learned from.");
  }

  /** Prints how often intervals or prediction sets held the target, at each level. */
  private void coverage(Evaluation evaluation) {
    List<CoverageScore.Figures> levels = evaluation.coverage().figures();
    if (levels.stream().allMatch(level -> level.instances() == 0)) {
      return;
    }
    boolean classes = evaluation.score() instanceof ClassificationScore;
    out.println();
    row("level %", "held %", "worst 2,000", classes ? "classes" : "width");
    for (CoverageScore.Figures level : levels) {
      row(
          String.format(Locale.ROOT, "%.4g", 100 * level.level()),
          two(100 * level.coverage()),
          two(100 * level.worst()),
          classes ? two(level.size()) : five(level.size()));
    }
    out.println(
        classes
            ? "Prediction sets: how often they held the label, in all and in the worst 2,000 rows,"
                + " and their mean number of classes."
            : "Intervals: how often they held the target, in all and in the worst 2,000 rows, and"
                + " their mean width.");
  }

  private void row(String name, String... cells) {
    StringBuilder line = new StringBuilder(String.format("%-11s", name));
    for (String cell : cells) {
      line.append(String.format("%12s", cell));
    }
    out.println(line.toString().stripTrailing());
  }

  private static String two(double value) {
    return known(value, "%.2f");
  }

  private static String five(double value) {
    return known(value, "%.5g");
  }

  private static String known(double value, String format) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }

  private static String kernel(Learner learner) {
    Kernel kernel = learner.config().kernel();
    String name = kernel.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return String.format(Locale.ROOT, "%s kernel, gamma %.4g", name, kernel.gamma());
  }

  private static String scaled(Learner learner) {
    boolean scaled =
        learner instanceof AutoLearner auto && !auto.scaling().isIdentity()
            || learner instanceof ScaledLearner paper && !paper.scaling().isIdentity();
    return scaled ? ", features scaled" : ", features not scaled";
  }

  /** One line on the labels asked for; empty if all were learned from. */
  static String labels(Evaluation evaluation) {
    LabelBudget labels = evaluation.labels();
    if (labels == null) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "labels asked for and learned from: %,d of %,d (%.1f %%)%n",
        labels.asked(),
        labels.seen(),
        100.0 * labels.asked() / Math.max(1, labels.seen()));
  }

  /** One line on time and size. */
  static String cost(Evaluation evaluation) {
    Learner learner = evaluation.learner();
    CurvePoint end = evaluation.end();
    Evaluation.Test test = evaluation.test();
    String line =
        String.format(
            Locale.ROOT,
            "%,d instances %s in %.2f s (%,.0f per second, %.1f us processor time each), %d"
                + " core points, %,d bytes",
            end.instances(),
            evaluation.labels() == null ? "learned" : "predicted",
            end.wallSeconds(),
            evaluation.instancesPerSecond(),
            evaluation.cpuMicros(),
            learner.size(),
            end.modelBytes());
    return test == null
        ? line
        : line
            + String.format(
                Locale.ROOT, "; %,d predicted in %.2f s", evaluation.instances(), test.seconds());
  }

  /** Prints mean and standard deviation over runs. */
  public void repeats(List<Evaluation> evaluations) {
    Figures kind = evaluations.get(0).score().cumulative();
    Spread error = Spread.of(evaluations, e -> e.score().cumulative().error());
    Spread baseline = Spread.of(evaluations, e -> e.score().cumulative().baseline());
    Spread speed = Spread.of(evaluations, Evaluation::instancesPerSecond);
    String sign = plain ? "+-" : "±";
    out.printf(
        Locale.ROOT,
        "%nOver %d shuffled runs: %s %s %s %s (baseline %s), %,.0f instances per second%n",
        evaluations.size(),
        kind instanceof ClassificationFigures ? "mistakes %" : "RMSE",
        error(kind, error.mean()),
        sign,
        error(kind, error.deviation()),
        error(kind, baseline.mean()),
        speed.mean());
  }
}
