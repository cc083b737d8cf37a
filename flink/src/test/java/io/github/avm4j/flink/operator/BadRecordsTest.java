// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RoutedExample;
import io.github.avm4j.pipeline.RowDetector;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A record that causes an exception which nobody foresaw goes to the bad records, with its bytes
 * and the exception; what learns goes on with the next. A job that restarted for it would meet it
 * again. The learner of a whole stream is in {@code StreamLearningTest}.
 */
class BadRecordsTest {
  private static final int BROKEN = 7;

  /** An operator by itself. */
  private record Operator(
      String name,
      AbstractStreamOperatorTestHarness<?> harness,
      Input input,
      OutputTag<BadRecord> refused) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Input {
    void take(Example example) throws Exception;
  }

  static List<Operator> operators() throws Exception {
    CellStart cells = CellJob.start(400);
    var keys =
        ProcessFunctionTestHarnesses.forKeyedBroadcastProcessFunction(
            new LearnKeys(TestRecords.start().file(), "none", Duration.ZERO),
            Example::key,
            Types.STRING,
            ScoreExamples.MODELS);
    var route = ProcessFunctionTestHarnesses.forProcessFunction(new RouteExamples(cells));
    var learn =
        ProcessFunctionTestHarnesses.<Integer, RoutedExample, Prediction>forKeyedProcessFunction(
            new LearnCells(cells, Schedule.everyInstances(500), 1000, 0),
            RoutedExample::cell,
            Types.INT);
    RowDetector detector =
        new RowDetector(Schema.numbered(), Avm.detector().budget(40).features(3).build());
    var detect =
        ProcessFunctionTestHarnesses.<String, Example, Detection>forKeyedProcessFunction(
            new DetectAnomalies(new StartFiles(detector).file(), Duration.ZERO, null),
            Example::key,
            Types.STRING);
    return List.of(
        new Operator("keys", keys, e -> keys.processElement(e, e.time()), LearnKeys.REFUSED),
        new Operator("route", route, e -> route.processElement(e, e.time()), RouteExamples.REFUSED),
        new Operator(
            "cells",
            learn,
            e -> learn.processElement(new RoutedExample(2, e), e.time()),
            LearnCells.REFUSED),
        new Operator(
            "detectors",
            detect,
            e -> detect.processElement(e.withLabel(Double.NaN), e.time()),
            DetectAnomalies.REFUSED));
  }

  @ParameterizedTest
  @MethodSource("operators")
  void anExceptionThatNobodyForesaw(Operator operator) throws Exception {
    for (int i = 0; i < 20; i++) {
      Example good = TestRecords.format().parse(TestRecords.record(i)).example();
      FeatureVector x = i == BROKEN ? null : good.x();
      operator.input.take(
          new Example(good.id(), "one", x, good.y(), 1, good.time(), good.origin()));
    }
    Queue<? extends StreamRecord<BadRecord>> refused =
        operator.harness.getSideOutput(operator.refused);
    assertEquals(1, refused.size());
    BadRecord bad = refused.iterator().next().getValue();
    assertTrue(bad.reason().contains("NullPointerException"), bad.reason());
    assertArrayEquals(TestRecords.record(BROKEN).value(), bad.record().value());
    assertEquals(
        19, operator.harness.getOutput().stream().filter(StreamRecord.class::isInstance).count());
    operator.harness.close();
  }
}
