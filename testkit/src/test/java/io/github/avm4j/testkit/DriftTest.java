// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.learner.AutoLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The learner that is told nothing recovers from drift, and pays nothing where there is none. */
class DriftTest {
  private static final boolean LONG = "long".equals(System.getProperty("laws"));
  private static final int WINDOW = 500;
  private static final int CLASSES = 3;
  private static final int D = 4;

  /** Whether the prequential answer to each row was wrong. */
  private static boolean[] mistakes(AutoLearner learner, List<Instance> rows) {
    boolean[] wrong = new boolean[rows.size()];
    for (int i = 0; i < wrong.length; i++) {
      Instance row = rows.get(i);
      wrong[i] = learner.predictThenLearn(row.x(), row.y(), row.weight()) != row.y();
    }
    return wrong;
  }

  private static double error(boolean[] wrong, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += wrong[i] ? 1 : 0;
    }
    return count / (double) (to - from);
  }

  /** Instances from {@code change} to the end of the first window that is about as before. */
  private static int recovery(boolean[] wrong, int change, double before) {
    for (int end = change + WINDOW; end <= wrong.length; end += 50) {
      if (error(wrong, end - WINDOW, end) <= 1.5 * before + 0.01) {
        return end - change;
      }
    }
    return Integer.MAX_VALUE;
  }

  private static double forgetting(AutoLearner learner) {
    return ((SecondOrderConfig) learner.config()).forgetting();
  }

  @Test
  void recoversFromAnAbruptChange() {
    int n = 20_000;
    boolean[] wrong = mistakes(Avm.classifier().build(), Streams.abruptDrift(CLASSES, D, n, 21));
    double before = error(wrong, n / 2 - 2000, n / 2);
    int time = recovery(wrong, n / 2, before);
    System.out.printf(
        "abrupt: %.4f before, %.4f in the window after, back after %d, %.4f at the end%n",
        before, error(wrong, n / 2, n / 2 + WINDOW), time, error(wrong, n - 2000, n));
    assertTrue(time <= 2000, "recovery after " + time);
  }

  private static List<Instance> turning(int n, int every, long seed) {
    List<Instance> rows = new ArrayList<>(Streams.checkerboard(4, n, seed));
    for (int i = 0; i < n; i++) {
      Instance row = rows.get(i);
      double y = i / every % 2 == 0 ? row.y() : 1 - row.y();
      rows.set(i, new Instance(row.x(), y, 1));
    }
    return rows;
  }

  /** Every label turns into the other, once: all that was learned is wrong. */
  @Test
  void recoversWhenAllLabelsTurn() {
    int n = 20_000;
    AutoLearner learner = Avm.classifier().build();
    boolean[] wrong = mistakes(learner, turning(n, n / 2, 24));
    double before = error(wrong, n / 2 - 2000, n / 2);
    int time = recovery(wrong, n / 2, before);
    double after = error(wrong, n / 2, n);
    System.out.printf(
        "turned: %.4f before, back after %d, %.4f after; rate %s%n",
        before, time, after, forgetting(learner));
    assertTrue(after < 0.08, after + " after the labels turned");
    assertTrue(time <= 8000, "recovery after " + time);
  }

  /** Who never forgets is at a loss when labels turn again and again. */
  @Test
  void forgettingPaysWhenLabelsKeepTurning() {
    int n = 24_000;
    List<Instance> rows = turning(n, 4000, 24);
    AutoLearner learner = Avm.classifier().build();
    double with = error(mistakes(learner, rows), n / 2, n);
    double never = error(mistakes(Avm.classifier().forgetting(1).build(), rows), n / 2, n);
    System.out.printf(
        "turning: %.4f, %.4f without forgetting; rate %s%n", with, never, forgetting(learner));
    assertTrue(with < 0.3 * never, with + " and " + never + " without forgetting");
  }

  /** Half-way through, instances of both concepts contradict each other: only the end counts. */
  @Test
  void recoversFromAGradualChange() {
    int n = 30_000;
    boolean[] wrong = mistakes(Avm.classifier().build(), Streams.gradualDrift(CLASSES, D, n, 22));
    double before = error(wrong, n / 3 - 2000, n / 3);
    int time = recovery(wrong, 2 * n / 3, before);
    System.out.printf(
        "gradual: %.4f before, %.4f during, back %d after its end, %.4f at the end%n",
        before, error(wrong, n / 3, 2 * n / 3), time, error(wrong, n - 2000, n));
    assertTrue(time <= 2000, "recovery after " + time);
  }

  @Test
  void recoversEachTimeTheConceptTurns() {
    int n = 40_000;
    boolean[] wrong = mistakes(Avm.classifier().build(), Streams.recurringDrift(CLASSES, D, n, 23));
    double before = error(wrong, n / 10 - 2000, n / 10);
    for (int turn = 1; turn < 10; turn++) {
      int change = turn * n / 10;
      int time = recovery(wrong, change, before);
      System.out.printf("recurring, turn %d: %.4f before, back after %d%n", turn, before, time);
      assertTrue(time <= 3000, "turn " + turn + ": recovery after " + time);
    }
  }

  /** Forgetting is not tried to any avail, and the trials do not touch what answers. */
  private static void assertNothingIsForgotten(String name, List<Instance> rows) {
    AutoLearner found = Avm.classifier().build();
    double error = error(mistakes(found, rows), 0, rows.size());
    AutoLearner told = Avm.classifier().forgetting(1).build();
    double ofTold = error(mistakes(told, rows), 0, rows.size());
    System.out.printf("%s: %.4f, told to forget nothing %.4f%n", name, error, ofTold);
    assertEquals(1, forgetting(found), name);
    assertEquals(ofTold, error, 0.02 * ofTold, name);
  }

  @Test
  void forgetsNothingOnAStationaryStream() {
    for (long seed = 1; seed <= (LONG ? 3 : 1); seed++) {
      assertNothingIsForgotten("blobs " + seed, noisy(Streams.blobs(CLASSES, D, 15_000, seed)));
    }
    if (LONG) {
      assertNothingIsForgotten("checkerboard", noisy(Streams.checkerboard(4, 15_000, 4)));
    }
  }

  /** One label in ten is drawn anew. */
  private static List<Instance> noisy(List<Instance> rows) {
    Random random = new Random(7);
    return rows.stream()
        .map(row -> random.nextInt(10) > 0 ? row : new Instance(row.x(), random.nextInt(2), 1))
        .toList();
  }

  /** In its own order this stream drifts; shuffled it does not. */
  @Test
  void forgetsNothingOnAShuffledStream() {
    List<Instance> rows = new ArrayList<>();
    for (double[] row : RealData.csv("electricity/elec.csv", true)) {
      int last = row.length - 1;
      rows.add(Instance.of(row[last], Arrays.copyOf(row, last)));
    }
    Collections.shuffle(rows, new Random(5));
    assertNothingIsForgotten("shuffled electricity", rows.subList(0, LONG ? 20_000 : 5_000));
  }
}
