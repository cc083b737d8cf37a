// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VectorOpsProviderTest {
  @Test
  void anUntestedJdkIsSaidLoudlyWithTheCure() {
    String obstacle = VectorOpsProvider.obstacle(false, true, 99);
    assertTrue(obstacle.contains("JDK 99") && obstacle.contains("use JDK 17 to"), obstacle);
    assertEquals(System.Logger.Level.WARNING, VectorOpsProvider.level(false, true));
  }

  @Test
  void whoDidNotAskIsNotWarned() {
    assertEquals("", VectorOpsProvider.obstacle(false, true, 17));
    assertTrue(VectorOpsProvider.obstacle(true, true, 17).contains("off"));
    assertTrue(VectorOpsProvider.obstacle(false, false, 17).contains("not resolved"));
    assertEquals(System.Logger.Level.DEBUG, VectorOpsProvider.level(true, true));
    assertEquals(System.Logger.Level.DEBUG, VectorOpsProvider.level(false, false));
    assertSame(VectorOpsProvider.get(), VectorOpsProvider.get());
  }
}
