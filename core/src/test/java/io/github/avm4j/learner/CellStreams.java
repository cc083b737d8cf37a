// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.testing.Streams;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Streams that a learner divides into cells, and learners of them. */
final class CellStreams {
  private CellStreams() {}

  /** Streams in which cells lead, by what is special about them. */
  enum StreamKind {
    TWO_CLASSES,
    /** Three in turn from left to right, so that cells meet one, two or three, in any order. */
    LOCAL_CLASSES,
    REGRESSION,
    SPARSE,
    /** Comparisons of single features, among others of no use: cells are leaves of a tree. */
    RULES,
    SPARSE_RULES
  }

  /** Files of learners, which take time to make. */
  private static final Map<String, byte[]> LEARNED = new ConcurrentHashMap<>();

  static AutoConfig.Builder<AutoLearner> builder(StreamKind kind) {
    return (kind == StreamKind.REGRESSION ? Avm.regressor() : Avm.classifier()).budget(16);
  }

  static List<FeatureVector> rows(StreamKind kind, int rows, long seed) {
    return Streams.of(seed, rows, random -> row(kind, random));
  }

  private static FeatureVector row(StreamKind kind, Random random) {
    double[] x = {6 * random.nextDouble(), 6 * random.nextDouble()};
    if (kind == StreamKind.RULES || kind == StreamKind.SPARSE_RULES) {
      double[] more = {x[0], random.nextDouble(), random.nextDouble(), x[1], random.nextDouble()};
      boolean dense = kind == StreamKind.RULES;
      return dense
          ? FeatureVector.dense(more)
          : FeatureVector.sparse(new int[] {0, 1, 2, 3, 4 + random.nextInt(3)}, more);
    }
    return kind == StreamKind.SPARSE
        ? FeatureVector.sparse(
            new int[] {0, 3, 5 + random.nextInt(4)}, new double[] {x[0], x[1], 1})
        : FeatureVector.dense(x);
  }

  static double target(StreamKind kind, FeatureVector x) {
    double a = x.get(0);
    boolean two =
        kind != StreamKind.SPARSE && kind != StreamKind.RULES && kind != StreamKind.SPARSE_RULES;
    double b = x.get(two ? 1 : 3);
    double board = ((int) a + (int) b) % 2;
    return switch (kind) {
      case TWO_CLASSES, SPARSE -> board;
      case RULES, SPARSE_RULES -> a < 2 ? b < 5 ? 0 : 1 : a < 4 ? b < 1 ? 0 : 1 : b < 3 ? 0 : 1;
      case LOCAL_CLASSES -> a < 2 ? 1 + board : a < 4 ? 2 - board : 2 + board;
      case REGRESSION -> Math.sin(4 * a) * Math.cos(4 * b);
    };
  }

  /** Goes on with a stream of its own. */
  static void learn(Learner learner, StreamKind kind, int rows, long seed) {
    rows(kind, rows, seed).forEach(x -> learner.learn(x, target(kind, x)));
  }

  static AutoLearner learned(StreamKind kind, int rows) {
    byte[] file = LEARNED.computeIfAbsent(kind + " " + rows, key -> file(kind, rows));
    try {
      return (AutoLearner) Learner.fromBytes(file);
    } catch (InvalidModelException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] file(StreamKind kind, int rows) {
    AutoLearner learner = builder(kind).build();
    learn(learner, kind, rows, 1);
    return learner.toBytes();
  }

  static double errors(Learner learner, StreamKind kind) {
    double sum = 0;
    for (FeatureVector x : rows(kind, 1000, 9)) {
      double miss = learner.predict(x) - target(kind, x);
      sum += kind == StreamKind.REGRESSION ? miss * miss : miss == 0 ? 0 : 1;
    }
    return sum;
  }
}
