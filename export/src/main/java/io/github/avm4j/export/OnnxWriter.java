// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.model.Model;
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
    long bytes = 8L * source.model.size() * source.dimension;
    if (bytes > MOST_BYTES) {
      throw new NotExpressibleException(
          source.model.size()
              + " core points of "
              + source.dimension
              + " features take "
              + bytes
              + " bytes, ONNX has room for "
              + MOST_BYTES
              + ": lower the budget, the fine points or the number of features");
    }
    OnnxGraph graph = new OnnxGraph();
    String features = new OnnxInputs(graph, source, options.precision()).features();
    OnnxKernel expansion = new OnnxKernel(graph, source, options);
    String kernel = expansion.values(features);
    Map<String, String> metadata = new LinkedHashMap<>(source.provenance());
    metadata.put("avm4j.precision", options.precision().toString());
    metadata.put("avm4j.distances", expansion.form().toString());
    if (source.isClassification()) {
      classify(graph, source, options.precision(), kernel, metadata);
    } else {
      regress(graph, source, options.precision(), kernel);
    }
    return graph.model(
        "Approximation Vector Machine: f(x) = b + sum_i w_i K(x, c_i)",
        source.model.provenance().library(),
        metadata);
  }

  private static void regress(
      OnnxGraph graph, Exportable source, Precision precision, String kernel) {
    int s = source.model.size();
    double[] weights = new double[s];
    for (int i = 0; i < s; i++) {
      weights[i] = source.coefficient(0, i);
    }
    String sum = graph.node("MatMul", kernel, graph.constant(precision, weights, s));
    String value = graph.node("Add", sum, graph.constant(precision, source.model.intercept()));
    graph.output(source.freeName("prediction"), value, precision.code, 0, "the number predicted");
  }

  private static void classify(
      OnnxGraph graph,
      Exportable source,
      Precision precision,
      String kernel,
      Map<String, String> metadata) {
    int s = source.model.size();
    int classes = source.model.classes();
    double[] weights = new double[s * classes];
    List<String> names = new ArrayList<>();
    for (int j = 0; j < classes; j++) {
      names.add(source.className(j));
      for (int i = 0; i < s; i++) {
        weights[i * classes + j] = source.coefficient(j, i);
      }
    }
    metadata.put("avm4j.classes", String.join("\n", names));
    String scores = graph.node("MatMul", kernel, graph.constant(precision, weights, s, classes));
    String winner = graph.node("ArgMax", Map.of("axis", 1, "keepdims", 0), scores);
    String label = graph.node("Gather", graph.texts(names, classes), winner);
    String probabilities = graph.node("Softmax", Map.of("axis", 1), scores);
    graph.output(
        source.freeName("label"), label, OnnxGraph.STRING, 0, "the class of the largest score");
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
