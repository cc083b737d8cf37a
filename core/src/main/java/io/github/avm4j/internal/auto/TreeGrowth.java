// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.Task;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Grows a {@link SplitTree} on instances with targets, as regression trees are grown (Breiman et
 * al. 1984): the leaf is split next where that lowers the squared error of the mean target most; of
 * classes, the mean is that of their indicators. Thresholds are between {@value #BINS} quantiles.
 * The same instances give the same tree.
 *
 * <p>It grows piece by piece: the thresholds of a feature, the best of them in a leaf, a split.
 */
final class TreeGrowth {
  private static final int BINS = 64;

  /** Instances that a leaf has at least. */
  private static final int LEAST = 50;

  /** More features, or classes, take too long. */
  private static final int MOST_FEATURES = 300;

  private static final int MOST_CLASSES = 64;

  /** What rounding may add to a sum, as a share of it; a gain has to be larger by more. */
  private static final double ROUNDING = 1e-9;

  private final List<StoredInstances.Kept> instances;
  private final int features;
  private final boolean openEnded;
  private final double[] weights;

  /** The weighted target of each instance, or its weight in the column of its class. */
  private final double[] amounts;

  private final int[] columns;
  private final int width;

  private final double[][] thresholds;

  /** The bin of each feature of each instance, as a byte: how many thresholds are below it. */
  private final byte[][] bins;

  /** The instances; those of a leaf stand together. */
  private final int[] order;

  /** A leaf and the best split of it: below and up to a threshold; no feature if there is none. */
  private record Leaf(
      int from, int to, int parent, boolean above, int feature, int bin, double gain) {}

  /** Leaves whose best split is known, and those of which it is still to be found. */
  private final PriorityQueue<Leaf> open =
      new PriorityQueue<>(
          Comparator.comparingDouble(Leaf::gain).reversed().thenComparingInt(Leaf::from));

  private final Deque<Leaf> unknown = new ArrayDeque<>();

  /** What is known of the first of those: sums, its best split so far, features looked at. */
  private Sums all = new Sums();

  private Leaf best;
  private int looked;

  /** Features that have thresholds. */
  private int binned;

  private final int leaves;
  private final int[] feature;
  private final double[] threshold;
  private final int[] below;
  private final int[] above;
  private int nodes;
  private int closed;
  private boolean done;

  private TreeGrowth(Task task, List<StoredInstances.Kept> instances, int leaves) {
    this.instances = instances;
    this.openEnded = instances.stream().anyMatch(one -> one.x().isSparse());
    this.features = instances.stream().mapToInt(one -> one.x().dimension()).max().orElse(0);
    this.weights = instances.stream().mapToDouble(StoredInstances.Kept::weight).toArray();
    double[] classes = task == Task.REGRESSION ? new double[1] : classes(instances);
    this.width = classes.length;
    this.columns = new int[weights.length];
    this.amounts = task == Task.REGRESSION ? centred() : weights;
    for (int i = 0; width > 1 && i < columns.length; i++) {
      columns[i] = Arrays.binarySearch(classes, instances.get(i).y());
    }
    this.order = new int[instances.size()];
    Arrays.setAll(order, i -> i);
    this.thresholds = new double[features][];
    this.bins = new byte[features][instances.size()];
    this.leaves = leaves;
    this.feature = new int[leaves];
    this.threshold = new double[leaves];
    this.below = new int[leaves];
    this.above = new int[leaves];
    this.best = new Leaf(0, order.length, 0, false, -1, 0, 0);
    unknown.add(best);
  }

  /**
   * A tree of at most so many leaves, of which nothing has grown; null if instances have too many
   * features or classes.
   */
  static @Nullable TreeGrowth of(Task task, List<StoredInstances.Kept> instances, int leaves) {
    boolean few = instances.stream().allMatch(one -> one.x().dimension() <= MOST_FEATURES);
    few &= task == Task.REGRESSION || classes(instances).length <= MOST_CLASSES;
    return few && !instances.isEmpty() ? new TreeGrowth(task, instances, leaves) : null;
  }

  private static double[] classes(List<StoredInstances.Kept> instances) {
    return instances.stream().mapToDouble(StoredInstances.Kept::y).distinct().sorted().toArray();
  }

  private double[] centred() {
    double mean = 0;
    double sum = 0;
    for (StoredInstances.Kept one : instances) {
      sum += one.weight();
      mean += one.weight() / sum * (one.y() - mean);
    }
    double[] all = new double[weights.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = weights[i] * (instances.get(i).y() - mean);
    }
    return all;
  }

  /** Thresholds of a feature: all between different values, or of many about the quantiles. */
  private void bin(int feature) {
    double[] values = instances.stream().mapToDouble(one -> one.x().get(feature)).toArray();
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    long different = Arrays.stream(sorted).distinct().count();
    int apart = different <= BINS ? 1 : (sorted.length + BINS - 1) / BINS;
    double[] found = new double[BINS];
    int count = 0;
    int last = 0;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] > sorted[i - 1] && i - last >= apart) {
        found[count++] = between(sorted[i - 1], sorted[i]);
        last = i;
      }
    }
    thresholds[feature] = Arrays.copyOf(found, count);
    for (int i = 0; i < values.length; i++) {
      int place = Arrays.binarySearch(found, 0, count, values[i]);
      bins[feature][i] = (byte) (place < 0 ? ~place : place);
    }
  }

  /** The middle of two numbers, if rounding leaves it below the larger one. */
  private static double between(double low, double high) {
    double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
  }

  boolean isDone() {
    return done;
  }

  /** Grows by a piece; returns the elements that this passed over. */
  double goOn() {
    if (binned < features) {
      bin(binned++);
      // Sorted, and then each put into its bin.
      return (double) order.length * (Integer.SIZE - Integer.numberOfLeadingZeros(order.length));
    }
    Leaf first = unknown.peek();
    if (first == null) {
      return split();
    }
    if (looked == 0) {
      begin(first);
    }
    if (looked < features && first.to - first.from >= 2 * LEAST) {
      look(looked++);
    } else {
      open.add(best);
      unknown.remove();
      looked = 0;
    }
    return first.to - first.from;
  }

  private void begin(Leaf leaf) {
    best = leaf;
    all = new Sums();
    for (int i = leaf.from; i < leaf.to; i++) {
      all.add(order[i]);
    }
  }

  /** Splits the leaf that gains most; at the end there is none. */
  private double split() {
    while (!open.isEmpty()) {
      Leaf next = open.remove();
      boolean splits = next.feature >= 0 && nodes < leaves - 1;
      (next.above ? above : below)[next.parent] = splits ? nodes : ~closed;
      if (splits) {
        feature[nodes] = next.feature;
        threshold[nodes] = thresholds[next.feature][next.bin];
        int middle = divide(next);
        unknown.add(new Leaf(next.from, middle, nodes, false, -1, 0, 0));
        unknown.add(new Leaf(middle, next.to, nodes, true, -1, 0, 0));
        nodes++;
        return next.to - next.from;
      }
      closed++;
    }
    done = true;
    return 0;
  }

  /** What has grown; null if no split gains anything. */
  @Nullable SplitTree tree() {
    return nodes == 0
        ? null
        : new SplitTree(
            features,
            openEnded,
            Arrays.copyOf(feature, nodes),
            Arrays.copyOf(threshold, nodes),
            Arrays.copyOf(below, nodes),
            Arrays.copyOf(above, nodes));
  }

  /** Moves the instances above the threshold behind the others; returns where they begin. */
  private int divide(Leaf leaf) {
    int[] later = new int[leaf.to - leaf.from];
    int count = 0;
    int middle = leaf.from;
    for (int i = leaf.from; i < leaf.to; i++) {
      if (bins[leaf.feature][order[i]] <= leaf.bin) {
        order[middle++] = order[i];
      } else {
        later[count++] = order[i];
      }
    }
    System.arraycopy(later, 0, order, middle, count);
    return middle;
  }

  /** Whether a threshold of a feature is the best split so far. */
  private void look(int j) {
    Leaf leaf = best;
    Sums[] inBins = new Sums[thresholds[j].length + 1];
    Arrays.setAll(inBins, b -> new Sums());
    for (int i = leaf.from; i < leaf.to; i++) {
      inBins[bins[j][order[i]]].add(order[i]);
    }
    double least = ROUNDING * all.squares();
    Sums low = new Sums();
    for (int b = 0; b < inBins.length - 1; b++) {
      low.add(inBins[b]);
      boolean large = low.count >= LEAST && all.count - low.count >= LEAST;
      double gain = large && inBins[b].count > 0 ? low.gain(all) : 0;
      if (gain > least && gain > (1 + ROUNDING) * best.gain) {
        best = new Leaf(leaf.from, leaf.to, leaf.parent, leaf.above, j, b, gain);
      }
    }
  }

  /** Of some instances: how many, their weight, and their weighted targets. */
  private final class Sums {
    int count;
    double weight;
    final double[] sums = new double[width];

    void add(int instance) {
      count++;
      weight += weights[instance];
      sums[columns[instance]] += amounts[instance];
    }

    void add(Sums other) {
      count += other.count;
      weight += other.weight;
      for (int c = 0; c < sums.length; c++) {
        sums[c] += other.sums[c];
      }
    }

    /** What their mean explains of their weighted squared targets. */
    double squares() {
      double sum = 0;
      for (double one : sums) {
        sum += one * one / weight;
      }
      return sum;
    }

    /** By how much the squared error is lower if these and the others of all are told apart. */
    double gain(Sums all) {
      double rest = all.weight - weight;
      double gain = 0;
      for (int c = 0; c < sums.length; c++) {
        double other = all.sums[c] - sums[c];
        gain += sums[c] * sums[c] / weight + other * other / rest;
        gain -= all.sums[c] * all.sums[c] / all.weight;
      }
      return gain;
    }
  }
}
