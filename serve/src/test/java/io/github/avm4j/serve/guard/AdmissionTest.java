// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * Rounds of an event loop as long as we like: its tasks run, and its clock goes, when we say so.
 */
class AdmissionTest {
  private static final int LIMIT_MILLIS = 20;

  /** Of 30 ms, to use up 100. */
  private static final int PATIENCE_ROUNDS = 4;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long nanos = 1;
  private final Admission admission =
      new Admission(new Limits(1000, 10, 100, 1000, LIMIT_MILLIS), () -> nanos);

  private void pass(long millis) {
    nanos += millis * 1_000_000;
  }

  /** So many requests come in one round, which then lasts so long; how many got in. */
  private int round(int requests, long millis) {
    int in = 0;
    for (int k = 0; k < requests; k++) {
      in += admission.enter(tasks::add) ? 1 : 0;
    }
    pass(millis);
    tasks.remove().run();
    assertTrue(tasks.isEmpty(), "one measurement a round");
    for (int k = 0; k < in; k++) {
      admission.leave();
    }
    return in;
  }

  /** Late rounds until the patience is used up. */
  private void standing() {
    for (int k = 0; k < PATIENCE_ROUNDS; k++) {
      assertEquals(100, round(100, 30), "late round " + k);
    }
  }

  @Test
  void lateRoundsLowerTheShareAndTimeRaisesItAgain() {
    standing();
    assertEquals(100, round(100, 25), "from here on rounds are judged");
    assertEquals(95, round(100, 320), 1, "a little late");
    assertEquals(47, round(100, 0), 1, "sixteen times too long: half");
    pass(50);
    assertEquals(67, round(100, 320), 1, "in 250 ms all would come back");
    assertEquals(34, round(100, 0), 1, "no patience before it has");
    pass(250);
    assertEquals(100, round(100, 0));
    standing();
    assertEquals(0, admission.inside());
  }

  @Test
  void neverShutsTheDoorAltogether() {
    standing();
    for (int k = 0; k < 20; k++) {
      round(100, 2 * LIMIT_MILLIS);
    }
    assertEquals(5, round(100, 0), 1);
  }

  @Test
  void aPauseWithoutAQueueShedsNobody() {
    for (int k = 0; k < 8; k++) {
      assertEquals(8, round(8, 2 * LIMIT_MILLIS));
    }
    assertEquals(0, admission.shed());
  }

  @Test
  void aPauseAndTheQueueItLeavesShedNobody() {
    assertEquals(100, round(100, 400));
    assertEquals(100, round(100, 30));
    assertEquals(100, round(100, 0));
    assertEquals(0, admission.shed());
  }

  @Test
  void burstsThatAreWorkedOffShedNobody() {
    for (int k = 0; k < 4; k++) {
      standing();
      assertEquals(100, round(100, LIMIT_MILLIS), "caught up");
    }
    for (int k = 0; k < 4; k++) {
      standing();
      pass(LIMIT_MILLIS + 1);
    }
    assertEquals(0, admission.shed());
  }
}
