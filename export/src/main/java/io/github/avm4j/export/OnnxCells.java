// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A model with cells in an ONNX graph: a {@code Scan} over the rows finds the expansion that
 * predicts each row and evaluates that one alone. Memory beyond the model is that of one row, for
 * any number of rows.
 *
 * <p>Core points of all expansions stand in one tensor, one expansion after the other. Levels of
 * cells are asked one after the other, the oldest first; a newer cell that has a model takes over.
 * Distances are sums of squared differences. Cells are found in double whatever the precision.
 */
final class OnnxCells {
  private static final Precision WIDE = Precision.DOUBLE;

  /** As in {@code Decision}: by how much the score of a class that was not met is lower. */
  private static final double UNMET = 7;

  private final OnnxGraph graph;
  private final Exportable source;
  private final Precision precision;
  private final List<Expert> experts;
  private final OnnxScaling scaling;

  /** Of the whole, which routes, and of what each expansion was learned with. */
  private final OnnxBounds routing;

  private final OnnxBounds own;
  private final int width;

  OnnxCells(OnnxGraph graph, Exportable source, Precision precision) {
    this.graph = graph;
    this.source = source;
    this.precision = precision;
    this.experts = Expert.all(source.model);
    this.scaling = new OnnxScaling(source.dimension);
    BoundTable whole = source.bounds(source.model.bounds());
    this.routing = new OnnxBounds(source.dimension);
    this.own = new OnnxBounds(source.dimension);
    routing.add(whole);
    for (Expert expert : experts) {
      boolean ownBounds = expert.model().bounds().dimension() > 0;
      own.add(ownBounds ? source.bounds(expert.model().bounds()) : whole);
    }
    this.width = Math.max(1, source.model.classes());
    for (Expert expert : experts) {
      if (source.isClassification() && expert.places().length == 0) {
        throw new NotExpressibleException("the model of a cell has met no class: train it first");
      }
    }
  }

  /** Scores of all classes for N×d features in double, or the number of a regression, N×1. */
  String scores(String features) {
    OnnxGraph body = graph.body();
    String x = body.bodyInput(WIDE.code, source.dimension);
    List<Routing> levels = new ArrayList<>();
    int first = 1;
    for (Cells cells : source.model.levels()) {
      levels.add(new Routing(cells, first));
      first += cells.models().size();
    }
    Evaluation evaluation = new Evaluation();
    String expert = body.integers(0);
    String routed = routing.apply(body, x, "");
    for (Routing level : levels) {
      expert = level.next(body, routed, expert);
    }
    String sum = evaluation.sum(body, own.apply(body, x, expert), expert);
    body.bodyOutput(sum, precision.code, width);
    String chosen = body.node("Identity", expert);
    body.bodyOutput(chosen, OnnxGraph.INT64, 1);
    List<String> outputs = graph.scan(body, features);
    String experts = graph.node("Squeeze", outputs.get(1), graph.integers(1));
    return placed(plusIntercept(outputs.get(0), experts), experts);
  }

  private String plusIntercept(String sums, String experts) {
    if (source.isClassification()) {
      return sums;
    }
    double[] intercepts = this.experts.stream().mapToDouble(e -> e.model().intercept()).toArray();
    String table = graph.constant(precision, intercepts, intercepts.length, 1);
    return graph.node("Add", sums, graph.node("Gather", table, experts));
  }

  /** The scores with those of classes that the expansion has not met below all others. */
  private String placed(String scores, String experts) {
    if (!source.isClassification() || this.experts.stream().noneMatch(e -> e.hasUnmet(width))) {
      return scores;
    }
    double[] met = new double[this.experts.size() * width];
    for (int k = 0; k < this.experts.size(); k++) {
      for (int place : this.experts.get(k).places()) {
        met[k * width + place] = 1;
      }
    }
    String table = graph.constant(precision, met, this.experts.size(), width);
    String known =
        graph.node("Equal", graph.node("Gather", table, experts), graph.constant(precision, 1));
    String infinity = graph.constant(precision, Double.POSITIVE_INFINITY);
    String lowest =
        graph.node(
            "ReduceMin",
            Map.of("keepdims", 1),
            graph.node("Where", known, scores, infinity),
            graph.integers(1));
    String below = graph.node("Sub", lowest, graph.constant(precision, UNMET));
    return graph.node("Where", known, scores, below);
  }

  /** Names of the constants that lead a row to the expansion of its cell in one level. */
  private final class Routing {
    private final String children;

    /** From a graph and features in it to the cell. */
    private final BiFunction<OnnxGraph, String, String> find;

    /**
     * Of a level.
     *
     * @param first index of the expansion of the first cell that has one
     */
    Routing(Cells cells, int first) {
      long[] next = new long[cells.size()];
      int index = first;
      for (int i = 0; i < cells.size(); i++) {
        next[i] = cells.model(i) == null ? 0 : index++;
      }
      find = cells.partition() instanceof Centres centres ? around(centres) : tree(cells);
      children = graph.integers(next);
    }

    private BiFunction<OnnxGraph, String, String> tree(Cells cells) {
      return new OnnxTree(graph, source, (SplitTree) cells.partition())::leaf;
    }

    private BiFunction<OnnxGraph, String, String> around(Centres centres) {
      List<double[]> rows = new ArrayList<>();
      for (int i = 0; i < centres.size(); i++) {
        rows.add(source.point(centres.point(i)));
      }
      int metric = scaling.add(source.scaling(centres.scaling()));
      String points = matrix(WIDE, rows, source.dimension);
      return (body, x) -> {
        String z = scaling.apply(body, x, body.integers(metric));
        String squared = squaredDistances(body, points, z);
        return body.node("ArgMin", Map.of("axis", 0, "keepdims", 1), squared);
      };
    }

    /** The expansion of the cell of x, or {@code expert} if it has none. */
    String next(OnnxGraph body, String x, String expert) {
      String own = body.node("Gather", children, find.apply(body, x));
      return body.node("Where", body.node("Greater", own, body.integers(0)), own, expert);
    }
  }

  /** Names of the constants of the expansions. */
  private final class Evaluation {
    private final List<Kernel> kinds = new ArrayList<>();
    private final String kindOf;
    private final String points;
    private final String weights;
    private final String means;
    private final String factors;
    private final String from;
    private final String to;
    private final String scalings;

    Evaluation() {
      List<double[]> rows = new ArrayList<>();
      List<double[]> columns = new ArrayList<>();
      List<double[]> middles = new ArrayList<>();
      long[] starts = new long[experts.size()];
      long[] ends = new long[experts.size()];
      long[] own = new long[experts.size()];
      double[] widths = new double[experts.size()];
      long[] kind = new long[experts.size()];
      for (int k = 0; k < experts.size(); k++) {
        Model model = experts.get(k).model();
        kind[k] = kindOf(model.config().kernel());
        widths[k] = OnnxProfile.factor(model.config().kernel());
        own[k] = scaling.add(source.scaling(model.scaling()));
        starts[k] = rows.size();
        for (int i = 0; i < model.expansionSize(); i++) {
          rows.add(source.point(model.corePoint(i)));
          columns.add(experts.get(k).weights(i, width));
        }
        if (model.expansionSize() == 0) {
          rows.add(new double[source.dimension]);
          columns.add(new double[width]);
        }
        ends[k] = rows.size();
        middles.add(centred(rows.subList((int) starts[k], rows.size())));
      }
      points = matrix(precision, rows, source.dimension);
      weights = matrix(precision, columns, width);
      means = precision == WIDE ? "" : matrix(WIDE, middles, source.dimension);
      factors = graph.constant(precision, widths, widths.length);
      kindOf = kinds.size() == 1 ? "" : graph.integers(kind);
      from = graph.integers(starts);
      to = graph.integers(ends);
      scalings = graph.integers(own);
    }

    /** The index of a kernel among those that differ in more than their width. */
    private int kindOf(Kernel kernel) {
      int known = 0;
      while (known < kinds.size() && !OnnxProfile.isSameKind(kinds.get(known), kernel)) {
        known++;
      }
      if (known == kinds.size()) {
        kinds.add(kernel);
      }
      return known;
    }

    /** For floats, moves points by their mean, so that fewer digits are lost. Returns the mean. */
    private double[] centred(List<double[]> rows) {
      double[] mean = new double[source.dimension];
      for (int j = 0; precision != WIDE && j < mean.length; j++) {
        for (double[] row : rows) {
          mean[j] += row[j] / rows.size();
        }
        for (double[] row : rows) {
          row[j] -= mean[j];
        }
      }
      return mean;
    }

    /** Σ_i w_i·K(x, c_i) of one expansion: as many numbers as there are classes. */
    String sum(OnnxGraph body, String x, String expert) {
      String z = scaling.apply(body, x, body.node("Gather", scalings, expert));
      if (precision != WIDE) {
        String moved = body.node("Sub", z, body.node("Gather", means, expert));
        z = body.node("Cast", Map.of("to", precision.code), moved);
      }
      String first = body.node("Gather", from, expert);
      String last = body.node("Gather", to, expert);
      String squared = squaredDistances(body, body.node("Slice", points, first, last), z);
      String factor = body.node("Gather", factors, expert);
      String values = values(body, squared, factor, expert);
      return body.node("MatMul", values, body.node("Slice", weights, first, last));
    }

    /** Kernel values of one expansion: by each kind of kernel, of which its own is chosen. */
    private String values(OnnxGraph body, String squared, String factor, String expert) {
      String chosen = OnnxProfile.values(body, precision, kinds.get(0), squared, factor);
      for (int k = 1; k < kinds.size(); k++) {
        String isOfKind = body.node("Equal", body.node("Gather", kindOf, expert), body.integers(k));
        String other = OnnxProfile.values(body, precision, kinds.get(k), squared, factor);
        chosen = body.node("Where", isOfKind, other, chosen);
      }
      return chosen;
    }
  }

  private static String squaredDistances(OnnxGraph body, String points, String x) {
    String difference = body.node("Sub", points, x);
    String square = body.node("Mul", difference, difference);
    return body.node("ReduceSum", Map.of("keepdims", 0), square, body.integers(1));
  }

  private String matrix(Precision type, List<double[]> rows, int columns) {
    double[] all = new double[rows.size() * columns];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, all, i * columns, columns);
    }
    return graph.constant(type, all, rows.size(), columns);
  }
}
