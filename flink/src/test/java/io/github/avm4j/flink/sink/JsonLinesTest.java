// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  private static String text(Prediction prediction, RowModel names) {
    return text(JsonLines.prediction(prediction, names));
  }

  @Test
  void classesAreNames() throws Exception {
    assertEquals(
        "{\"id\":\"7\",\"key\":\"k\",\"prediction\":\"-1\",\"label\":\"1\",\"version\":5,\"time\":9}",
        text(new Prediction("7", "k", 1, 0, 5, 9), RowModel.read(TestRecords.start().file())));
  }

  @Test
  void intervalsAndSetsAreArrays() throws Exception {
    RowModel names = RowModel.read(TestRecords.start().file());
    assertEquals(
        "{\"id\":\"7\",\"key\":\"k\",\"prediction\":\"-1\",\"set\":[\"1\",\"-1\"],\"version\":5,\"time\":9}",
        text(new Prediction("7", "k", 1, Double.NaN, 5, 9, List.of(0.0, 1.0)), names));
    assertEquals(
        "{\"id\":\"7\",\"key\":\"k\",\"prediction\":\"-1\",\"set\":[],\"version\":0,\"time\":9}",
        text(new Prediction("7", "k", 1, Double.NaN, 0, 9, List.of()), names));
    Prediction open = new Prediction("7", "k", 1, Double.NaN, 5, 9);
    assertEquals(
        "{\"id\":\"7\",\"key\":\"k\",\"prediction\":\"-1\",\"wants_label\":true,\"version\":5,\"time\":9}",
        text(open.withWantsLabel(true), names));
    RowModel numbers =
        RowModel.read(new RowLearner(Schema.numbered(), "y", Avm.regressor().build()).toBytes());
    assertEquals(
        "{\"id\":\"7\",\"key\":\"\",\"prediction\":1.5,\"interval\":[1.25,null],\"version\":5,\"time\":9}",
        text(
            new Prediction("7", "", 1.5, Double.NaN, 5, 9, List.of(1.25, Double.POSITIVE_INFINITY)),
            numbers));
  }

  @Test
  void predictionsOfARegressionAreNumbers() throws Exception {
    RowLearner rows = new RowLearner(Schema.numbered(), "y", Avm.regressor().build());
    RowModel names = RowModel.read(rows.toBytes());
    assertEquals(
        "{\"id\":\"7\",\"key\":\"\",\"prediction\":1.5,\"target\":2.0,\"version\":5,\"time\":9}",
        text(new Prediction("7", "", 1.5, 2, 5, 9), names));
    assertEquals(
        "{\"id\":\"7\",\"key\":\"\",\"prediction\":null,\"version\":0,\"time\":9}",
        text(new Prediction("7", "", Double.NaN, Double.NaN, 0, 9), names));
  }

  @Test
  void detectionsNameTheFeaturesOfAlarms() {
    Schema schema =
        new Schema(
            List.of(
                new Column("load", Column.Kind.NUMBER, 0, List.of(), 0),
                new Column("heat", Column.Kind.NUMBER, 0, List.of(), 0)));
    var why =
        List.of(
            new AnomalyExplanation.Feature(1, 99, 20, 5.5, 0.75),
            new AnomalyExplanation.Feature(0, Double.NaN, 3, 1.5, 0.25));
    assertEquals(
        "{\"id\":\"7\",\"key\":\"k\",\"p_value\":5.0E-4,\"score\":7.5,\"alarm\":true,\"features\":["
            + "{\"feature\":\"heat\",\"value\":99.0,\"contribution\":5.5,\"share\":0.75},"
            + "{\"feature\":\"load\",\"value\":null,\"contribution\":1.5,\"share\":0.25}],\"time\":9}",
        text(JsonLines.detection(new Detection("7", "k", 0.0005, 7.5, true, why, 9), schema)));
    assertEquals(
        "{\"id\":\"8\",\"key\":\"\",\"p_value\":0.5,\"score\":1.0,\"alarm\":false,\"time\":9}",
        text(JsonLines.detection(new Detection("8", "", 0.5, 1, false, List.of(), 9), schema)));
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
