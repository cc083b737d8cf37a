// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import com.code_intelligence.jazzer.junit.FuzzTest;

class JsonFuzzTest {
  @FuzzTest(maxDuration = "40s")
  void fuzz(byte[] bytes) {
    Hostile.read(Format.JSONL, bytes);
  }
}
