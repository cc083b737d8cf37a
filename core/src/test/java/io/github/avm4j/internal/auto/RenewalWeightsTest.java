// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import org.junit.jupiter.api.Test;

/** Whether a fresh learner takes over is decided by weighted losses. */
class RenewalWeightsTest {
  @Test
  void evidenceCountsByWeight() {
    AutoEngine engine = new AutoEngine(Avm.regressor().config());
    Renewal renewal = new Renewal();
    FeatureVector x = FeatureVector.dense(1);
    for (int i = 0; i < 200; i++) {
      renewal.learned(engine, x, 0, 1, 0.1, true);
    }
    for (int i = 0; i < 20 && renewal.challenger == null; i++) {
      renewal.learned(engine, x, 0, 0.01, 10, true);
    }
    assertNotNull(renewal.challenger);
    renewal.learned(engine, x, 0, 0.01, 10, true);
    assertEquals(0.01 * 100, renewal.contest.loss(), 1e-12);
  }
}
