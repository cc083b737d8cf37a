// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Instances in memory, for shuffled runs. */
public final class RowsInMemory {
  private static final int OBJECTS = 96;
  private static final double SHARE = 0.75;

  private final List<FeatureVector> vectors = new ArrayList<>();
  private double[] targets = new double[1024];
  private double[] weights = new double[1024];

  private RowsInMemory() {}

  /**
   * Reads a whole stream.
   *
   * @throws AvmException if the instances need more than three quarters of {@code memory} bytes
   */
  public static RowsInMemory read(Instances stream, long memory) throws IOException {
    RowsInMemory stored = new RowsInMemory();
    long bytes = 0;
    while (stream.next()) {
      bytes += OBJECTS + stream.x().count() * (stream.x().isSparse() ? 12L : 8L);
      if (bytes > SHARE * memory) {
        throw new AvmException(
            "more than "
                + stored.size()
                + " rows do not fit in memory ("
                + (memory >> 20)
                + " MB), which --shuffle and --repeat need: use --limit "
                + stored.size()
                + ", or more memory with AVM_JAVA_OPTS=-Xmx8g");
      }
      stored.add(stream);
    }
    return stored;
  }

  private void add(Instances stream) {
    int n = vectors.size();
    if (n == targets.length) {
      targets = Arrays.copyOf(targets, 2 * n);
      weights = Arrays.copyOf(weights, 2 * n);
    }
    vectors.add(stream.x().copy());
    targets[n] = stream.y();
    weights[n] = stream.weight();
  }

  public int size() {
    return vectors.size();
  }

  /** First vectors in the order of the stream. */
  public List<FeatureVector> first(int count) {
    return vectors.subList(0, Math.min(count, vectors.size()));
  }

  /** Targets of all instances in the order of the stream. */
  public List<Double> targets() {
    return Arrays.stream(targets, 0, size()).boxed().toList();
  }

  /** All instances in a random order that depends on the seed only. */
  public Instances shuffled(long seed) {
    int[] order = new int[size()];
    Random random = new Random(seed);
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return new Cursor(order);
  }

  private final class Cursor implements Instances {
    private final int[] order;
    private int at = -1;

    Cursor(int[] order) {
      this.order = order;
    }

    @Override
    public boolean next() {
      at++;
      return at < order.length;
    }

    @Override
    public FeatureVector x() {
      return vectors.get(order[at]);
    }

    @Override
    public double y() {
      return targets[order[at]];
    }

    @Override
    public double weight() {
      return weights[order[at]];
    }

    @Override
    public String toString() {
      return "row " + (order[at] + 1);
    }
  }
}
