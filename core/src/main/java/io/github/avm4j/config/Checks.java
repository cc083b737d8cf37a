// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The checks that all configurations share; a message names the value and its range. */
final class Checks {
  private static final int MOST_LEVELS = 16;

  private Checks() {}

  static void require(boolean holds, String name, String range, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ", was " + value);
    }
  }

  static void within(int least, int most, String name, int value) {
    require(value >= least && value <= most, name, "in " + least + ".." + most, value);
  }

  /** What learners that take Newton steps have in common. */
  static void newton(Task task, Loss loss, double lambda, double skip, double novelty) {
    lambda(lambda);
    require(skip >= 0 && skip < 1, "skip", "in [0, 1)", skip);
    require(novelty > 0 && novelty < 1, "novelty", "in (0, 1)", novelty);
    loss(task, loss);
    if (task == Task.CLASSIFICATION && !(loss instanceof Logistic)) {
      throw new IllegalArgumentException(
          "loss must be logistic for classification by this learner, was "
              + name(loss)
              + ", which has no curvature; the paper's learner takes it (Avm.paperClassifier)");
    }
  }

  static void lambda(double lambda) {
    require(lambda >= 1e-12 && lambda <= 1e12, "lambda", "in [1e-12, 1e12]", lambda);
  }

  static void features(int features) {
    require(
        features >= 0 && features <= LearnerConfig.MAX_FEATURES,
        "features",
        ">= 0 (0: unknown)",
        features);
  }

  /** The checked labels, a copy in which −0 is 0. */
  static List<Double> labels(Task task, List<Double> given) {
    List<Double> labels = given.stream().map(label -> label + 0.0).toList();
    LearnerConfig.checkLabels(labels.stream().mapToDouble(Double::doubleValue).toArray());
    if (task == Task.REGRESSION && !labels.isEmpty()) {
      throw new IllegalArgumentException("labels must be empty for regression, was " + labels);
    }
    return labels;
  }

  /** The checked levels of coverage, ascending. */
  static List<Double> levels(List<Double> given) {
    require(given.size() <= MOST_LEVELS, "levels", "at most " + MOST_LEVELS + " levels", given);
    for (double level : given) {
      require(level > 0 && level < 1, "levels", "in (0, 1)", level);
    }
    return given.stream().sorted().distinct().toList();
  }

  static void loss(Task task, Loss loss) {
    if (loss.forClassification() != (task == Task.CLASSIFICATION)) {
      throw new IllegalArgumentException(
          "loss must fit the task %s, was %s, which is for %s"
              .formatted(
                  task,
                  name(loss),
                  loss.forClassification() ? Task.CLASSIFICATION : Task.REGRESSION));
    }
  }

  /** A loss without the brackets of a record that has no components. */
  static String name(Loss loss) {
    return loss.toString().replace("[]", "");
  }

  /** The components of a record by name. */
  static Map<String, Object> toMap(Record values) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (RecordComponent component : values.getClass().getRecordComponents()) {
      try {
        map.put(component.getName(), component.getAccessor().invoke(values));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("settings are records of this package", e);
      }
    }
    return Collections.unmodifiableMap(map);
  }
}
