// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.SplitTree;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Models as ONNX files of basic operators (opset 19, IR version 9): encoding, scaling, distances,
 * kernel, one column of weights a class, softmax. {@code SVMClassifier} and {@code SVMRegressor}
 * are not used: they are in float only, and the former's label is not the largest of its scores.
 *
 * <p>Inputs: {@code features}, N×d numbers, if all columns are numbers or numbered; else one N×1
 * tensor a column. Outputs of a classifier: {@code label} (N texts), {@code probabilities} and
 * {@code scores} (N×classes, in the order of the metadata's {@code avm4j.classes}); of a regressor:
 * {@code prediction} (N numbers). An output whose name is a column's gets an underscore.
 *
 * <p>A model with cells is evaluated row by row, in a {@code Scan}: the nearest centre of each
 * division leads to the expansion that predicts the row. Distances are differences, whatever the
 * options say.
 *
 * <p>A hashed column needs {@code MurmurHash3} of ONNX Runtime's own operators ({@code
 * com.microsoft}); a model without one needs nothing but ONNX.
 *
 * <p>A feature that a model of numbered features has never seen still moves x away from every core
 * point, so it matters; a tensor has a fixed width, so {@link OnnxOptions#features} makes room for
 * it.
 *
 * @since 0.1.0
 */
public final class OnnxWriter {
  /** Core points beyond this many bytes would not fit into one file of protocol buffers. */
  private static final long MOST_BYTES = 1L << 30;

  private OnnxWriter() {}

  /**
   * {@return the file of a model of plain vectors; classes are named by their labels}
   *
   * @param model the model
   * @param options precision and form of the file
   */
  public static byte[] write(Model model, OnnxOptions options) {
    return write(Exportable.named(model), options);
  }

  /**
   * {@return the file of a model of raw rows} O(S·d) time and memory.
   *
   * @param rows the model of rows
   * @param options precision and form of the file
   * @throws NotExpressibleException if nothing was learned, or the file would be too large
   */
  public static byte[] write(RowModel rows, OnnxOptions options) {
    Exportable source = new Exportable(rows, options.features());
    requireRoom(source);
    OnnxGraph graph = new OnnxGraph();
    String features = new OnnxInputs(graph, source, options.precision()).features();
    Map<String, String> metadata = new LinkedHashMap<>(source.provenance());
    metadata.put("avm4j.precision", options.precision().toString());
    String scores;
    if (source.model.levels().isEmpty()) {
      OnnxKernel expansion = new OnnxKernel(graph, source, options);
      scores = sums(graph, source, options.precision(), expansion.values(features));
      metadata.put("avm4j.distances", expansion.form().toString());
    } else {
      scores = new OnnxCells(graph, source, options.precision()).scores(features);
      metadata.put("avm4j.distances", Distances.DIFFERENCES.toString());
    }
    if (source.isClassification()) {
      classify(graph, source, options.precision(), scores, metadata);
    } else {
      String value = graph.node("Squeeze", scores, graph.integers(1));
      int type = options.precision().code;
      graph.output(source.freeName("prediction"), value, type, 0, "the number predicted");
    }
    return graph.model(
        "Approximation Vector Machine: f(x) = b + sum_i w_i K(x, c_i)"
            + (source.model.levels().isEmpty()
                ? ""
                : ", one expansion per cell of the input space"),
        source.model.provenance().library(),
        metadata);
  }

  private static void requireRoom(Exportable source) {
    int points = source.model.size();
    long trees = 0;
    for (Cells cells : source.model.levels()) {
      points += cells.partition() instanceof Centres ? cells.size() : 0;
      trees += cells.partition() instanceof SplitTree tree ? OnnxTree.bytes(tree) : 0;
    }
    long bytes = 8L * points * source.dimension + trees;
    if (bytes > MOST_BYTES) {
      throw new NotExpressibleException(
          points
              + (points == source.model.size()
                  ? " core points of "
                  : " core points and centres of ")
              + source.dimension
              + " features take "
              + bytes
              + " bytes, ONNX has room for "
              + MOST_BYTES
              + ": lower the budget, the cells or the number of features");
    }
  }

  /** Scores of all classes, or the number of a regression, of a model without cells. */
  private static String sums(
      OnnxGraph graph, Exportable source, Precision precision, String kernel) {
    int s = source.model.size();
    int width = Math.max(1, source.model.classes());
    double[] weights = new double[s * width];
    for (int i = 0; i < s; i++) {
      for (int j = 0; j < width; j++) {
        weights[i * width + j] = source.coefficient(j, i);
      }
    }
    String sum = graph.node("MatMul", kernel, graph.constant(precision, weights, s, width));
    return source.isClassification()
        ? sum
        : graph.node("Add", sum, graph.constant(precision, source.model.intercept()));
  }

  private static void classify(
      OnnxGraph graph,
      Exportable source,
      Precision precision,
      String scores,
      Map<String, String> metadata) {
    int classes = source.model.classes();
    List<String> names = new ArrayList<>();
    for (int j = 0; j < classes; j++) {
      names.add(source.className(j));
    }
    metadata.put("avm4j.classes", String.join("\n", names));
    String winner = graph.node("ArgMax", Map.of("axis", 1, "keepdims", 0), scores);
    String prediction = graph.node("Gather", graph.texts(names, classes), winner);
    String probabilities = graph.node("Softmax", Map.of("axis", 1), scores);
    graph.output(
        source.freeName("prediction"),
        prediction,
        OnnxGraph.STRING,
        0,
        "the class of the largest score");
    graph.output(
        source.freeName("probabilities"),
        probabilities,
        precision.code,
        classes,
        "softmax of the scores, classes in order: " + names);
    graph.output(
        source.freeName("scores"),
        scores,
        precision.code,
        classes,
        "one a class, in order: " + names + "; for two classes -f/2 and f/2 of the margin f");
  }
}
