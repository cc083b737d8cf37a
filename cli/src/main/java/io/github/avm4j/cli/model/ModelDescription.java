// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.cli.option.LearnerOptions;
import io.github.avm4j.cli.text.JsonText;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.learner.Certificate;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.RowModel;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Description of a model file as a JSON tree. */
public final class ModelDescription {
  private final RowModel rows;
  private final Model model;

  public ModelDescription(RowModel rows) {
    this.rows = rows;
    this.model = rows.model();
  }

  /**
   * Describes the model.
   *
   * @param parts what the bytes of the file are for
   * @param points largest number of core points to list
   * @param yMax largest |y|, 0 if unknown
   */
  public ObjectNode describe(Map<String, Integer> parts, int points, double yMax) {
    ObjectNode tree = JsonText.object();
    tree.put("task", lower(model.task()));
    tree.put("target", rows.target());
    if (model.task() == Task.CLASSIFICATION) {
      tree.set("classes", JsonText.array(rows.classNames()));
    }
    tree.put("core_points", model.size());
    if (!model.levels().isEmpty()) {
      tree.set("cells", cells());
    }
    tree.put("features", model.dimension());
    tree.put("bytes", parts.values().stream().mapToLong(Integer::longValue).sum());
    ObjectNode uses = JsonText.object();
    parts.forEach((part, bytes) -> uses.put(part.replace(' ', '_'), bytes));
    tree.set("bytes_for", uses);
    tree.set("configuration", configuration(model.config()));
    if (model.config() instanceof AvmConfig paper) {
      tree.set("theory", PaperTheory.describe(paper, model.provenance().instances(), yMax));
    }
    tree.set("provenance", provenance(model.provenance()));
    if (!model.scaling().isIdentity() || model.intercept() != 0) {
      tree.set("scaling", scaling(model.scaling()));
    }
    if (!rows.schema().isNumbered()) {
      tree.set("columns", columns());
      tree.set("cell_rules", cellRules());
    }
    tree.set("points", points(points));
    return tree;
  }

  /** Describes a certificate: the effect of the budget, with distances after scaling. */
  public static ObjectNode certificate(Certificate certificate) {
    ObjectNode node = JsonText.object();
    node.put("absorbed", certificate.absorbed());
    node.put("delta", certificate.delta());
    node.put("delta_phi", certificate.deltaPhi());
    node.put("largest_residual", certificate.residual());
    return node;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode configuration(LearnerConfig config) {
    ObjectNode node = JsonText.object();
    node.put("algorithm", config instanceof AvmConfig ? "paper" : "second-order");
    node.put("kernel", config.kernel().getClass().getSimpleName().toLowerCase(Locale.ROOT));
    node.put("gamma", config.kernel().gamma());
    node.put("loss", LearnerOptions.name(config.loss()));
    node.put("lambda", config.lambda());
    node.put("budget", config.budget());
    if (config instanceof AvmConfig paper) {
      node.put("coverage", paper.coverage().getClass().getSimpleName().toLowerCase(Locale.ROOT));
      node.put("delta", paper.coverage().delta());
      node.put("policy", bare(paper.approximation()));
      node.put("output", bare(paper.output()));
      node.put("when_full", lower(paper.whenFull()));
      node.put("seed", paper.seed());
    } else if (config instanceof SecondOrderConfig second) {
      node.put("skip", second.skip());
      node.put("novelty", second.novelty());
      node.put("forgetting", second.forgetting());
    }
    return node;
  }

  /** Text of a record without empty brackets. */
  private static String bare(Object value) {
    return value.toString().replace("[]", "").toLowerCase(Locale.ROOT);
  }

  private static ObjectNode provenance(Provenance provenance) {
    ObjectNode node = JsonText.object();
    node.put("instances", provenance.instances());
    node.put("library", provenance.library());
    node.put("java", provenance.jdk());
    node.put("architecture", provenance.architecture());
    node.put("inner_loops", provenance.simd());
    return node;
  }

  private ObjectNode scaling(Scaling scaling) {
    ObjectNode node = JsonText.object();
    int d = scaling.dimension();
    node.put("intercept", model.intercept());
    node.put("features", d);
    node.put(
        "changed",
        IntStream.range(0, d).filter(j -> scaling.shift(j) != 0 || scaling.scale(j) != 1).count());
    node.put("logarithmic", IntStream.range(0, d).filter(scaling::isLogarithmic).count());
    return node;
  }

  private ObjectNode cells() {
    ObjectNode node = JsonText.object();
    Cells newest = model.levels().get(model.levels().size() - 1);
    node.put("number", newest.size());
    node.put("divided_by", newest.partition() instanceof Centres ? "centres" : "thresholds");
    node.put("with_a_model", model.parts().size());
    node.put("levels", model.levels().size());
    node.put("core_points_in_cells", model.size() - model.expansionSize());
    node.put("core_points_outside", model.expansionSize());
    return node;
  }

  private ArrayNode columns() {
    ArrayNode list = JsonText.array();
    for (Column column : rows.schema().columns()) {
      ObjectNode node = list.addObject();
      node.put("name", column.name());
      node.put("kind", lower(column.kind()));
      node.put("features", column.width());
      if (column.kind() == Column.Kind.NUMBER) {
        node.put("fill", column.missing(0));
      }
      if (column.kind() == Column.Kind.CATEGORY) {
        node.set("categories", JsonText.array(column.categories()));
      }
      if (column.kind() == Column.Kind.DATE) {
        node.put("dates", column.details().dates().pattern());
      }
    }
    return list;
  }

  private ObjectNode cellRules() {
    ObjectNode node = JsonText.object();
    CellReader cells = rows.schema().cells();
    node.set("missing", JsonText.array(cells.missing()));
    node.put("decimal_comma", cells.decimalComma());
    node.set("as_written", JsonText.array(cells.verbatim()));
    return node;
  }

  /** Core points in descending order of |coefficient|, in the units of the data. */
  private ArrayNode points(int most) {
    ArrayNode list = JsonText.array();
    List<Integer> order =
        IntStream.range(0, model.expansionSize())
            .boxed()
            .sorted(Comparator.comparingDouble(this::magnitude).reversed())
            .limit(most)
            .toList();
    for (int i : order) {
      ObjectNode node = list.addObject();
      node.put("index", i);
      ArrayNode coefficients = node.putArray("coefficients");
      for (int c = 0; c < model.columns(); c++) {
        coefficients.add(model.coefficient(c, i));
      }
      node.set("at", coordinates(i));
    }
    return list;
  }

  private double magnitude(int i) {
    double largest = 0;
    for (int c = 0; c < model.columns(); c++) {
      largest = Math.max(largest, Math.abs(model.coefficient(c, i)));
    }
    return largest;
  }

  private ObjectNode coordinates(int i) {
    ObjectNode node = JsonText.object();
    rows.point(model.scaling().invert(model.corePoint(i))).forEach(node::put);
    return node;
  }
}
