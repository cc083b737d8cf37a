// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.contest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ContestTest {
  /** Mean gain and its standard error by the textbook, from all losses that were observed. */
  private static double[] plain(List<double[]> losses, int incumbent, int entrant, int window) {
    double mean = 0;
    double square = 0;
    for (int t = 0; t < losses.size(); t++) {
      double rate = window == 0 ? 1.0 / (t + 1) : Math.max(1.0 / (t + 1), 1.0 / window);
      double gain = losses.get(t)[incumbent] - losses.get(t)[entrant];
      mean = (1 - rate) * mean + rate * gain;
      square = (1 - rate) * square + rate * gain * gain;
    }
    int n = window == 0 ? losses.size() : Math.min(losses.size(), 2 * window - 1);
    return new double[] {mean, Math.sqrt(square / n)};
  }

  @Test
  void equalsTheTextbook() {
    SplittableRandom random = new SplittableRandom(1);
    for (int window : new int[] {0, 50}) {
      for (int run = 0; run < 200; run++) {
        int entrants = 2 + random.nextInt(4);
        Contest contest = new Contest(entrants, window);
        List<double[]> losses = new ArrayList<>();
        int rows = 1 + random.nextInt(300);
        for (int t = 0; t < rows; t++) {
          double[] loss = random.doubles(entrants).toArray();
          losses.add(loss);
          contest.observe(loss);
        }
        double least = 4 * random.nextDouble();
        double share = 0.05 * random.nextDouble();
        int best = 0;
        double most = 0;
        for (int i = 1; i < entrants; i++) {
          double[] found = plain(losses, 0, i, window);
          assertEquals(found[0], contest.gain(i), 1e-12);
          assertEquals(found[0] / found[1], contest.standardErrors(i), 1e-9);
          assertEquals(found[0] < -least * found[1], contest.isWorse(i, least));
          if (found[0] > least * found[1] && found[0] > share * contest.loss() && found[0] > most) {
            best = i;
            most = found[0];
          }
        }
        assertEquals(best, contest.best(least, share));
      }
    }
  }

  /** A new incumbent is compared as if it had been one from the start. */
  @Test
  void evidenceOutlivesAChangeOfTheIncumbent() {
    SplittableRandom random = new SplittableRandom(2);
    Contest contest = new Contest(3, 0);
    List<double[]> losses = new ArrayList<>();
    for (int t = 0; t < 400; t++) {
      double[] loss = {random.nextDouble() + 0.3, random.nextDouble(), random.nextDouble() + 0.1};
      losses.add(loss);
      contest.observe(loss);
    }
    assertEquals(1, contest.best(4, 0));
    contest.lead(1);
    assertEquals(1, contest.incumbent());
    assertEquals(plain(losses, 1, 0, 0)[0], contest.gain(0), 1e-12);
    assertEquals(plain(losses, 1, 2, 0)[0], contest.gain(2), 1e-12);
    assertEquals(
        losses.stream().mapToDouble(loss -> loss[1]).average().orElse(0), contest.loss(), 1e-12);
    assertEquals(plain(losses, 1, 0, 0)[1], Math.sqrt(contest.square(0) / 400), 1e-12);
    assertEquals(1, contest.best(0, 0));
    assertEquals(0, contest.worst());
    contest.remove(0);
    assertEquals(0, contest.incumbent());
    assertEquals(2, contest.entrants());
    assertThrows(IllegalArgumentException.class, () -> contest.remove(0));
  }

  /** Equal entrants: the challenger wins by four standard errors in few of many contests. */
  @Test
  void chanceSeldomWins() {
    SplittableRandom random = new SplittableRandom(3);
    int won = 0;
    for (int run = 0; run < 1000; run++) {
      Contest contest = new Contest(2, 0);
      boolean ever = false;
      for (int t = 1; t <= 2000; t++) {
        contest.observe(new double[] {random.nextDouble(), random.nextDouble()});
        ever |= t % 100 == 0 && contest.best(4, 0) == 1;
      }
      won += ever ? 1 : 0;
    }
    assertTrue(won <= 5, won + " of 1000");
  }

  @Test
  void hugeLossesAreCut() {
    Contest contest = new Contest(2, 0);
    contest.observe(new double[] {Double.MAX_VALUE, -Double.MAX_VALUE});
    contest.observe(new double[] {1e300, 0});
    assertTrue(Double.isFinite(contest.gain(1)) && Double.isFinite(contest.square(1)));
    assertFalse(contest.isWorse(1, 0));
  }
}
