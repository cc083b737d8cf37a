// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.loss.Probe;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KitTest {
  @Test
  void probe() {
    Kit.check(4, Probe.probe(2, 1));
  }

  @Nested
  class Inner {
    @Test
    void probe() {
      Kit.check(6, Probe.probe(2, 3));
    }
  }
}
