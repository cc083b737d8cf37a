// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.contest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.testing.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When an alarm is raised, and when not. */
class SuddenRiseTest {
  /** Losses of a constant rate of mistakes, of which the last one is none. */
  private static SuddenRise usual(double mistakes, double loss, int count) {
    SuddenRise alarm = new SuddenRise();
    List<double[]> draws = Streams.uniform(1, count, 1);
    for (int t = 0; t < count; t++) {
      alarm.observe(t < count - 20 && draws.get(t)[0] < mistakes ? loss : 0);
    }
    return alarm;
  }

  @ParameterizedTest
  @CsvSource({"0.01, 1", "0.01, 1e-9", "0.01, 1e139", "0.1, 1"})
  void mistakesInARowRaiseIt(double mistakes, double loss) {
    SuddenRise alarm = usual(mistakes, loss, 300);
    int needed = 1;
    while (!alarm.observe(loss)) {
      needed++;
    }
    assertTrue(needed >= 5 && needed <= 8, "after " + needed);
  }

  @Test
  void noSingleLossDoes() {
    SuddenRise alarm = usual(0.1, 1, 300);
    assertFalse(alarm.observe(1e100));
    for (int t = 0; t < 1000; t++) {
      assertFalse(alarm.observe(t % 10 == 0 ? 1 : 0));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.05, 0.1, 0.2, 0.3, 0.5})
  void alarmsWithoutAChangeAreRare(double mistakes) {
    int alarms = 0;
    for (int seed = 1; seed <= 100; seed++) {
      SuddenRise alarm = new SuddenRise();
      boolean before = false;
      for (double[] draw : Streams.uniform(seed, 10_000, 1)) {
        boolean now = alarm.observe(draw[0] < mistakes ? 1 : 0);
        alarms += now && !before ? 1 : 0;
        before = now;
      }
    }
    assertTrue(alarms <= 100, alarms + " in a million instances");
  }

  @Test
  void squaredErrorsOfGaussiansAreUsual() {
    int alarms = 0;
    for (int seed = 1; seed <= 100; seed++) {
      SuddenRise alarm = new SuddenRise();
      for (double[] draw : Streams.gaussian(seed, 10_000, 1)) {
        alarms += alarm.observe(draw[0] * draw[0]) ? 1 : 0;
      }
    }
    assertEquals(0, alarms);
  }
}
