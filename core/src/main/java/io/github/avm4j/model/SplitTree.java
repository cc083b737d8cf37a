// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;

/**
 * Cells that are the leaves of a binary tree. Each node compares one feature with a threshold:
 * instances up to the threshold go one way, those above it the other. Finding a cell costs one
 * comparison for each level of the tree.
 *
 * <p>Node 0 is the root. A child is a later node, or a leaf as the complement of its number: −1 is
 * leaf 0, −2 leaf 1.
 */
public final class SplitTree implements Partition {
  private final int dimension;
  private final boolean openEnded;
  private final int[] features;
  private final double[] thresholds;
  private final int[] below;
  private final int[] above;

  /**
   * Copies the arrays, which have one entry for each node.
   *
   * @param dimension number of features
   * @param openEnded whether instances are sparse; a feature that one does not have is 0
   * @param features that are compared
   * @param thresholds that they are compared with
   * @param below children for values up to the threshold
   * @param above children for values above it
   * @throws IllegalArgumentException if these are no tree, or a feature or threshold is not valid
   */
  public SplitTree(
      int dimension,
      boolean openEnded,
      int[] features,
      double[] thresholds,
      int[] below,
      int[] above) {
    this.dimension = dimension;
    this.openEnded = openEnded;
    this.features = features.clone();
    this.thresholds = thresholds.clone();
    this.below = below.clone();
    this.above = above.clone();
    check();
  }

  private void check() {
    int nodes = features.length;
    boolean valid = nodes > 0 && thresholds.length == nodes;
    valid &= below.length == nodes && above.length == nodes;
    boolean[] entered = new boolean[valid ? 2 * nodes + 1 : 0];
    for (int i = 0; valid && i < nodes; i++) {
      valid =
          features[i] >= 0
              && features[i] < dimension
              && Double.isFinite(thresholds[i])
              && isFirst(below[i], i, entered)
              && isFirst(above[i], i, entered);
    }
    if (!valid) {
      throw new IllegalArgumentException(
          "a tree must have each later node and each leaf as the child of one earlier node,"
              + " features"
              + " below %d and finite thresholds; this one of %d nodes has not"
                  .formatted(dimension, nodes));
    }
  }

  /** Whether a child may be one of a node, and is no other node's; leaves stand before nodes. */
  private boolean isFirst(int child, int node, boolean[] entered) {
    int nodes = features.length;
    boolean fits = child < 0 ? ~child <= nodes : child > node && child < nodes;
    int place = child < 0 ? ~child : nodes + child;
    if (!fits || entered[place]) {
      return false;
    }
    entered[place] = true;
    return true;
  }

  @Override
  public int size() {
    return features.length + 1;
  }

  @Override
  public int indexOf(FeatureVector x) {
    int node = 0;
    while (node >= 0) {
      node = x.get(features[node]) <= thresholds[node] ? below[node] : above[node];
    }
    return ~node;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public boolean isOpenEnded() {
    return openEnded;
  }

  /** {@return the number of nodes: one less than there are cells} */
  public int nodes() {
    return features.length;
  }

  /**
   * {@return the feature that a node compares}
   *
   * @param node index of the node, from 0
   */
  public int feature(int node) {
    return features[node];
  }

  /**
   * {@return the threshold that a node compares with}
   *
   * @param node index of the node, from 0
   */
  public double threshold(int node) {
    return thresholds[node];
  }

  /**
   * {@return the child for values up to the threshold: a node, or the complement of a cell}
   *
   * @param node index of the node, from 0
   */
  public int below(int node) {
    return below[node];
  }

  /**
   * {@return the child for values above the threshold: a node, or the complement of a cell}
   *
   * @param node index of the node, from 0
   */
  public int above(int node) {
    return above[node];
  }
}
