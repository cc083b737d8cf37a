// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.InvalidModelException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A missing number or date is the mean of those learned from, which are state of the learner. */
class RunningMeansTest {
  private static final List<String> NAMES = List.of("size", "city", "when");

  private static Schema schema() {
    return Schema.builder().number("size").category("city").date("when").build();
  }

  private static double[] missing(RowLearner rows) {
    Row row = new Row();
    row.reset(NAMES.size());
    return rows.reader(NAMES).encode(row).copy().values();
  }

  @Test
  void missingCellsBecomeMeansOfWhatWasLearned() throws InvalidModelException {
    RowLearner rows = RowLearner.classifier(schema()).build();
    assertEquals(0, missing(rows)[0]);
    rows.learn(Map.of("size", 10, "city", "Oslo", "when", "2024-01-01 06:00"), "yes");
    rows.learn(Map.of("size", 40, "when", "2024-01-01 12:00"), "no");
    rows.learn(Map.of("city", "Lima"), "no");
    rows.predictClass(Map.of("size", 1e6, "city", "Rome", "when", "2024-01-05"));
    double[] means = missing(rows);
    assertEquals(25, means[0], 1e-12);
    assertEquals(Math.sin(0.75 * Math.PI), means[means.length - 4], 1e-12);
    assertEquals(Math.cos(0.75 * Math.PI), means[means.length - 3], 1e-12);
    assertEquals(new Fill(2, List.of(25.0)), rows.schema().columns().get(0).fill());
    assertEquals(List.of("Oslo", "Lima"), rows.schema().columns().get(1).categories());
    RowLearner again = RowLearner.read(rows.toBytes());
    assertEquals(rows.schema(), again.schema());
    rows.learn(Map.of("size", 70), "yes");
    again.learn(Map.of("size", 70), "yes");
    assertEquals(40, missing(again)[0], 1e-12);
    assertArrayEquals(rows.toBytes(), again.toBytes());
    RowEncoder model = RowModel.read(rows.snapshot().toBytes()).schema().encoder(NAMES);
    Row row = new Row();
    row.reset(NAMES.size());
    assertArrayEquals(missing(rows), model.encode(row).values());
  }

  @Test
  void aRefusedRowLeavesNothingBehind() {
    RowLearner rows = RowLearner.classifier(schema()).build();
    rows.learn(Map.of("size", 10, "city", "Oslo"), "yes");
    byte[] before = rows.toBytes();
    assertThrows(
        IllegalArgumentException.class,
        () -> rows.learn(Map.of("size", 1e200, "city", "Lima", "when", "2024-01-01"), "maybe"));
    assertArrayEquals(before, rows.toBytes());
    Map<String, Object> good = Map.of("size", 20, "city", "Lima", "when", "2024-01-01");
    assertThrows(IllegalArgumentException.class, () -> rows.learn(good, "maybe", -1));
    assertThrows(IllegalArgumentException.class, () -> rows.learn(good, "maybe", Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> rows.learn(good, List.of()));
    assertThrows(IllegalStateException.class, () -> rows.predictNumberThenLearn(good, 1));
    rows.learn(good, "maybe", 0);
    assertArrayEquals(before, rows.toBytes());
    RowEncoder encoder = rows.encoder(NAMES);
    Row row = new Row();
    row.reset(NAMES.size());
    row.setNumber(0, 1e200);
    row.setText(1, "Rome");
    FeatureVector x = encoder.encode(row);
    assertThrows(IllegalArgumentException.class, () -> rows.learner().learn(x, 0));
    encoder.encode(row);
    assertArrayEquals(before, rows.toBytes());
  }

  /** A number that the first rows lack must not make them look like zeros. */
  @Test
  void firstRowsWithoutANumberCostNothing() {
    int[] mistakes = new int[2];
    for (int late = 0; late < 2; late++) {
      RowLearner rows = RowLearner.classifier(schema()).build();
      Random random = new Random(7);
      for (int i = 0; i < 3000; i++) {
        double size = 100_000 + random.nextGaussian();
        String city = random.nextBoolean() ? "Oslo" : "Lima";
        String truth = (size > 100_000) == city.equals("Oslo") ? "yes" : "no";
        boolean lacks = late == 1 && i < 100;
        Map<String, Object> row = lacks ? Map.of("city", city) : Map.of("city", city, "size", size);
        if (i >= 1500) {
          mistakes[late] += rows.predictClass(row).orElseThrow().equals(truth) ? 0 : 1;
        }
        rows.learn(row, truth);
      }
    }
    assertTrue(mistakes[1] <= 1.2 * mistakes[0] + 8, mistakes[0] + " and " + mistakes[1]);
  }
}
