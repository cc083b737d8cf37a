// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PanamaProbeTest {
  @Test
  void lanes() {
    assumeTrue(
        ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent(), "no vector module");
    assertTrue(PanamaProbe.lanes() >= 1);
  }

  @Test
  void data() {
    assertTrue(PanamaProbeTest.class.desiredAssertionStatus());
    System.out.println(
        "data " + new File(Objects.requireNonNull(System.getProperty("avm4j.data"))).exists());
  }
}
