// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuresTest {
  @TempDir Path folder;

  @Test
  void theShiftBeginsWithTheHundredthPrediction() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(folder)) {
      String rows = String.join(",", Collections.nCopies(99, "[1, 2]"));
      assertEquals(200, server.post("/v1/predict", "[" + rows + "]").statusCode());
      assertFalse(server.get("/metrics").body().contains("avm_model_score_shift{"));
      server.post("/v1/predict", "[1, 2]");
      Thread.sleep(40); // they are made anew every 20 ms
      String metrics = server.get("/metrics").body();
      assertTrue(metrics.contains("avm_model_score_shift{model=\"m\"} "), metrics);
      assertFalse(metrics.contains("NaN"), metrics);
    }
  }
}
