// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.LocalCluster;
import java.time.Duration;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FlinkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job whose checkpoints fail does not go on until Kafka aborts what it wrote. */
@Timeout(1200)
class CommitDeadlineTest {
  /** Has more state than the memory of the JobManager takes. */
  private static final class State extends RichMapFunction<Long, Long>
      implements CheckpointedFunction {
    private static final long serialVersionUID = 1;

    @Override
    public Long map(Long value) {
      return value;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {}

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      context
          .getOperatorStateStore()
          .getListState(
              new ListStateDescriptor<>(
                  "bytes", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO))
          .add(new byte[8 << 20]);
    }
  }

  /** One row in ten seconds: a stream that is quiet nearly always. */
  private static JobID start(LocalCluster cluster) throws Exception {
    StreamExecutionEnvironment env =
        LocalCluster.environment(
            "execution.checkpointing.tolerable-failed-checkpoints",
            Integer.toString(Integer.MAX_VALUE));
    CommitDeadline.on(
            env.fromSource(
                    new DataGeneratorSource<>(
                        i -> i, 1_000_000L, RateLimiterStrategy.perSecond(0.1), Types.LONG),
                    WatermarkStrategy.noWatermarks(),
                    "rows")
                .setParallelism(1)
                .map(new State())
                .setParallelism(1),
            Duration.ofSeconds(2),
            "deadline",
            1)
        .sinkTo(new DiscardingSink<>())
        .setParallelism(1);
    return cluster.submit(env);
  }

  @Test
  void aJobFailsWhoseCheckpointsFailForTooLong() throws Exception {
    try (LocalCluster cluster = new LocalCluster(1)) {
      JobID failing = start(cluster);
      Exception why = assertThrows(Exception.class, () -> cluster.await(failing));
      assertTrue(
          ExceptionUtils.findThrowableWithMessage(why, "no checkpoint was completed for")
              .isPresent(),
          () -> ExceptionUtils.stringifyException(why));
    }
  }

  /** On a clock of its own, because a busy machine may complete no checkpoint in time. */
  private static OneInputStreamOperatorTestHarness<Long, Long> watch() throws Exception {
    var watch =
        new OneInputStreamOperatorTestHarness<>(
            new CommitDeadline<Long>(Duration.ofSeconds(2)), LongSerializer.INSTANCE);
    watch.setProcessingTime(0);
    watch.open();
    return watch;
  }

  private static void assertFails(
      OneInputStreamOperatorTestHarness<Long, Long> watch, long at, String after) {
    FlinkException why = assertThrows(FlinkException.class, () -> watch.setProcessingTime(at));
    assertTrue(why.getMessage().contains("completed for " + after), why.getMessage());
  }

  @Test
  @SuppressWarnings("try") // the harness may be interrupted while it closes
  void eachCheckpointThatCompletesBeginsTheTimeAnew() throws Exception {
    try (var watch = watch()) {
      for (int second = 1; second < 10; second++) {
        watch.setProcessingTime(1000L * second);
        watch.prepareSnapshotPreBarrier(second);
        watch.notifyOfCompletedCheckpoint(second);
      }
      watch.setProcessingTime(11_000);
      assertFails(watch, 11_200, "PT2.022S");
    }
  }

  /** Rows after its barrier are in a transaction that is as old as the checkpoint. */
  @Test
  @SuppressWarnings("try") // the harness may be interrupted while it closes
  void aCheckpointThatTookLongBeginsTheTimeWhereItBegan() throws Exception {
    try (var watch = watch()) {
      watch.setProcessingTime(100);
      watch.prepareSnapshotPreBarrier(1);
      watch.setProcessingTime(1900);
      watch.notifyOfCompletedCheckpoint(1);
      watch.setProcessingTime(2050);
      assertFails(watch, 2200, "PT2.012S");
    }
  }
}
