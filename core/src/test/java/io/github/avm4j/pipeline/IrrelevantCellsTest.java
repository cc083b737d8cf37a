// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A cell that does not matter costs nothing where it is missing, a later date or a number far out:
 * a law of tables whose target depends on two columns and not on a number and a date beside them.
 *
 * <p>It is a law of the mean over tables. The age and the city have 180 combinations, and a cell
 * that is the same in all rows decides each of them for all its rows at once, where cells that vary
 * decide it wrongly for some. So one table may be more than half a per cent worse, and another one
 * better: of 20 tables, each with five changes, four learners and 4,000 rows asked, 4 of 400
 * comparisons are beyond the bound, while no mean is larger than 1.05 times that of unchanged rows.
 * A single table may be two per cent worse, no more.
 */
class IrrelevantCellsTest {
  private static final List<String> NAMES = List.of("age", "city", "noise", "since");
  private static final List<String> CITIES = List.of("Oslo", "Lima", "Rome");
  private static final LocalDate START = LocalDate.of(2024, 1, 1);
  private static final int LEARNED = 4000;
  private static final int ASKED = 2000;
  private static final int SEEDS = "long".equals(System.getProperty("laws")) ? 20 : 3;
  private static final List<String> CHANGES =
      List.of(
          "none",
          "no date",
          "a date two months later",
          "no number",
          "a number ten deviations above",
          "a number ten deviations below");

  private static Map<String, @Nullable Object> row(Random random) {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("age", 18 + random.nextInt(60));
    row.put("city", CITIES.get(random.nextInt(3)));
    row.put("noise", 1000 + 50 * random.nextGaussian());
    row.put("since", START.plusDays(random.nextInt(365)).toString());
    return row;
  }

  private static boolean holds(Map<String, @Nullable Object> row) {
    int age = (Integer) row.get("age");
    return switch (CITIES.indexOf(row.get("city"))) {
      case 0 -> age > 40;
      case 1 -> age > 30;
      default -> age < 50;
    };
  }

  private static double number(Map<String, @Nullable Object> row) {
    return (Integer) row.get("age") / 10.0 + (holds(row) ? 5 : 0);
  }

  private static Map<String, @Nullable Object> changed(
      Map<String, @Nullable Object> row, int change) {
    Map<String, @Nullable Object> other = new HashMap<>(row);
    switch (change) {
      case 1 -> other.remove("since");
      case 2 ->
          other.put("since", LocalDate.parse((String) row.get("since")).plusDays(60).toString());
      case 3 -> other.remove("noise");
      case 4 -> other.put("noise", 1000 + 500.0);
      case 5 -> other.put("noise", 1000 - 500.0);
      default -> {}
    }
    return other;
  }

  private static Schema declared() {
    return Schema.builder().number("age").category("city").number("noise").date("since").build();
  }

  private static Schema inferred(List<Map<String, @Nullable Object>> rows) {
    SchemaFitter fitter = new SchemaFitter(NAMES, Map.of());
    Row cells = new Row();
    for (Map<String, @Nullable Object> row : rows) {
      cells.reset(NAMES.size());
      for (int c = 0; c < NAMES.size(); c++) {
        if (row.get(NAMES.get(c)) instanceof Number number) {
          cells.setNumber(c, number.doubleValue());
        } else {
          cells.setText(c, String.valueOf(row.get(NAMES.get(c))));
        }
      }
      fitter.add(cells);
    }
    return fitter.fit();
  }

  /** Share of mistakes, or of the target's deviation that errors have, with each change. */
  private static double[] errors(boolean classes, boolean infers, long seed) {
    Random random = new Random(seed);
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < LEARNED; i++) {
      rows.add(row(random));
    }
    Schema schema = infers ? inferred(rows.subList(0, 1000)) : declared();
    RowLearner learner =
        (classes ? RowLearner.classifier(schema) : RowLearner.regressor(schema)).build();
    for (Map<String, @Nullable Object> row : rows) {
      learner.learn(row, classes ? (Object) (holds(row) ? "yes" : "no") : (Object) number(row));
    }
    double[] errors = new double[CHANGES.size()];
    double[] targets = new double[ASKED];
    for (int i = 0; i < ASKED; i++) {
      Map<String, @Nullable Object> row = row(random);
      targets[i] = number(row);
      for (int change = 0; change < errors.length; change++) {
        Map<String, @Nullable Object> other = changed(row, change);
        if (classes) {
          errors[change] +=
              holds(row) == learner.predictClass(other).orElseThrow().equals("yes") ? 0 : 1;
        } else {
          errors[change] += Math.pow(learner.predictNumber(other) - number(row), 2);
        }
      }
    }
    for (int change = 0; change < errors.length; change++) {
      errors[change] =
          classes ? errors[change] / ASKED : Math.sqrt(errors[change] / ASKED) / deviation(targets);
    }
    return errors;
  }

  private static double deviation(double[] numbers) {
    double mean = DoubleStream.of(numbers).average().orElseThrow();
    double squares = DoubleStream.of(numbers).map(y -> (y - mean) * (y - mean)).sum();
    return Math.sqrt(squares / numbers.length);
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void aCellThatDoesNotMatterCostsNothing(boolean classes, boolean infers) {
    List<double[]> all =
        IntStream.rangeClosed(1, SEEDS)
            .parallel()
            .mapToObj(seed -> errors(classes, infers, seed))
            .toList();
    double with = mean(all, 0);
    List<String> broken = new ArrayList<>();
    for (int change = 1; change < CHANGES.size(); change++) {
      double without = mean(all, change);
      if (without > 1.2 * with + 0.005) {
        broken.add("%s: %.4f → %.4f".formatted(CHANGES.get(change), with, without));
      }
      for (int table = 0; table < SEEDS; table++) {
        double[] one = all.get(table);
        if (one[change] > 1.2 * one[0] + 0.02) {
          String where = "%s, table %d: %.4f → %.4f";
          broken.add(where.formatted(CHANGES.get(change), table + 1, one[0], one[change]));
        }
      }
    }
    assertTrue(broken.isEmpty(), String.join("\n", broken));
  }

  private static double mean(List<double[]> errors, int change) {
    return errors.stream().mapToDouble(one -> one[change]).average().orElseThrow();
  }

  /** Rows of three weeks; a month later nothing but the date is new. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aMonthLaterItStillHolds(boolean infers) {
    Random random = new Random(3);
    LocalDateTime start = START.atStartOfDay();
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      Map<String, @Nullable Object> row = row(random);
      row.put("since", start.plusMinutes(20L * i).toString());
      rows.add(row);
    }
    RowLearner learner =
        RowLearner.classifier(infers ? inferred(rows.subList(0, 1000)) : declared()).build();
    for (Map<String, @Nullable Object> row : rows) {
      learner.learn(row, (Integer) row.get("age") > 45 ? "yes" : "no");
    }
    int mistakes = 0;
    for (int i = 0; i < 400; i++) {
      Map<String, @Nullable Object> row = row(random);
      row.put("since", start.plusDays(50).plusMinutes(7L * i).toString());
      String truth = (Integer) row.get("age") > 45 ? "yes" : "no";
      mistakes += learner.predictClass(row).orElseThrow().equals(truth) ? 0 : 1;
    }
    assertTrue(mistakes <= 4, mistakes + " mistakes of 400");
  }
}
