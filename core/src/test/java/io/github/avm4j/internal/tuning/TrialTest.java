// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Gaussian;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrialTest {
  /** Instances that the stream is said to have had before. */
  private static final long BEFORE = 1_000_000;

  private static final int CHANGE = 6000;
  private static final double NOISE = 0.2;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Trial trial = new Trial(Task.CLASSIFICATION, BEFORE + 1_000_000);
  private SecondOrderEngine leader =
      new SecondOrderEngine(
          SecondOrderConfig.builder(Task.CLASSIFICATION)
              .kernel(new Gaussian(20))
              .budget(20)
              .build());

  /** Learns from an instance; labels are exchanged from the change on. */
  private void step(long i) {
    double at = random.nextDouble();
    boolean high = at > 0.5 == i < CHANGE;
    double y = high == random.nextDouble() >= NOISE ? 1 : 0;
    FeatureVector x = FeatureVector.dense(at);
    leader.learn(x, y, 1);
    trial.learn(x, y, 1);
    SecondOrderEngine better = trial.learned(leader, BEFORE + i, 1);
    leader = better == null ? leader : better;
  }

  /** A trial of a twentieth of the stream and a rest of a fifth would come too late. */
  @Test
  void aFactorThatAChangeBroughtIsLeftAgainSoonInALongStream() {
    for (long i = 0; i < CHANGE; i++) {
      step(i);
    }
    assertEquals(1, leader.config().forgetting());
    double least = 1;
    for (long i = CHANGE; i < CHANGE + 60_000; i++) {
      step(i);
      least = Math.min(least, leader.config().forgetting());
    }
    assertTrue(least < 1, "a change is answered by forgetting");
    assertEquals(1, leader.config().forgetting(), "which is no longer of use after it");
  }

  /** Neither does it wait for its turn, nor for as many instances as without an alarm. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void anAbruptChangeIsAnsweredSoonByFastForgetting(int triedBefore) {
    trial.tried = triedBefore;
    long i = 0;
    while (i < CHANGE || (leader.config().forgetting() == 1 && i < CHANGE + 5000)) {
      step(i++);
    }
    long found = i - CHANGE;
    assertEquals(0.998, leader.config().forgetting());
    assertTrue(found <= 300, () -> "found after " + found);
  }

  /** It would last 5,000 instances in a stream as long as this one. */
  @Test
  void aTrialThatIsClearlyLostEndsSoon() {
    trial.tried = 1; // 0.99 is next
    long i = 0;
    while (i < 3000) {
      step(i++);
    }
    trial.next = BEFORE + i;
    step(i++);
    assertNotNull(trial.challenger);
    while (trial.challenger != null) {
      step(i++);
    }
    assertEquals(1, leader.config().forgetting());
    long ended = i - 3000;
    assertTrue(ended <= 1000, () -> "ended after " + ended);
  }

  @ParameterizedTest
  @CsvSource({"1, false", "3, true"})
  void aTrialThatIsAheadAtItsEndGoesOn(double standardErrors, boolean goesOn) {
    long i = 0;
    trial.next = BEFORE + 500;
    while (trial.challenger == null || BEFORE + i < trial.begin + trial.length) {
      step(i++);
      long age = BEFORE + i - trial.begin; // of the next
      if (trial.challenger != null && age == trial.length) {
        double error = 0.1;
        double[] gains = {0, standardErrors * error};
        long seen = trial.length;
        trial.contest.restore(0, seen, 10, gains, new double[] {0, error * error * seen});
      } else if (trial.challenger != null) {
        trial.contest.restart();
      }
    }
    step(i);
    assertEquals(goesOn, trial.challenger != null);
  }

  /**
   * A plane that turns slowly: what was learned keeps its worth for thousands of instances. With
   * the best factor from the beginning there are 7.8 % of mistakes, of which 5 are noise; 9.6 if
   * the mean is forgotten with the rest.
   */
  @Test
  void aSlowChangeIsAnsweredBySlowForgetting() {
    int mistakes = 0;
    SecondOrderEngine turned =
        new SecondOrderEngine(
            SecondOrderConfig.builder(Task.CLASSIFICATION)
                .kernel(new Gaussian(0.01))
                .budget(30)
                .build());
    Trial slow = new Trial(Task.CLASSIFICATION, 1000);
    for (int i = 0; i < 60_000; i++) {
      double angle = 2 * Math.PI * i / 30_000;
      double[] at = {random.nextDouble() - 0.5, random.nextDouble() - 0.5};
      boolean above = Math.cos(angle) * at[0] + Math.sin(angle) * at[1] > 0;
      double y = above == random.nextDouble() >= NOISE / 4 ? 1 : 0;
      FeatureVector x = FeatureVector.dense(at);
      mistakes += i >= 30_000 && turned.predict(x) != y ? 1 : 0;
      turned.learn(x, y, 1);
      slow.learn(x, y, 1);
      SecondOrderEngine better = slow.learned(turned, i, 1);
      turned = better == null ? turned : better;
    }
    double forgetting = turned.config().forgetting();
    assertTrue(forgetting < 1 && forgetting > 0.99, () -> "forgets with " + forgetting);
    assertTrue(mistakes < 0.092 * 30_000, mistakes + " mistakes");
  }

  /** The leader has changed before there was a verdict: the same factor is tried on the new one. */
  @Test
  void anAbandonedFactorIsTheNextAgain() {
    trial.next = 0;
    step(0);
    assertNotNull(trial.challenger);
    int abandoned = trial.tried;
    trial.abandon();
    step(1);
    assertNotNull(trial.challenger);
    assertEquals(abandoned, trial.tried);
  }
}
