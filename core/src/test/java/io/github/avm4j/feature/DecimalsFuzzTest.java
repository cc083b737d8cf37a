// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

class DecimalsFuzzTest {
  /** A number, if it is one, is the number that the JDK reads. */
  @FuzzTest(maxDuration = "40s")
  void fuzz(byte[] bytes) {
    double found = Decimals.parse(bytes, 0, bytes.length);
    if (!Double.isNaN(found)) {
      double expected = Double.parseDouble(new String(bytes, StandardCharsets.ISO_8859_1));
      if (Double.doubleToRawLongBits(found) != Double.doubleToRawLongBits(expected)) {
        throw new AssertionError(found + " is not " + expected);
      }
    }
  }
}
