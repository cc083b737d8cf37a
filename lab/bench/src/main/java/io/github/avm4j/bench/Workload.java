// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.util.Random;

/**
 * A learner whose core set is full, and instances that fall into its cells: core points uniform in
 * the unit cube, each instance one of them moved by less than half a cell.
 *
 * <p>Each operation takes the next of {@value #INSTANCES} instances, as the C program does. One
 * thread.
 */
final class Workload {
  static final int INSTANCES = 64;
  private static final double GAMMA = 0.1;
  private static final double DELTA = 0.02;
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final BenchShape shape;
  private final FeatureVector[] instances = new FeatureVector[INSTANCES];
  private final double[] targets = new double[INSTANCES];
  private final Learner learner;
  private final Model model;
  private final CoreSet set;
  private final double[] squared;
  private final double[] weights;
  private final double[] kernel;
  private int next;

  Workload(BenchShape shape) {
    this.shape = shape;
    Random random = new Random(1);
    learner =
        Avm.paperClassifier()
            .gamma(GAMMA)
            .delta(DELTA)
            .lambda(1e-4)
            .features(shape.dims())
            .labels(-1, 1)
            .build();
    while (learner.size() < shape.size()) {
      learner.learn(point(random), random.nextBoolean() ? 1 : -1);
    }
    model = learner.snapshot();
    set = model.coreSet().copy();
    int padded = (shape.size() + 31) & -32;
    squared = new double[padded];
    weights = new double[padded];
    kernel = new double[padded];
    for (int i = 0; i < shape.size(); i++) {
      weights[i] = model.coefficient(0, i);
    }
    for (int i = 0; i < INSTANCES; i++) {
      instances[i] = near(model.corePoint(random.nextInt(shape.size())), random);
      targets[i] = random.nextBoolean() ? 1 : -1;
    }
  }

  private FeatureVector point(Random random) {
    double[] values = random.doubles(shape.stored()).toArray();
    if (!shape.isSparse()) {
      return FeatureVector.dense(values);
    }
    int[] indices =
        random.ints(0, shape.dims()).distinct().limit(shape.nonzeros()).sorted().toArray();
    return FeatureVector.sparse(indices, values);
  }

  private static FeatureVector near(FeatureVector centre, Random random) {
    FeatureVector x = centre.copy();
    double step = DELTA / 4 / Math.sqrt(x.count());
    for (int k = 0; k < x.count(); k++) {
      x.values()[k] += step * (2 * random.nextDouble() - 1);
    }
    return x;
  }

  /** What can be timed. */
  enum Operation {
    STEP,
    LEARN,
    PREDICT
  }

  /** A loop for each operation, so that none pays for the choice. */
  double repeat(Operation operation, int times) {
    return switch (operation) {
      case STEP -> steps(times);
      case LEARN -> learns(times);
      case PREDICT -> predictions(times);
    };
  }

  private double steps(int times) {
    double sum = 0;
    for (int i = 0; i < times; i++) {
      sum += step();
    }
    return sum;
  }

  private double learns(int times) {
    for (int i = 0; i < times; i++) {
      learn();
    }
    return 0;
  }

  private double predictions(int times) {
    double sum = 0;
    for (int i = 0; i < times; i++) {
      sum += predict();
    }
    return sum;
  }

  private int next() {
    next = (next + 1) & (INSTANCES - 1);
    return next;
  }

  /** A step of the learner. */
  void learn() {
    int i = next();
    learner.learn(instances[i], targets[i], 1);
  }

  /** A prequential step of the learner. */
  double predictThenLearn() {
    int i = next();
    return learner.predictThenLearn(instances[i], targets[i], 1);
  }

  /** An answer of the model. */
  double predict() {
    return model.predict(instances[next()]);
  }

  /** The loops alone, as in C: distances, nearest core point, weighted sum of exponentials. */
  double step() {
    set.squaredDistances(instances[next()], squared);
    int nearest = OPS.nearest(squared, shape.size());
    return nearest + OPS.weightedExp(squared, -GAMMA, weights, kernel, shape.size());
  }

  /** {@link #step()} by the definition, for tests. */
  double stepByDefinition() {
    FeatureVector x = instances[next()];
    double sum = 0;
    int nearest = 0;
    double[] distances = new double[shape.size()];
    for (int i = 0; i < distances.length; i++) {
      for (int j = 0; j < shape.dims(); j++) {
        double difference = x.get(j) - set.coordinate(i, j);
        distances[i] += difference * difference;
      }
      nearest = distances[i] < distances[nearest] ? i : nearest;
      sum += weights[i] * Math.exp(-GAMMA * distances[i]);
    }
    return nearest + sum;
  }

  /** Starts again at the first instance. */
  void rewind() {
    next = 0;
  }

  /** Throws if an instance made a core point after all. */
  void requireFull() {
    if (learner.size() != shape.size()) {
      throw new IllegalStateException("the core set grew to " + learner.size());
    }
  }
}
