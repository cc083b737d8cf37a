// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Synthetic streams. Each is a pure function of its arguments; the last one is always the seed. */
public final class Streams {
  private Streams() {}

  /**
   * Gaussian blobs around random centres in [0, 1]^d, labels 0 … classes−1.
   *
   * @param classes number of classes
   * @param d number of features
   * @param n number of rows
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> blobs(int classes, int d, int n, long seed) {
    return blobs(classes, d, n, 0.15, seed, new Random(seed));
  }

  private static List<Instance> blobs(
      int classes, int d, int n, double spread, long centreSeed, Random random) {
    Random centreRandom = new Random(centreSeed);
    double[][] centres = new double[classes][d];
    for (double[] centre : centres) {
      Arrays.setAll(centre, j -> centreRandom.nextDouble());
    }
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int label = random.nextInt(classes);
      double[] x = new double[d];
      Arrays.setAll(x, j -> centres[label][j] + spread * random.nextGaussian());
      rows.add(Instance.of(label, x));
    }
    return rows;
  }

  /**
   * A checkerboard of side × side squares on [0, 1]², labels 0 and 1; side 2 is XOR.
   *
   * @param side number of squares, or points, on a side
   * @param n number of rows
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> checkerboard(int side, int n, long seed) {
    Random random = new Random(seed);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      rows.add(Instance.of(((int) (a * side) + (int) (b * side)) % 2, a, b));
    }
    return rows;
  }

  /**
   * y = Σ_j sin(6·x_j)/d + noise on [0, 1]^d.
   *
   * @param d number of features
   * @param n number of rows
   * @param noise standard deviation of the noise
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> noisySine(int d, int n, double noise, long seed) {
    Random random = new Random(seed);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double[] x = new double[d];
      Arrays.setAll(x, j -> random.nextDouble());
      double y = Arrays.stream(x).map(v -> Math.sin(6 * v)).sum() / d;
      rows.add(Instance.of(y + noise * random.nextGaussian(), x));
    }
    return rows;
  }

  /**
   * Sparse rows of {@code nonZeros} features out of {@code d}, drawn from a vocabulary of twelve
   * spread over all d (the last one included), labels 0 … classes−1 by their first features.
   *
   * @param classes number of classes
   * @param d number of features
   * @param nonZeros non-zero features of a row
   * @param n number of rows
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> sparse(int classes, int d, int nonZeros, int n, long seed) {
    Random random = new Random(seed);
    int vocabulary = Math.min(d, 12);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int[] indices =
          random
              .ints(0, vocabulary)
              .distinct()
              .limit(Math.min(nonZeros, vocabulary))
              .sorted()
              .map(word -> (int) ((word + 1L) * d / vocabulary) - 1)
              .toArray();
      double[] values = random.doubles(indices.length, 0.5, 1).toArray();
      double label = (indices[0] + indices.length) % classes;
      rows.add(new Instance(FeatureVector.sparse(indices, values), label, 1));
    }
    return rows;
  }

  /**
   * The same rows by rising first feature.
   *
   * @param rows the rows, not changed
   * @return the rows, of weight 1
   */
  public static List<Instance> sorted(List<Instance> rows) {
    List<Instance> result = new ArrayList<>(rows);
    result.sort(Comparator.comparingDouble(row -> row.x().get(0)));
    return result;
  }

  /**
   * The same rows, all of one label before the next label begins.
   *
   * @param rows the rows, not changed
   * @return the rows, of weight 1
   */
  public static List<Instance> clustered(List<Instance> rows) {
    List<Instance> result = new ArrayList<>(rows);
    result.sort(Comparator.comparingDouble(Instance::y));
    return result;
  }

  /**
   * A spiral outward from the origin to radius 1, two alternating labels.
   *
   * @param turns number of turns
   * @param n number of rows
   * @return the rows, of weight 1
   */
  public static List<Instance> spiral(int turns, int n) {
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double r = (i + 1.0) / n;
      double angle = 2 * Math.PI * turns * r;
      rows.add(Instance.of(i % 2, r * Math.cos(angle), r * Math.sin(angle)));
    }
    return rows;
  }

  /**
   * Points of a grid whose neighbours are exactly δ/2 apart, in random order, each three times.
   * Take a δ that is a power of two, so that every distance between neighbours is exact.
   *
   * @param delta δ, a power of two
   * @param side number of squares, or points, on a side
   * @param d number of features
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> exactlyHalfDelta(double delta, int side, int d, long seed) {
    Random random = new Random(seed);
    int count = (int) Math.pow(side, d);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 3 * count; i++) {
      double[] x = new double[d];
      int rest = i % count;
      for (int j = 0; j < d; j++) {
        x[j] = rest % side * delta / 2;
        rest /= side;
      }
      rows.add(Instance.of(i % 2, x));
    }
    Collections.shuffle(rows, random);
    return rows;
  }

  /**
   * Blobs whose centres are replaced at once in the middle.
   *
   * @param classes number of classes
   * @param d number of features
   * @param n number of rows
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> abruptDrift(int classes, int d, int n, long seed) {
    return drift(classes, d, n, seed, share -> share < 0.5 ? 0 : 1);
  }

  /**
   * Blobs of a second concept that mix in from one third on and are alone from two thirds on.
   *
   * @param classes number of classes
   * @param d number of features
   * @param n number of rows
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> gradualDrift(int classes, int d, int n, long seed) {
    return drift(classes, d, n, seed, share -> Math.min(1, Math.max(0, 3 * share - 1)));
  }

  /**
   * Two concepts of blobs that take turns, five each.
   *
   * @param classes number of classes
   * @param d number of features
   * @param n number of rows
   * @param seed seed of the random draws
   * @return the rows, of weight 1
   */
  public static List<Instance> recurringDrift(int classes, int d, int n, long seed) {
    return drift(classes, d, n, seed, share -> (int) (share * 10) % 2);
  }

  /** The probability of the second concept at a share of the stream. */
  private interface Mix {
    double second(double share);
  }

  private static List<Instance> drift(int classes, int d, int n, long seed, Mix mix) {
    Random random = new Random(seed);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      boolean second = random.nextDouble() < mix.second((double) i / n);
      long centres = second ? ~seed : seed;
      rows.addAll(blobs(classes, d, 1, 0.1, centres, random));
    }
    return rows;
  }

  /**
   * The same rows with weights drawn from [0.2, 3).
   *
   * @param rows the rows, not changed
   * @param seed seed of the random draws
   * @return the rows
   */
  public static List<Instance> weighted(List<Instance> rows, long seed) {
    Random random = new Random(seed);
    return rows.stream().map(row -> row.withWeight(0.2 + 2.8 * random.nextDouble())).toList();
  }
}
