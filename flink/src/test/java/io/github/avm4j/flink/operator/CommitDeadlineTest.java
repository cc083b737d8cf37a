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
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A job whose checkpoints fail does not go on until Kafka aborts what it wrote. */
@Timeout(120)
class CommitDeadlineTest {
  /** Has state, which the memory of the JobManager does not take if it is large. */
  private static final class State extends RichMapFunction<Long, Long>
      implements CheckpointedFunction {
    private static final long serialVersionUID = 1;

    private final int bytes;

    State(int bytes) {
      this.bytes = bytes;
    }

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
          .add(new byte[bytes]);
    }
  }

  /** One row in ten seconds: a stream that is quiet nearly always. */
  private static JobID start(LocalCluster cluster, int stateBytes) throws Exception {
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
                .map(new State(stateBytes))
                .setParallelism(1),
            Duration.ofSeconds(2),
            "deadline")
        .sinkTo(new DiscardingSink<>())
        .setParallelism(1);
    return cluster.submit(env);
  }

  @Test
  void aJobFailsWhoseCheckpointsFailForTooLong() throws Exception {
    try (LocalCluster cluster = new LocalCluster(2)) {
      JobID sound = start(cluster, 1);
      JobID failing = start(cluster, 8 << 20);
      Exception why = assertThrows(Exception.class, () -> cluster.await(failing));
      assertTrue(
          ExceptionUtils.findThrowableWithMessage(why, "no checkpoint was completed for")
              .isPresent(),
          () -> ExceptionUtils.stringifyException(why));
      assertTrue(cluster.isRunning(sound));
      cluster.cancel(sound);
    }
  }
}
