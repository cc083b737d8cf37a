// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.paper.SuffixAverage;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The computed length of a learner's file is that of the file, in every phase of a stream. */
class FileSizeTest {
  private static final int ROWS = 3000;

  enum Kind {
    PAPER,
    SUFFIX,
    SECOND_ORDER,
    FINE,
    CLASSES,
    REGRESSOR,
    DECLARED
  }

  private static Learner learner(Kind kind) {
    return switch (kind) {
      case PAPER -> Avm.paperClassifier().gamma(0.1).delta(1).lambda(1e-3).build();
      case SUFFIX ->
          Avm.paperRegressor()
              .gamma(0.1)
              .delta(1)
              .lambda(1e-3)
              .output(new SuffixAverage(0.5, 0))
              .build();
      case SECOND_ORDER -> Avm.learner(Avm.classifier().budget(64).build().config());
      case FINE -> Avm.classifier().budget(30).estimation(50).build();
      case CLASSES -> Avm.classifier().budget(100).estimation(200).build();
      case REGRESSOR -> Avm.regressor().budget(100).build();
      case DECLARED -> Avm.classifier().labels(0, 1, 2, 3).budget(40).build();
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void dense(Kind kind) {
    Random random = new Random(1);
    Learner learner = learner(kind);
    for (int t = 1; t <= ROWS; t++) {
      double[] x = random.doubles(6, -2, 2).toArray();
      learner.learn(FeatureVector.dense(x), target(kind, x), 1);
      check(learner, t);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void sparse(Kind kind) {
    Random random = new Random(2);
    Learner learner = learner(kind);
    for (int t = 1; t <= ROWS; t++) {
      int count = 1 + random.nextInt(20);
      int[] indices = random.ints(0, 10_000).distinct().limit(count).sorted().toArray();
      double[] x = new double[count];
      Arrays.setAll(x, k -> 1 + indices[k] % 3);
      learner.learn(FeatureVector.sparse(indices, x), target(kind, x), 1);
      check(learner, t);
    }
  }

  private static double target(Kind kind, double[] x) {
    double sum = Arrays.stream(x).map(Math::sin).sum();
    if (List.of(Kind.SUFFIX, Kind.REGRESSOR).contains(kind)) {
      return sum;
    }
    int classes = kind == Kind.CLASSES || kind == Kind.DECLARED ? 4 : 2;
    return Math.floorMod((int) Math.floor(2 * sum), classes);
  }

  private static void check(Learner learner, int t) {
    if (t < 10 || Integer.bitCount(t) == 1 || t % 500 == 0) {
      long length = learner.toBytes().length;
      assertEquals(length, learner.modelBytes(), Math.max(1024, 0.02 * length), "after " + t);
    }
  }
}
