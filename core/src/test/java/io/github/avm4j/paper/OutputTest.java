// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;

class OutputTest {
  @Test
  void weights() {
    assertEquals(1, new UniformAverage().weight(1));
    assertEquals(1, new UniformAverage().weight(1_000_000));
    assertEquals(1, new WeightedAverage().weight(1));
    assertEquals(9, new WeightedAverage().weight(9));
    assertThrows(UnsupportedOperationException.class, () -> new LastIterate().weight(1));
    SuffixAverage suffix = new SuffixAverage(0.25, 100);
    assertEquals(75, suffix.start());
    assertEquals(0, suffix.weight(75));
    assertEquals(1, suffix.weight(76));
    assertEquals(1, suffix.weight(1_000));
  }

  /** ⌈(1−α)T⌉ for α as it is written, not as it is rounded. */
  @Test
  void theStartIsTheCeilingDespiteRounding() {
    assertEquals(3, new SuffixAverage(0.7, 10).start());
    assertEquals(43, new SuffixAverage(0.57, 100).start());
    assertEquals(71, new SuffixAverage(0.29, 100).start());
    for (int hundredths = 1; hundredths < 100; hundredths++) {
      BigDecimal share = BigDecimal.ONE.subtract(BigDecimal.valueOf(hundredths, 2));
      for (long horizon : new long[] {1, 7, 10, 99, 100, 1_000, 999_999, 10_000_000_000L}) {
        long expected =
            share
                .multiply(BigDecimal.valueOf(horizon))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
        double alpha = hundredths / 100.0;
        assertEquals(expected, new SuffixAverage(alpha, horizon).start(), alpha + " " + horizon);
      }
    }
  }

  @Test
  void aHorizonOfZeroStreams() {
    assertTrue(new SuffixAverage(0.5, 0).isStreaming());
    assertFalse(new SuffixAverage(0.5, 1).isStreaming());
  }

  @Test
  void rungsAsDocumented() {
    SuffixAverage half = new SuffixAverage(0.5, 0);
    long rung = 0;
    for (long expected : new long[] {1, 2, 4, 8, 16, 32}) {
      rung = half.nextRung(rung);
      assertEquals(expected, rung);
    }
    SuffixAverage tenth = new SuffixAverage(0.1, 0);
    assertEquals(1, tenth.nextRung(0));
    assertEquals(2, tenth.nextRung(1));
    assertEquals(12, tenth.nextRung(10));
    assertEquals(101, new SuffixAverage(1e-9, 0).nextRung(100));
  }

  @Test
  void everyParameterIsCheckedAndNamed() {
    for (double alpha : new double[] {0, 1, -0.5, 2, Double.NaN}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new SuffixAverage(alpha, 10))
              .getMessage();
      assertEquals("alpha must be in (0, 1), was " + alpha, message);
    }
    String message =
        assertThrows(IllegalArgumentException.class, () -> new SuffixAverage(0.5, -1)).getMessage();
    assertEquals("horizon must be >= 0, was -1", message);
  }
}
