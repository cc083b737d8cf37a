// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class TargetInferenceTest {
  private static TargetInference infer(String name, int rows, IntFunction<Object> labels) {
    List<Row> first = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Row row = new Row();
      row.reset(0);
      Object label = labels.apply(i);
      if (label instanceof Number number) {
        row.setLabel(number.doubleValue());
      } else {
        row.setLabel(label.toString());
      }
      first.add(row);
    }
    return TargetInference.of(first, name, false);
  }

  private static void assertClasses(String name, int rows, IntFunction<Object> labels) {
    TargetInference inferred = infer(name, rows, labels);
    assertEquals(Task.CLASSIFICATION, inferred.task(), inferred.line());
  }

  private static void assertNumbers(String name, int rows, IntFunction<Object> labels) {
    TargetInference inferred = infer(name, rows, labels);
    assertEquals(Task.REGRESSION, inferred.task(), inferred.line());
  }

  @Test
  void codesOfClassesAreClasses() {
    assertClasses("y", 10, i -> i % 2);
    assertClasses("y", 1000, i -> i % 2 == 0 ? -1 : 1);
    assertClasses("y", 50, i -> 2 + 2 * (i % 2));
    assertClasses("", 1000, i -> 1 + i % 7);
    assertClasses("digit", 100, i -> i % 10);
    assertClasses("rating", 600, i -> 1 + i % 5);
    assertClasses("quality", 600, i -> 3 + i % 6);
    assertClasses("", 1000, i -> 1 + i % 26);
    assertClasses("", 1000, i -> i % 40);
    assertClasses("y", 6, i -> i % 3);
    assertClasses("visits", 40, i -> i % 2);
    // A class that is absent from the first rows.
    assertClasses("Class", 1000, i -> i % 7 == 5 ? 1 : 1 + i % 7);
    // Rare classes, as in poker hands.
    assertClasses("", 1000, i -> i % 500 == 0 ? 8 : i % 100 == 1 ? 4 : i % 3);
    assertClasses("y", 20, i -> "c" + i % 3);
    assertClasses("y", 20, i -> i == 7 ? "unknown" : i);
    assertClasses("churned", 20, i -> i % 3 == 0 ? "TRUE" : "False");
  }

  @Test
  void quantitiesAreNumbers() {
    Random random = new Random(2);
    assertNumbers("y", 20, i -> i + 0.5);
    assertNumbers("age", 30, i -> 18 + random.nextInt(60));
    assertNumbers("age", 1000, i -> 25 + random.nextInt(40));
    assertNumbers("y", 1000, i -> 25 + random.nextInt(40));
    assertNumbers("y", 30, i -> (int) (40 + 10 * random.nextGaussian()));
    assertNumbers("price", 133, i -> 1000 * (int) (40 + 10 * random.nextGaussian()));
    assertNumbers("y", 100, i -> 100 * (1 + i % 4));
    assertNumbers("visits", 600, i -> (int) (8 * random.nextDouble() * random.nextDouble()));
    assertNumbers("y", 600, i -> (int) (20 * Math.pow(random.nextDouble(), 3)));
    assertNumbers(
        "y", 1000, i -> Math.max(0, Math.min(99, (int) (90 + 8 * random.nextGaussian()))));
    assertNumbers("y", 1000, i -> 2001 + i % 8);
    assertNumbers("y", 60, i -> i % 7 - 3);
    assertNumbers("y", 3, i -> 200_000 + 50_000 * i);
    assertNumbers("y", 12, i -> i % 9);
    assertNumbers("y", 20, i -> "$50,0" + (10 + i));
    assertNumbers("y", 20, i -> i + ".5%");
  }

  @Test
  void theLineSaysWhyAndHowToChangeIt() {
    assertEquals(
        "task: classification, because the labels are 7 integers from 1 to 7 in 1,000 rows;"
            + " --task regression predicts the number instead",
        infer("", 1000, i -> 1 + i % 7).line());
    assertEquals(
        "task: regression, because the labels have fractions; --task classification makes every"
            + " value a class",
        infer("", 10, i -> i / 4.0).line());
    assertEquals(
        "task: classification, because the labels are texts",
        infer("", 9, i -> "a" + i % 2).line());
    assertTrue(infer("n_rooms", 90, i -> i % 9).line().contains("n_rooms names a quantity"));
  }
}
