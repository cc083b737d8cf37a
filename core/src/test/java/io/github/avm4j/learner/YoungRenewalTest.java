// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.Renewal;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How fast a learner forgets that challenges another after a change. */
class YoungRenewalTest {
  /** Fields of a board whose colours change after {@code change} rows. */
  private static void learn(AutoLearner learner, int t, int change) {
    SplittableRandom random = new SplittableRandom(t);
    double a = 3 * random.nextDouble();
    double b = 3 * random.nextDouble();
    learner.learn(FeatureVector.dense(a, b), ((int) a + (int) b + (t < change ? 0 : 1)) % 2, 1);
  }

  @ParameterizedTest
  @CsvSource({"1500, 0.998", "2900, 0.998", "3100, 1", "8000, 1"})
  void itForgetsOnlyIfTheOtherWasLeftBehindWhileYoung(int change, double forgetting)
      throws Exception {
    AutoLearner learner = Avm.classifier().build();
    int t = 0;
    while (t < change + 100 && challenger(learner) == null) {
      learn(learner, t++, change);
    }
    assertTrue(t > change, "challenged before the change");
    AutoEngine challenger = challenger(learner);
    assertNotNull(challenger, "no challenger");
    assertEquals(forgetting, challenger.leader().config().forgetting());
    for (int i = 0; i < 300; i++) {
      learn(learner, t++, change);
    }
    assertEquals(1, learner.renewals());
    assertEquals(forgetting, factor(learner));
    AutoLearner read = (AutoLearner) Learner.fromBytes(learner.toBytes());
    for (int i = 0; i < 1200; i++) {
      learn(learner, t, change);
      learn(read, t++, change);
    }
    assertEquals(factor(learner), factor(read));
  }

  /** One that has taken another's place is young for longer. */
  @ParameterizedTest
  @CsvSource({"6000, 0.998", "9000, 1"})
  void itForgetsIfTheOtherWasLeftBehindAgain(int again, double forgetting) {
    AutoLearner learner = Avm.classifier().build();
    int t = 0;
    while (learner.renewals() == 0 && t < 6000) {
      learn(learner, t++, 5000);
    }
    assertEquals(1, learner.renewals());
    assertEquals(1, factor(learner));
    int end = t + again;
    while (t < end) {
      learn(learner, t++, 5000);
    }
    while (challenger(learner) == null && t < end + 100) {
      learn(learner, t++, Integer.MAX_VALUE);
    }
    AutoEngine challenger = challenger(learner);
    assertNotNull(challenger, "no challenger");
    assertEquals(forgetting, challenger.leader().config().forgetting());
  }

  private static AutoEngine challenger(AutoLearner learner) {
    Renewal renewal = learner.engine.renewal;
    return renewal == null ? null : renewal.challenger;
  }

  private static double factor(AutoLearner learner) {
    return learner.engine.leader().config().forgetting();
  }
}
