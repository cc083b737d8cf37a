// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.testing.Streams;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A learner that is renamed equals one that learned the other labels from the start. */
class RelabellingTest {
  private static List<Supplier<Learner>> kinds() {
    return List.of(
        () -> Avm.classifier().build(),
        () -> Avm.learner(Avm.classifier().build().config()),
        () -> Avm.paperClassifier().gamma(1).delta(0.5).lambda(1e-3).build(),
        () ->
            new ScaledLearner(
                new KernelLearner(Avm.paperClassifier().gamma(1).delta(0.5).lambda(1e-3).config()),
                ScalingFitter.fit(
                    List.of(FeatureVector.dense(0, 1), FeatureVector.dense(1, 3)),
                    ScalingMode.STANDARD),
                0));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void equalsOneThatLearnedTheOtherLabels(Supplier<Learner> kind) {
    check(kind, 300);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 40, 1500, 4000})
  void inEveryPhaseOfTheDefaultLearner(int rows) {
    check(kinds().get(0), rows);
  }

  private static void check(Supplier<Learner> kind, int rows) {
    Learner renamed = kind.get();
    Learner other = kind.get();
    for (double[] x : Streams.uniform(1, rows, 2)) {
      int label = (int) (3 * x[0]) % 3;
      renamed.learn(x, label);
      other.learn(x, other(label));
    }
    Relabelling.apply(renamed, RelabellingTest::other);
    assertArrayEquals(other.toBytes(), renamed.toBytes());
    double[] x = {0.5, 0.5};
    IntStream.range(0, 50).forEach(i -> renamed.learn(x, other(1)));
    IntStream.range(0, 50).forEach(i -> other.learn(x, other(1)));
    assertArrayEquals(other.toBytes(), renamed.toBytes());
  }

  /** 0, 1, 2 become 1, 2, 0. */
  private static double other(double label) {
    return (label + 1) % 3;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void twoClassesNeverBecomeOne(Supplier<Learner> kind) {
    Learner learner = kind.get();
    learner.learn(new double[] {0, 0}, 0);
    learner.learn(new double[] {1, 1}, 1);
    assertThrows(IllegalArgumentException.class, () -> Relabelling.apply(learner, label -> 7));
  }
}
