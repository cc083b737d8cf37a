// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;

class SuffixStartTest {

  @Test
  void startIsTheCeilingOfTheDecimalProduct() {
    for (int percent = 1; percent < 100; percent++) {
      BigDecimal rest = BigDecimal.ONE.subtract(BigDecimal.valueOf(percent, 2));
      for (long horizon : new long[] {1, 7, 10, 100, 1000, 48_842, 581_012, 10_000_000_000L}) {
        BigDecimal exact = rest.multiply(BigDecimal.valueOf(horizon));
        assertEquals(
            exact.setScale(0, RoundingMode.CEILING).longValueExact(),
            new SuffixAverage(percent / 100.0, horizon).start(),
            percent + " % of " + horizon);
      }
    }
  }

  @Test
  void nextRungIsTheCeilingOfTheDecimalQuotient() {
    for (int percent = 1; percent < 100; percent++) {
      BigDecimal rest = BigDecimal.ONE.subtract(BigDecimal.valueOf(percent, 2));
      SuffixAverage suffix = new SuffixAverage(percent / 100.0, 0);
      for (long rung : new long[] {1, 3, 10, 99, 1000, 1_000_000_000L}) {
        long exact =
            BigDecimal.valueOf(rung).divide(rest, 0, RoundingMode.CEILING).longValueExact();
        assertEquals(Math.max(rung + 1, exact), suffix.nextRung(rung), percent + " % at " + rung);
      }
    }
  }
}
