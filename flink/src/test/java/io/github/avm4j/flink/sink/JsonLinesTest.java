// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  private static String text(Prediction prediction, RowModel names) {
    return new String(JsonLines.prediction(prediction, names), StandardCharsets.UTF_8);
  }

  @Test
  void classesAreNames() throws Exception {
    assertEquals(
        "{\"id\":\"7\",\"key\":\"k\",\"answer\":\"-1\",\"label\":\"1\",\"version\":5,\"time\":9}",
        text(new Prediction("7", "k", 1, 0, 5, 9), RowModel.read(TestStream.start().file())));
  }

  @Test
  void predictionsOfARegressionAreNumbers() throws Exception {
    RowLearner rows = new RowLearner(Schema.numbered(), "y", Avm.regressor().build());
    RowModel names = RowModel.read(rows.toBytes());
    assertEquals(
        "{\"id\":\"7\",\"key\":\"\",\"answer\":1.5,\"label\":2.0,\"version\":5,\"time\":9}",
        text(new Prediction("7", "", 1.5, 2, 5, 9), names));
    assertEquals(
        "{\"id\":\"7\",\"key\":\"\",\"answer\":null,\"version\":0,\"time\":9}",
        text(new Prediction("7", "", Double.NaN, Double.NaN, 0, 9), names));
  }
}
