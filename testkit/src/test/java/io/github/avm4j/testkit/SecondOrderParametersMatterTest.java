// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.loss.SquaredLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Changing any one component of the second-order learner's configuration, or of the
 * self-configuring learner's, changes what is learned.
 */
class SecondOrderParametersMatterTest {
  private static final int ROWS = 4000;

  /** Cells come after 3000 rows. */
  private static final int ROWS_WITH_CELLS = 9000;

  /** Two configurations, of one kind, that differ in one component. */
  private record Pair(String component, Object one, Object other) {
    static Map<String, Object> settings(Object config) {
      return config instanceof AutoConfig auto ? auto.toMap() : ((LearnerConfig) config).toMap();
    }
  }

  /** What may be changed of a second-order configuration, with its defaults. */
  private static final class Draft {
    Task task = Task.CLASSIFICATION;
    Kernel kernel = new Gaussian(20);
    Loss loss = new Logistic();
    double lambda = 0.01;
    double skip = 0.1;
    double novelty = 1e-3;
    double forgetting = 1;
    int budget = 12;
    long memory;
    boolean replacing = true;
    int features;
    List<Double> labels = List.of();

    SecondOrderConfig config() {
      return new SecondOrderConfig(
          task,
          kernel,
          loss,
          lambda,
          skip,
          novelty,
          forgetting,
          budget,
          memory,
          replacing,
          features,
          labels);
    }
  }

  private interface Change {
    void to(Draft draft);
  }

  private static SecondOrderConfig with(Change... changes) {
    Draft draft = new Draft();
    for (Change change : changes) {
      change.to(draft);
    }
    return draft.config();
  }

  private static SecondOrderConfig regression(Loss loss) {
    return with(
        draft -> {
          draft.task = Task.REGRESSION;
          draft.loss = loss;
        });
  }

  private static Pair changed(String component, Change change) {
    return new Pair(component, with(), with(change));
  }

  private static List<Pair> ofTheSecondOrder() {
    List<Pair> pairs = new ArrayList<>(plain());
    for (LossKind kind : LossKind.values()) {
      if (kind.hasParameter() && !kind.loss().forClassification()) {
        Object one = regression(kind.loss(0.1 * kind.defaultValue()));
        pairs.add(new Pair("loss", one, regression(kind.loss(kind.defaultValue()))));
      }
    }
    return pairs;
  }

  private static List<Pair> plain() {
    return List.of(
        new Pair("task, loss", with(), regression(new SquaredLoss())),
        changed("kernel", draft -> draft.kernel = new Laplacian(3)),
        changed("kernel", draft -> draft.kernel = new Gaussian(10)),
        new Pair("loss", regression(new SquaredLoss()), regression(new AbsoluteLoss())),
        changed("lambda", draft -> draft.lambda = 0.02),
        changed("skip", draft -> draft.skip = 0.3),
        changed("novelty", draft -> draft.novelty = 0.9),
        changed("forgetting", draft -> draft.forgetting = 0.99),
        changed("budget", draft -> draft.budget = 15),
        changed("memory", draft -> draft.memory = 8000),
        changed("replacing", draft -> draft.replacing = false),
        changed("features", draft -> draft.features = 5),
        new Pair(
            "labels",
            with(draft -> draft.labels = List.of(0.0, 1.0)),
            with(draft -> draft.labels = List.of(1.0, 0.0))));
  }

  private static AutoConfig.Builder<AutoLearner> classifier() {
    return Avm.classifier().estimation(100).budget(12).cells(0);
  }

  private static AutoConfig.Builder<AutoLearner> regressor() {
    return Avm.regressor().estimation(100).budget(12).cells(0);
  }

  private static Pair told(
      String component, UnaryOperator<AutoConfig.Builder<AutoLearner>> change) {
    return new Pair(component, classifier().config(), change.apply(classifier()).config());
  }

  private static List<Pair> ofTheSelfConfiguring() {
    return List.of(
        new Pair("task, loss", classifier().config(), regressor().config()),
        new Pair("loss", regressor().config(), regressor().loss(new AbsoluteLoss()).config()),
        told("gamma", builder -> builder.gamma(2)),
        new Pair("gamma", classifier().gamma(1).config(), classifier().gamma(2).config()),
        told("lambda", builder -> builder.lambda(0.02)),
        told("skip", builder -> builder.skip(0.3)),
        told("novelty", builder -> builder.novelty(0.3)),
        new Pair(
            "kernel",
            classifier().estimation(1).config(),
            classifier().estimation(1).kernel(KernelChoice.GAUSSIAN).config()),
        told("forgetting", builder -> builder.forgetting(0.99)),
        told("budget", builder -> builder.budget(15)),
        new Pair(
            "cells",
            classifier().estimation(30).config(),
            classifier().estimation(30).cells(100).config()),
        told("memory", builder -> builder.memory(AutoConfig.LEAST_MEMORY)),
        told("scaling", builder -> builder.scaling(ScalingMode.NONE)),
        told("scaling", builder -> builder.scaling(ScalingMode.MIN_MAX)),
        new Pair(
            "scaling",
            classifier().scaling(ScalingMode.STANDARD).config(),
            classifier().scaling(ScalingMode.MIN_MAX).config()),
        new Pair("estimation", regressor().config(), regressor().estimation(150).config()),
        told("features", builder -> builder.features(5)),
        told("levels", builder -> builder.levels(0.5)),
        new Pair("labels", classifier().labels(0, 1).config(), classifier().labels(1, 0).config()));
  }

  private static Learner learner(Object config) {
    return config instanceof AutoConfig told
        ? Avm.learner(told)
        : Avm.learner((SecondOrderConfig) config);
  }

  /** Size, levels of coverage, scores, and how many instances were refused. */
  private static double[] learned(Pair pair, Object config) {
    int count = pair.component.equals("cells") ? ROWS_WITH_CELLS : ROWS;
    Learner learner = learner(config);
    boolean classifies = learner.task() == Task.CLASSIFICATION;
    List<Instance> rows =
        classifies
            ? Streams.checkerboard(config instanceof AutoConfig ? 2 : 5, count, 1)
            : Streams.noisySine(2, count, 0.1, 1);
    List<Double> result = new ArrayList<>();
    double refused = 0;
    for (Instance row : rows) {
      try {
        learner.learn(row.x(), row.y());
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    result.add(refused);
    result.add((double) learner.size());
    result.addAll(learner.calibration().levels());
    for (Instance row : refused > 0 ? List.<Instance>of() : rows.subList(0, 100)) {
      result.add(learner.score(row.x()));
    }
    return result.stream().mapToDouble(Double::doubleValue).toArray();
  }

  @TestFactory
  Stream<DynamicTest> changesTheResult() {
    return Stream.of(ofTheSecondOrder(), ofTheSelfConfiguring())
        .flatMap(List::stream)
        .map(
            pair ->
                DynamicTest.dynamicTest(
                    pair.one.getClass().getSimpleName() + " " + pair.component,
                    () -> {
                      assertEquals(pair.component, String.join(", ", differing(pair)));
                      assertFalse(
                          Arrays.equals(learned(pair, pair.one), learned(pair, pair.other)),
                          pair.one + " learns as " + pair.other);
                    }));
  }

  private static List<String> differing(Pair pair) {
    Map<String, Object> other = Pair.settings(pair.other);
    return Pair.settings(pair.one).entrySet().stream()
        .filter(setting -> !setting.getValue().equals(other.get(setting.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A component added to a configuration must be added above. */
  @Test
  void allComponentsAreHere() {
    for (List<Pair> pairs : List.of(ofTheSecondOrder(), ofTheSelfConfiguring())) {
      Set<String> tested = new TreeSet<>();
      pairs.forEach(pair -> tested.addAll(List.of(pair.component.split(", ", -1))));
      Set<String> all = new TreeSet<>();
      for (String component : Pair.settings(pairs.get(0).one).keySet()) {
        all.add(component);
      }
      assertEquals(all, tested);
    }
  }
}
