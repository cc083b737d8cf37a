// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.model.SplitTree;
import java.util.Map;

/**
 * A tree of thresholds in an ONNX graph, all nodes at once: the leaf that a row belongs to is the
 * one for which no comparison on the way to it is against it.
 *
 * <p>With b_i = 1 where node i finds the value up to its threshold, the sum over the nodes on the
 * way to a leaf, b_i where the way goes below and −b_i where it goes above, less the number of
 * those below, is minus the number of comparisons against it. Whole numbers are exact as floats.
 */
final class OnnxTree {
  private final OnnxGraph graph;
  private final SplitTree tree;
  private final double[] signs;
  private final double[] offsets;
  private final String features;
  private final String thresholds;
  private final String ways;
  private final String counts;

  OnnxTree(OnnxGraph graph, Exportable source, SplitTree tree) {
    this.graph = graph;
    this.tree = tree;
    this.signs = new double[tree.nodes() * tree.size()];
    this.offsets = new double[tree.size()];
    followWays();
    this.features = features(source);
    this.thresholds = thresholds(source);
    this.ways = graph.constant(Precision.FLOAT, signs, tree.nodes(), tree.size());
    this.counts = graph.constant(Precision.FLOAT, offsets, tree.size());
  }

  /** Bytes of its largest constant. */
  static long bytes(SplitTree tree) {
    return 4L * tree.nodes() * tree.size();
  }

  /** Goes from each leaf up to the root. Leaves stand before nodes. */
  private void followWays() {
    int size = tree.size();
    int[] parents = new int[2 * size];
    int[] sides = new int[2 * size];
    for (int i = 0; i < tree.nodes(); i++) {
      for (int side = 1; side >= -1; side -= 2) {
        int child = side > 0 ? tree.below(i) : tree.above(i);
        int place = child < 0 ? ~child : size + child;
        parents[place] = i;
        sides[place] = side;
      }
    }
    for (int leaf = 0; leaf < size; leaf++) {
      for (int at = leaf; at != size; at = size + parents[at]) {
        signs[parents[at] * size + leaf] = sides[at];
        offsets[leaf] -= sides[at] > 0 ? 1 : 0;
      }
    }
  }

  private String features(Exportable source) {
    long[] places = new long[tree.nodes()];
    for (int i = 0; i < places.length; i++) {
      places[i] = Math.max(0, source.place(tree.feature(i)));
    }
    return graph.integers(places);
  }

  /** Of a feature that is 0 in every row, and not written: one that gives what 0 gives. */
  private String thresholds(Exportable source) {
    double[] values = new double[tree.nodes()];
    for (int i = 0; i < values.length; i++) {
      double threshold = tree.threshold(i);
      boolean written = source.place(tree.feature(i)) >= 0;
      double always = threshold >= 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
      values[i] = written ? threshold : always;
    }
    return graph.constant(Precision.DOUBLE, values, values.length);
  }

  /** The leaf of x, features in double that are not scaled. */
  String leaf(OnnxGraph body, String x) {
    String below = body.node("LessOrEqual", body.node("Gather", x, features), thresholds);
    String ones = body.node("Cast", Map.of("to", Precision.FLOAT.code), below);
    String against = body.node("Add", body.node("MatMul", ones, ways), counts);
    return body.node("ArgMax", Map.of("axis", 0, "keepdims", 1), against);
  }
}
