// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrometheusTest {
  @Test
  void timesAreShortenedAndNothingElse() {
    assertEquals(
        "rate(x_1h[6000ms]) > 15\nfor: 3000ms\n",
        Prometheus.faster("rate(x_1h[1m]) > 15\nfor: 30s\n", 10));
  }
}
