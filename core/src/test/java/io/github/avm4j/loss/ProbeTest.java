// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class ProbeTest {
  @Property
  void law(
      @ForAll @IntRange(min = 0, max = 1000) int a, @ForAll @IntRange(min = 0, max = 1000) int b) {
    assertEquals(2 * Math.max(a, b), Probe.probe(a, b));
  }

  @Test
  void nothing() {
    assertEquals(0, Probe.probe(3, null));
  }

  @Disabled("to be seen")
  @Test
  void skipped() {}
}
