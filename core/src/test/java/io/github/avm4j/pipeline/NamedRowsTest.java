// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.Schema;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows as maps from column names to values. */
class NamedRowsTest {
  private static final List<String> CITIES = List.of("Oslo", "Lima", "Rome", "Turin");

  private static Schema schema() {
    return Schema.builder().number("age").category("city").date("since").build();
  }

  private static Map<String, Object> row(SplittableRandom random) {
    return Map.of(
        "age",
        20 + random.nextInt(50),
        "city",
        CITIES.get(random.nextInt(4)),
        "since",
        LocalDate.of(2020, 1, 1).plusDays(random.nextInt(1000)),
        "ignored",
        "x");
  }

  /** Young people of Oslo and Lima, and old ones of other cities. */
  private static String answer(Map<String, Object> row) {
    boolean young = (int) row.get("age") < 45;
    return young == (CITIES.indexOf((String) row.get("city")) < 2) ? "yes" : "no";
  }

  @Test
  void learnsClassesByName() throws Exception {
    RowLearner learner = RowLearner.classifier(schema());
    SplittableRandom random = new SplittableRandom(1);
    assertEquals("?", learner.predictClass(row(random)));
    int wrong = 0;
    for (int t = 0; t < 3000; t++) {
      Map<String, Object> row = row(random);
      wrong += t >= 1500 && !learner.predictClass(row).equals(answer(row)) ? 1 : 0;
      learner.learn(row, answer(row));
    }
    assertTrue(wrong < 75, wrong + " of 1500 wrong");
    Map<String, Object> row = row(random);
    RowModel model = learner.snapshot();
    assertEquals(learner.predictClass(row), model.predictClass(row));
    assertEquals(learner.probabilities(row).keySet(), model.probabilities(row).keySet());
    double sum = model.probabilities(row).values().stream().mapToDouble(p -> p).sum();
    assertEquals(1, sum, 1e-12);
    RowLearner read = RowLearner.read(learner.toBytes());
    assertEquals(learner.predictClass(row), read.predictClass(row));
    read.learn(row, "maybe");
    learner.learn(row, "maybe");
    assertArrayEquals(learner.toBytes(), read.toBytes());
  }

  @Test
  void learnsNumbersAndTakesNullAsMissing() {
    RowLearner learner = RowLearner.regressor(Schema.builder().number("a").number("b").build());
    SplittableRandom random = new SplittableRandom(2);
    for (int t = 0; t < 2000; t++) {
      double a = random.nextDouble();
      Map<String, Object> row = new HashMap<>();
      row.put("a", a);
      row.put("b", null);
      learner.learn(row, 3 * a + 1);
    }
    assertEquals(2.5, learner.predictNumber(Map.of("a", 0.5)), 0.05);
    assertEquals(2.5, learner.snapshot().predictNumber(Map.of("a", "0.5")), 0.05);
    assertThrows(IllegalStateException.class, () -> learner.predictClass(Map.of()));
    assertThrows(IllegalArgumentException.class, () -> learner.learn(Map.of("a", 1), "much"));
  }

  @Test
  void columnsAreDistinct() {
    assertThrows(
        IllegalArgumentException.class, () -> Schema.builder().number("a").category("a").build());
    assertThrows(IllegalStateException.class, () -> Schema.builder().build());
  }
}
