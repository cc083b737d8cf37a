// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.pipeline.RowLearner;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Long streams of what could wear the default learner out: error, memory and file at the end are
 * those of the beginning. {@code -Davm4j.steps=10000000} for longer.
 */
@EnabledIfSystemProperty(named = "laws", matches = "on|long", disabledReason = "once is enough")
class LongStreamsTest {
  private static final int ROWS = Integer.getInteger("avm4j.steps", 100_000);
  private static final int TURNS = 10;
  private static final int WORDS = 1_000_000;

  private final SplittableRandom random = new SplittableRandom(7);

  private Map<String, @Nullable Object> row() {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("a", random.nextDouble());
    row.put("b", random.nextDouble());
    row.put("often", random.nextInt(10) < 3 ? null : random.nextDouble());
    row.put("user", "u" + random.nextInt(1 << random.nextInt(20)));
    return row;
  }

  private static boolean holds(Map<String, @Nullable Object> row, int turn) {
    double a = (Double) row.get("a");
    double b = (Double) row.get("b");
    return turn % 2 == 0 ? a > b : a + b > 1;
  }

  /**
   * Two concepts take turns; one label in ten is wrong, a third of a column is missing, and a
   * column has half a million names. Errors are counted by true labels, in the last half of a turn.
   */
  @Test
  void turnsNoiseGapsAndNames() throws Exception {
    Schema schema =
        Schema.builder().number("a").number("b").number("often").category("user").build();
    RowLearner learner = RowLearner.classifier(schema).budget(64).build();
    double[] errors = new double[TURNS];
    long[] bytes = new long[TURNS];
    int length = ROWS / TURNS;
    for (int turn = 0; turn < TURNS; turn++) {
      for (int i = 0; i < length; i++) {
        Map<String, @Nullable Object> row = row();
        boolean truth = holds(row, turn);
        boolean told = random.nextInt(10) > 0 ? truth : !truth;
        String predicted = learner.predictClassThenLearn(row, told).orElse("");
        if (2 * i >= length && !predicted.equals(Boolean.toString(truth))) {
          errors[turn] += 2.0 / length;
        }
      }
      bytes[turn] = ((AutoLearner) learner.learner()).bytes();
    }
    System.out.printf(
        "%,d rows: errors %s, bytes %s, %,d renewals%n",
        ROWS,
        Arrays.toString(errors),
        Arrays.toString(bytes),
        ((AutoLearner) learner.learner()).renewals());
    double worst = Arrays.stream(errors, 2, TURNS).max().orElseThrow();
    assertTrue(worst <= 1.5 * Math.max(errors[0], errors[1]) + 0.02, Arrays.toString(errors));
    assertTrue(bytes[TURNS - 1] <= 2 * bytes[1], Arrays.toString(bytes));
    assertArrayEquals(learner.toBytes(), RowLearner.read(learner.toBytes()).toBytes());
  }

  /** Fifteen words of a million, few of them often; a hundred matter. */
  private FeatureVector words() {
    int[] words =
        random
            .doubles()
            .mapToInt(u -> (int) Math.pow(WORDS, u) - 1)
            .distinct()
            .limit(15)
            .sorted()
            .toArray();
    double[] ones = new double[words.length];
    Arrays.fill(ones, 1);
    return FeatureVector.sparse(words, ones);
  }

  @Test
  void aMillionSparseFeatures() throws Exception {
    AutoLearner learner = Avm.classifier().budget(64).build();
    int rows = ROWS / 10;
    double wrong = 0;
    double rare = 0;
    for (int i = 0; i < rows; i++) {
      FeatureVector x = words();
      long even = Arrays.stream(x.indices()).filter(word -> word < 100 && word % 2 == 0).count();
      long odd = Arrays.stream(x.indices()).filter(word -> word < 100 && word % 2 == 1).count();
      double y = even > odd ? 1 : 0;
      double predicted = learner.predictThenLearn(x, y, 1);
      if (2 * i >= rows) {
        wrong += predicted == y ? 0 : 2.0 / rows;
        rare += 2.0 * y / rows;
      }
    }
    System.out.printf(
        "%,d rows of %,d words: error %.3f, %.3f of the rows are of the rarer class, %,d bytes%n",
        rows, WORDS, wrong, Math.min(rare, 1 - rare), learner.bytes());
    assertTrue(wrong < 0.6 * Math.min(rare, 1 - rare), wrong + " of " + rare);
    assertTrue(learner.bytes() < 64L << 20, learner.bytes() + " bytes");
    FiniteAndReadable.check(learner, 3, 100);
  }
}
