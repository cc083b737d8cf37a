// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;

/** Hostile tensors in JSON and bytes: predicted, or refused with a Problem; never else. */
class TensorsFuzzTest {
  private static final Limits LIMITS = new Limits(1 << 20, 1000, 10_000, 10, 10);

  @FuzzTest(maxDuration = "10s")
  void json(FuzzedDataProvider data) {
    int tail = data.consumeInt(0, 64);
    byte[] body = data.consumeRemainingAsBytes();
    try {
      JsonTensors.read(body, Math.max(0, body.length - tail), LIMITS);
    } catch (Problem e) {
      // what is meant to happen
    }
  }
}
