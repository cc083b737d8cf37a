// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.internal.auto.Challenge.Verdict;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChallengeTest {
  /** The first verdict on gains of this mean and deviation, and the row of it. */
  private static String first(Rule rule, double mean, double deviation) {
    Challenge challenge = new Challenge(rule);
    Random random = new Random(1);
    for (int row = 1; row <= 5000; row++) {
      challenge.observe(1, 1 - mean - deviation * random.nextGaussian());
      if (challenge.verdict() != Verdict.OPEN) {
        return challenge.verdict() + " " + row;
      }
    }
    return "OPEN";
  }

  @Test
  void looksWhenItIsTime() {
    assertEquals("WON 200", first(Rule.KERNEL, 0.1, 0.01));
    assertEquals("LOST 200", first(Rule.KERNEL, -0.1, 0.01));
    assertEquals("WON 60", first(Rule.CELL, 0.1, 0.01));
    assertEquals("WON 400", first(Rule.FORGET, 0.2, 0.01));
  }

  @Test
  void aShareOfTheLossMustBeGainedToo() {
    assertEquals("OPEN", first(Rule.FORGET, 0.09, 0.01));
    assertEquals("WON 400", first(Rule.FORGET_SLOWLY, 0.09, 0.01));
  }

  @Test
  void tiesAreDecidedAtTheEnd() {
    // 2,000 rows of noise 2: a standard error of 0.045.
    assertEquals("LOST 2000", first(Rule.WIDER, 0.03, 2));
    assertEquals("WON 2000", first(Rule.NARROWER, -0.01, 2));
    assertEquals("LOST 2000", first(Rule.RELEVANCE, 0.03, 2));
  }

  @Test
  void aWindowForgets() {
    Challenge challenge = new Challenge(Rule.CELL);
    for (int row = 0; row < 5000; row++) {
      challenge.observe(0, 1);
    }
    assertEquals(Verdict.LOST, challenge.verdict());
    for (int row = 0; row < 2000; row++) {
      challenge.observe(1, 0);
    }
    assertEquals(Verdict.WON, challenge.verdict());
  }

  /** Two entrants against one leader, with uneven weights: each pair has evidence of its own. */
  @Test
  void standardErrorsAreThoseOfTheGains() {
    Random random = new Random(3);
    Challenge[] entrants = {new Challenge(Rule.KERNEL), new Challenge(Rule.KERNEL)};
    double[] gains = new double[2];
    double[] squares = new double[2];
    int rows = 20_000;
    for (int row = 0; row < rows; row++) {
      double weight = row % 10 == 0 ? 10 : 0.1;
      double leader = weight * (1 + 0.5 * random.nextGaussian());
      for (int k = 0; k < 2; k++) {
        double gain = weight * (0.01 + 0.02 * k) * random.nextGaussian() + 0.01 * k;
        entrants[k].observe(leader, leader - gain);
        gains[k] += gain;
        squares[k] += gain * gain;
      }
    }
    for (int k = 0; k < 2; k++) {
      double errors = gains[k] / rows / Math.sqrt(squares[k] / rows / rows);
      assertEquals(errors, entrants[k].standardErrors(), 1e-9 * Math.abs(errors));
      assertEquals(gains[k] / rows, entrants[k].gain(), 1e-12);
    }
  }

  @Test
  void gainsOfEqualChancesSeldomWin() {
    int won = 0;
    for (int seed = 0; seed < 400; seed++) {
      Challenge challenge = new Challenge(Rule.RENEWAL);
      Random random = new Random(seed);
      for (int row = 0; row < 2000 && challenge.verdict() != Verdict.WON; row++) {
        challenge.observe(random.nextInt(2), random.nextInt(2));
      }
      won += challenge.verdict() == Verdict.WON ? 1 : 0;
    }
    assertTrue(won <= 20, won + " of 400 renewals without reason");
  }

  @Test
  void enormousLossesStayFinite() {
    Challenge challenge = new Challenge(Rule.KERNEL);
    for (int row = 0; row < 400; row++) {
      challenge.observe(row % 2 == 0 ? 1e300 : 1, 1e200);
    }
    assertTrue(Double.isFinite(challenge.gain()) && Double.isFinite(challenge.standardErrors()));
  }
}
