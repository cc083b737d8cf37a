// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;

class ProbeFuzzTest {
  @FuzzTest
  void fuzz(byte[] in) {
    assertEquals(2 * in.length, Probe.probe(in.length, in.length));
  }
}
