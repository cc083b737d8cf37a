// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Rounds of an event loop as long as we like: its tasks run when we say so. */
class AdmissionTest {
  private static final int LIMIT_MILLIS = 20;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Admission admission = new Admission(new Limits(1000, 10, 100, 1000, LIMIT_MILLIS));

  /** So many requests come in one round, which then lasts at least so long; how many got in. */
  private int round(int requests, long millis) throws InterruptedException {
    int in = 0;
    for (int k = 0; k < requests; k++) {
      in += admission.enter(tasks::add) ? 1 : 0;
    }
    Thread.sleep(millis);
    tasks.remove().run();
    assertTrue(tasks.isEmpty(), "one measurement a round");
    for (int k = 0; k < in; k++) {
      admission.leave();
    }
    return in;
  }

  @Test
  void longRoundsLowerTheShareAndTimeRaisesItAgain() throws Exception {
    assertEquals(100, round(100, 2 * LIMIT_MILLIS), "nothing is known yet");
    int second = round(100, 3 * LIMIT_MILLIS);
    // Half of the round was too much. A busy machine gives some of it back between the rounds.
    assertTrue(second >= 45 && second <= 90, second + " of 100");
    int third = round(100, 2 * LIMIT_MILLIS);
    assertTrue(third >= 20 && third < second, third + " after " + second);
    int fourth = round(100, 0);
    assertTrue(fourth < third, fourth + " after " + third);
    Thread.sleep(100);
    int later = round(100, 0);
    assertTrue(later >= 40, "some of it has come back, but " + later);
    Thread.sleep(250);
    assertEquals(100, round(100, 0), "all of it has");
    assertEquals(0, admission.inside());
  }

  @Test
  void neverShutsTheDoorAltogether() throws Exception {
    for (int k = 0; k < 8; k++) {
      round(100, 2 * LIMIT_MILLIS);
    }
    assertTrue(round(100, 0) >= 4);
    assertTrue(admission.shed() > 400);
  }

  @Test
  void aPauseWithoutAQueueShedsNobody() throws Exception {
    for (int k = 0; k < 4; k++) {
      assertEquals(8, round(8, 2 * LIMIT_MILLIS));
    }
    assertEquals(0, admission.shed());
  }
}
