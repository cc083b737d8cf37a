// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.SplittableRandom;

/**
 * A stream of what a learner accepts and nobody wants: huge and tiny values, constants, duplicates,
 * weights from 0 to 1e12, new classes and new sparse features at any time. Same seed, same stream.
 */
public final class NastyStream {
  private static final int MOST_FEATURES = 6;
  private static final int FARTHEST_FEATURE = 5000;
  private static final double[] LABELS = {0, 1, -1, 2, 0.1, -1e300, 7, 1e-300};

  private final SplittableRandom random;
  private final Task task;
  private final int features;
  private final int dimension;
  private final boolean sparse;
  private final double largestTarget;
  private double unit = 1;
  private double targetUnit = 1;
  private int classes = 2;
  private FeatureVector last = FeatureVector.dense();

  /**
   * @param task classification or regression
   * @param features that are declared, 0 if none are
   * @param largestTarget magnitude that the learner accepts
   * @param seed seed of the random draws
   */
  public NastyStream(Task task, int features, double largestTarget, long seed) {
    this.random = new SplittableRandom(seed);
    this.task = task;
    this.features = features;
    this.largestTarget = largestTarget;
    this.dimension = features > 0 ? features : 1 + random.nextInt(MOST_FEATURES);
    this.sparse = random.nextBoolean();
  }

  /** {@return the next instance} */
  public Instance next() {
    if (happens(0.01)) {
      unit = magnitude(happens(0.2) ? 140 : 3);
    }
    if (happens(0.01)) {
      targetUnit = Math.min(largestTarget / 100, magnitude(happens(0.2) ? 140 : 3));
    }
    boolean again = last.count() > 0 && happens(0.1);
    last = again ? last : features();
    return new Instance(last, task == Task.REGRESSION ? target() : label(), weight());
  }

  private FeatureVector features() {
    if (!sparse) {
      double[] values = new double[dimension];
      for (int j = 0; j < dimension; j++) {
        values[j] = value();
      }
      return FeatureVector.dense(values);
    }
    int[] indices = new int[dimension];
    double[] values = new double[dimension];
    int count = 0;
    for (int j = 0; j < dimension; j++) {
      boolean far = features == 0 && j == dimension - 1 && happens(0.02);
      if (far || happens(0.7)) {
        indices[count] = far ? j + random.nextInt(FARTHEST_FEATURE) : j;
        values[count++] = value();
      }
    }
    return FeatureVector.sparse(indices, values, count).copy();
  }

  private double value() {
    return happens(0.1) ? 0 : happens(0.1) ? unit : happens(0.01) ? sign(140) : normal() * unit;
  }

  private double target() {
    if (happens(0.01)) {
      return Math.max(-largestTarget, Math.min(largestTarget, sign(149)));
    }
    double smooth = last.count() == 0 ? 0 : Math.sin(last.values()[0] / unit);
    return targetUnit * (happens(0.2) ? 3 : smooth + 0.1 * normal());
  }

  private double label() {
    if (classes < LABELS.length && happens(0.005)) {
      return LABELS[classes++];
    }
    boolean positive = last.count() > 0 && last.values()[0] > 0;
    return LABELS[happens(0.2) ? random.nextInt(classes) : positive ? 1 : 0];
  }

  private double weight() {
    return happens(0.8) ? 1 : happens(0.3) ? 0 : magnitude(12);
  }

  private boolean happens(double probability) {
    return random.nextDouble() < probability;
  }

  private double magnitude(int decades) {
    return Math.pow(10, decades * (2 * random.nextDouble() - 1));
  }

  private double sign(int decades) {
    return happens(0.5) ? magnitude(decades) : -magnitude(decades);
  }

  private double normal() {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
      sum += random.nextDouble();
    }
    return sum;
  }
}
