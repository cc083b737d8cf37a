// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request whose time is over costs nothing more: its rows are not computed any further. */
class CancelledWorkTest {
  private static final int ROWS = 2_000_000;

  @TempDir Path folder;

  private static long predicted(RunningServer server) {
    return server.server().repository().current("m").predicted();
  }

  private void stopsAfterItsReply(String path, String body) throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 100, 1));
    try (RunningServer server =
        new RunningServer(folder, "--request-timeout=400ms", "--max-rows=" + ROWS)) {
      long before = predicted(server);
      int status = server.post(path, body).statusCode();
      for (int k = 0; k < 20 && status == 408; k++) { // a busy machine, where it came too slowly
        status = server.post(path, body).statusCode();
      }
      assertEquals(503, status);
      RunningServer.await("the workers to stop", () -> server.inside() == 0);
      long computed = predicted(server) - before;
      assertTrue(computed < ROWS, computed + " of " + ROWS + " rows were computed");
    }
  }

  @Test
  void rows() throws Exception {
    stopsAfterItsReply("/v1/predict", "[" + "[1,2],".repeat(ROWS - 1) + "[1,2]]");
  }

  @Test
  void tensors() throws Exception {
    String data = "1,2,".repeat(ROWS - 1) + "1,2";
    stopsAfterItsReply(
        "/v2/models/m/infer",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":["
            + ROWS
            + ",2],\"data\":["
            + data
            + "]}]}");
  }
}
