// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** A probe. */
public final class Kit {
  private Kit() {}

  public static Arbitrary<Integer> ints() {
    return Arbitraries.integers().between(0, 100);
  }

  public static void check(int a, int b) {
    assertEquals(a, b);
  }
}
