// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.testkit.LateLabelChecks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The join of a job obeys the contract of late labels, as {@code Pending} does: in Flink's
 * operator, with its states, timers and snapshots. In a job it is tested by {@code
 * KeyedAndScoringTest}.
 */
class JoinLabelsContractTest {
  @TestFactory
  Stream<DynamicTest> contract() {
    return LateLabelChecks.of(Operator::new).entrySet().stream()
        .map(check -> DynamicTest.dynamicTest(check.getKey(), check.getValue()));
  }

  /** A job of many rows and few late labels would keep a timer for each of them. */
  @Test
  void joinedRowsLeaveNoTimer() throws Exception {
    Operator operator = new Operator();
    operator.row("a", 1);
    operator.label("b", 1);
    operator.label("b", 0);
    operator.row("a", 2);
    assertEquals(2, operator.harness.numEventTimeTimers());
    operator.label("a", 1);
    operator.row("b", 3);
    assertEquals(List.of("2=1", "3=0"), operator.learned());
    assertEquals(0, operator.harness.numEventTimeTimers());
  }

  private static final class Operator implements LateLabelChecks.Join {
    private final List<String> learned = new ArrayList<>();
    private KeyedTwoInputStreamOperatorTestHarness<String, Example, Example, Example> harness =
        opened(null);
    private long now = 1_000_000;
    private long unlabelledBefore;
    private long lateBefore;

    private static KeyedTwoInputStreamOperatorTestHarness<String, Example, Example, Example> opened(
        @Nullable OperatorSubtaskState from) {
      try {
        var fresh =
            new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(new JoinLabels(LateLabelChecks.WITHIN)),
                Example::id,
                Example::id,
                Types.STRING);
        fresh.setup(
            Formats.EXAMPLE
                .type()
                .createSerializer(fresh.getExecutionConfig().getSerializerConfig()));
        if (from != null) {
          fresh.initializeState(from);
        }
        fresh.open();
        return fresh;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private Example example(String id, FeatureVector x, double y) {
      return new Example(id, "", x, y, 1, now);
    }

    @Override
    public void row(String id, int row) throws Exception {
      harness.processElement1(example(id, FeatureVector.dense(row), Double.NaN), now);
    }

    @Override
    public boolean label(String id, int label) throws Exception {
      harness.processElement2(example(id, FeatureVector.dense(), label), now);
      return true;
    }

    @Override
    public void pass(Duration time) throws Exception {
      now += time.toMillis();
      harness.processBothWatermarks(new Watermark(now));
    }

    @Override
    public void restart() throws Exception {
      learned();
      unlabelledBefore = unlabelled();
      lateBefore = lateLabels();
      OperatorSubtaskState snapshot = harness.snapshot(1, now);
      harness.close();
      harness = opened(snapshot);
      harness.processBothWatermarks(new Watermark(now));
    }

    @Override
    public List<String> learned() {
      for (Example one : harness.extractOutputValues()) {
        learned.add((int) one.x().get(0) + "=" + (int) one.y());
      }
      harness.getOutput().clear();
      return learned;
    }

    @Override
    public long joined() {
      return learned().size();
    }

    @Override
    public long unlabelled() {
      return unlabelledBefore + count(JoinLabels.UNLABELLED);
    }

    @Override
    public long lateLabels() {
      return lateBefore + count(JoinLabels.LATE);
    }

    private long count(OutputTag<Example> tag) {
      Queue<StreamRecord<Example>> out = harness.getSideOutput(tag);
      return out == null ? 0 : out.size();
    }
  }
}
