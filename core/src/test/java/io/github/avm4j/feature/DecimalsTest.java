// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DecimalsTest {
  private static final int ROUNDS = "long".equals(System.getProperty("laws")) ? 1_000_000 : 100_000;

  private static double parse(String text) {
    byte[] bytes = ("x" + text + "9").getBytes(StandardCharsets.ISO_8859_1);
    return Decimals.parse(bytes, 1, bytes.length - 1);
  }

  private static void same(String text) {
    assertEquals(
        Double.doubleToRawLongBits(Double.parseDouble(text)),
        Double.doubleToRawLongBits(parse(text)),
        text);
  }

  @Test
  void digitsPointAndExponentAgreeWithTheJdk() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    for (int round = 0; round < ROUNDS; round++) {
      text.setLength(0);
      text.append(new String[] {"", "-", "+"}[random.nextInt(3)]);
      int digits = 1 + random.nextInt(round % 10 == 0 ? 40 : 20);
      int point = random.nextInt(-1, digits + 1);
      for (int k = 0; k < digits; k++) {
        text.append(k == point ? "." : "").append((char) ('0' + random.nextInt(10)));
      }
      if (random.nextInt(3) == 0) {
        text.append(random.nextBoolean() ? "e" : "E").append(random.nextInt(-350, 330));
      } else if (random.nextInt(3) == 0) {
        text.append("e").append(random.nextInt(-30, 30));
      }
      same(text.toString());
    }
  }

  @Test
  void shortestFormsAgreeWithTheJdk() {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < ROUNDS; round++) {
      double any = Double.longBitsToDouble(random.nextLong());
      same(Double.isFinite(any) ? Double.toString(any) : "0");
      same(Double.toString(random.nextDouble()));
      same(Double.toString(random.nextInt(1_000_000) / 1000.0));
      same(Float.toString((float) random.nextDouble(-100, 100)));
    }
  }

  /** Halfway between two doubles, and one unit beside it: where rounding is hardest. */
  @Test
  void tiesAgreeWithTheJdk() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < ROUNDS / 2; round++) {
      long odd = (1L << 53) + 2 * random.nextLong(1L << 52) + 1;
      for (long n = odd - 1; n <= odd + 1; n++) {
        same(Long.toString(n));
        same(n + "e" + random.nextInt(-8, 30));
        same(Long.toUnsignedString(n << random.nextInt(11)));
      }
    }
  }

  @Test
  void theEdges() {
    for (String text :
        new String[] {
          "0",
          "-0",
          "+0.0",
          ".5",
          "5.",
          "1e5",
          "1E+5",
          "1e-5",
          "9007199254740993",
          "1e22",
          "1e23",
          "18446744073709551615",
          "18446744073709551616",
          "99999999999999999999",
          "1e308",
          "1e309",
          "4.9e-324",
          "2.4703282292062327e-324",
          "2.2250738585072011e-308",
          "0e999999999999",
          "00000000000000000000000000000012.5",
          "0.000000000000000000000000000000125",
          "1e-400",
          "123456789012345678901234567890",
          "1" + "0".repeat(500),
          "0." + "0".repeat(500) + "1"
        }) {
      same(text);
    }
  }

  @Test
  void whatIsNoNumber() {
    for (String text :
        new String[] {
          "",
          "-",
          "+",
          ".",
          "-.",
          "e5",
          ".e5",
          "1e",
          "1e+",
          "1e5.",
          "1..2",
          "1.2.3",
          "--1",
          "1 ",
          " 1",
          "1d",
          "1f",
          "0x10",
          "NaN",
          "Infinity",
          "inf",
          "1,5",
          "1e5e",
          "١",
          "1_000"
        }) {
      assertTrue(Double.isNaN(parse(text)), text);
    }
  }
}
