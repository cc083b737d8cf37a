// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.cli.run.Spread;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.RegressionFigures;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.model.Provenance;
import java.util.List;
import java.util.Map;

/** Evaluation as one JSON object; undefined values are null. */
public final class EvaluationJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private EvaluationJson() {}

  /**
   * Creates the object. For several runs, values listed in "repeats" are means; others are of the
   * first run.
   */
  public static ObjectNode of(List<Evaluation> evaluations, EvaluationContext context) {
    Evaluation first = evaluations.get(0);
    ObjectNode root = MAPPER.createObjectNode();
    root.put("task", first.learner().task().name().toLowerCase(java.util.Locale.ROOT));
    root.put("method", first.test() == null ? "prequential" : "hold-out");
    root.put("instances", first.instances());
    root.put("trained", first.learned());
    figures(root, first.score().cumulative(), first.test() != null);
    extras(root, first.score(), context);
    coverage(root, first);
    cost(root, first);
    ObjectNode window = root.putObject("window").put("size", context.window());
    figures(window, first.score().window(), first.test() != null);
    if (evaluations.size() > 1) {
      repeats(root, evaluations);
    }
    context(root, first, context);
    return root;
  }

  /** Adds scores; the no-change baseline is omitted for held-out rows, which have no order. */
  private static void figures(ObjectNode node, Figures any, boolean heldOut) {
    if (any instanceof ClassificationFigures figures) {
      put(node, "mistake_rate", figures.mistakeRate());
      put(node, "baseline", figures.baseline());
      node.put("baseline_prediction", EvaluationText.baseline(any, heldOut));
      put(node, "majority", figures.majority());
      put(node, "kappa", figures.kappa());
      put(node, "kappa_m", figures.kappaM());
      if (!heldOut) {
        put(node, "no_change", figures.noChange());
        put(node, "kappa_t", figures.kappaT());
      }
    } else if (any instanceof RegressionFigures figures) {
      put(node, "rmse", figures.rmse());
      put(node, "baseline", figures.baseline());
      node.put("baseline_prediction", EvaluationText.baseline(any, heldOut));
      put(node, "mean", figures.mean());
      if (!heldOut) {
        put(node, "no_change", figures.noChange());
      }
      put(node, "mae", figures.mae());
      put(node, "bias", figures.bias());
      put(node, "r2", figures.r2());
    }
  }

  private static void extras(ObjectNode node, Score any, EvaluationContext context) {
    if (any instanceof ClassificationScore score) {
      put(node, "balanced_accuracy", ClassTable.balancedAccuracy(score));
      put(node, "log_loss", score.logLoss());
      put(node, "auc", score.auc());
      put(node, "auc_error", score.aucError());
      ObjectNode recall = node.putObject("recall");
      ObjectNode precision = node.putObject("precision");
      for (int c = 0; c < score.classes(); c++) {
        String name = context.names().nameOf(score.label(c));
        put(recall, name, score.recall(c));
        put(precision, name, score.precision(c));
      }
    }
  }

  private static void coverage(ObjectNode root, Evaluation evaluation) {
    if (evaluation.coverage().figures().isEmpty()) {
      return;
    }
    String size = evaluation.score() instanceof ClassificationScore ? "classes" : "width";
    ArrayNode levels = root.putArray("coverage");
    for (CoverageScore.Figures figures : evaluation.coverage().figures()) {
      ObjectNode node = levels.addObject().put("level", figures.level());
      put(node, "held", figures.coverage());
      put(node, "worst", figures.worst());
      put(node, size, figures.size());
    }
  }

  private static void cost(ObjectNode node, Evaluation evaluation) {
    CurvePoint end = evaluation.end();
    node.put("core_points", end.corePoints());
    node.put("model_bytes", end.modelBytes());
    put(node, "seconds", end.wallSeconds());
    put(node, "cpu_seconds", end.cpuSeconds());
    put(node, "instances_per_second", evaluation.instancesPerSecond());
    put(node, "cpu_micros_per_instance", evaluation.cpuMicros());
    Evaluation.Test test = evaluation.test();
    if (test != null) {
      put(node, "test_seconds", test.seconds());
    }
  }

  private static void repeats(ObjectNode root, List<Evaluation> evaluations) {
    ObjectNode repeats = root.putObject("repeats").put("count", evaluations.size());
    boolean classes = evaluations.get(0).score() instanceof ClassificationScore;
    String error = classes ? "mistake_rate" : "rmse";
    repeat(root, repeats, error, Spread.of(evaluations, e -> e.score().cumulative().error()));
    Spread baseline = Spread.of(evaluations, e -> e.score().cumulative().baseline());
    repeat(root, repeats, "baseline", baseline);
    Spread core = Spread.of(evaluations, e -> e.end().corePoints());
    repeat(root, repeats, "core_points", core);
    root.put("core_points", Math.round(core.mean()));
    repeat(root, repeats, "seconds", Spread.of(evaluations, e -> e.end().wallSeconds()));
    Spread speed = Spread.of(evaluations, Evaluation::instancesPerSecond);
    repeat(root, repeats, "instances_per_second", speed);
  }

  private static void repeat(ObjectNode root, ObjectNode repeats, String name, Spread spread) {
    put(root, name, spread.mean());
    ObjectNode node = repeats.putObject(name);
    put(node, "mean", spread.mean());
    put(node, "deviation", spread.deviation());
  }

  private static void context(ObjectNode root, Evaluation first, EvaluationContext context) {
    root.put("seed", context.seed());
    root.put("shuffled", context.shuffled());
    ObjectNode configuration = root.putObject("configuration").put("learner", context.note());
    for (Map.Entry<String, Object> setting :
        EvaluationContext.configuration(first.learner()).entrySet()) {
      configuration.putPOJO(setting.getKey(), setting.getValue());
    }
    ObjectNode data = root.putObject("data").put("inferred", context.inferred());
    data.put("target", context.target());
    data.put("features", context.features());
    context.files().forEach(data.putArray("files")::add);
    context.testFiles().forEach(data.putArray("test_files")::add);
    context.names().toList().forEach(data.putArray("classes")::add);
    Provenance here = Provenance.here(first.end().instances());
    root.putObject("provenance")
        .put("library", here.library())
        .put("jdk", here.jdk())
        .put("architecture", here.architecture())
        .put("simd", here.simd());
  }

  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
