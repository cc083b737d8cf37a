// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A learner that was trained on vectors, whose labels are numbers of its own, goes on as a learner
 * of rows, whose labels are the indices of names.
 */
class ResumedLabelsTest {
  private enum Kind {
    PAPER(labels -> Avm.paperClassifier().gamma(1).delta(0.3).lambda(0.01).labels(labels).build()),
    SECOND_ORDER(
        labels ->
            Avm.learner(
                SecondOrderConfig.builder(Task.CLASSIFICATION)
                    .kernel(new Gaussian(1))
                    .loss(new Logistic())
                    .skip(0.1)
                    .novelty(1e-3)
                    .budget(30)
                    .labels(labels)
                    .build())),
    ESTIMATING(labels -> Avm.classifier().labels(labels).estimation(2000).build()),
    RACING(labels -> Avm.classifier().labels(labels).estimation(150).build()),
    SETTLED(labels -> Avm.classifier().labels(labels).estimation(20).budget(40).build());

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    final Function<double[], Learner> builder;

    Kind(Function<double[], Learner> builder) {
      this.builder = builder;
    }
  }

  private static Stream<Arguments> learners() {
    List<double[]> labels =
        List.of(
            new double[] {1, -1},
            new double[] {-1, 1},
            new double[] {1, 0},
            new double[] {2, 0, 1},
            new double[] {2.5, 7, -3, 0});
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                labels.stream()
                    .flatMap(
                        some ->
                            Stream.of(true, false)
                                .map(declared -> Arguments.of(kind, some, declared))));
  }

  @ParameterizedTest
  @MethodSource("learners")
  void learnerOfVectorsGoesOnWithNames(Kind kind, double[] labels, boolean declared)
      throws InvalidModelException {
    Learner vectors = kind.builder.apply(declared ? labels : new double[0]);
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      FeatureVector x = x(random);
      vectors.learn(x, i < labels.length ? labels[i] : label(x, labels));
    }
    RowLearner rows = RowLearner.read(vectors.toBytes());
    assertEquals(names(vectors), rows.names().toList());
    for (int i = 0; i < 300; i++) {
      FeatureVector x = x(random);
      double y = label(x, labels);
      assertEquals(
          Row.canonical(vectors.predict(x)), rows.names().nameOf(rows.learner().predict(x)));
      Row row = row(x, y);
      rows.learner().learn(row.features(), rows.target(row));
      vectors.learn(x, y);
    }
    assertEquals(names(vectors), rows.names().toList());
    RowLearner read = RowLearner.read(rows.toBytes());
    assertArrayEquals(rows.toBytes(), read.toBytes());
    for (int i = 0; i < 20; i++) {
      FeatureVector x = x(random);
      String expected = Row.canonical(vectors.predict(x));
      assertEquals(expected, read.names().nameOf(read.learner().predict(x)));
      assertEquals(expected, rows.snapshot().name(rows.snapshot().model().predict(x)));
      assertArrayEquals(scores(vectors, x), scores(read.learner(), x));
    }
  }

  private static List<String> names(Learner learner) {
    List<String> names = new ArrayList<>();
    for (int j = 0; j < learner.classes(); j++) {
      names.add(Row.canonical(learner.label(j)));
    }
    return names;
  }

  private static double[] scores(Learner learner, FeatureVector x) {
    double[] scores = new double[learner.classes()];
    learner.scores(x, scores);
    return scores;
  }

  private static FeatureVector x(Random random) {
    return FeatureVector.sparse(
        new int[] {0, 1}, new double[] {random.nextGaussian(), random.nextGaussian()});
  }

  private static double label(FeatureVector x, double[] labels) {
    double[] sorted = labels.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(labels.length - 1, Math.abs(2 * x.get(0)))];
  }

  private static Row row(FeatureVector x, double y) {
    Row row = new Row();
    row.reset(0);
    for (int k = 0; k < x.count(); k++) {
      row.addFeature(x.indices()[k], x.values()[k]);
    }
    row.setLabel(y);
    return row;
  }
}
