// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import java.time.Duration;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.FlinkException;
import org.jspecify.annotations.Nullable;

/**
 * Passes records on to a topic, and fails the job's attempt when no checkpoint has been completed
 * for too long. What a sink wrote since the last one stands in a transaction of Kafka, which the
 * broker aborts when it gets too old; once a checkpoint succeeds again, its rows would count as
 * read and their predictions would be gone. An attempt that fails before reads them again.
 *
 * <p>The time begins when a checkpoint does, because rows that follow its barrier are in the next
 * transaction, however long the checkpoint takes. It is kept by a timer, so a quiet stream is
 * watched, too.
 *
 * @param <T> what is passed on
 */
public final class CommitDeadline<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {
  private static final long serialVersionUID = 1;

  /** Looked at so often until the deadline. */
  private static final int LOOKS = 30;

  private final long millis;
  private transient NavigableMap<Long, Long> begun = new TreeMap<>();
  private transient long committed;
  private transient @Nullable ScheduledFuture<?> timer;

  CommitDeadline(Duration deadline) {
    this.millis = deadline.toMillis();
  }

  /**
   * {@return the stream, which fails when no checkpoint completes for so long}
   *
   * @param stream goes to a topic in transactions
   * @param deadline less than a transaction lives
   * @param uid uid of the operator
   * @param parallelism of the operator, that of the sink
   * @param <T> type of the records
   */
  public static <T> SingleOutputStreamOperator<T> on(
      DataStream<T> stream, Duration deadline, String uid, int parallelism) {
    TypeInformation<T> type = stream.getType();
    return stream
        .transform(uid, type, new CommitDeadline<T>(deadline))
        .uid(uid)
        .setParallelism(parallelism);
  }

  @Override
  public void open() throws Exception {
    super.open();
    begun = new TreeMap<>();
    committed = getProcessingTimeService().getCurrentProcessingTime();
    schedule(committed);
  }

  private void schedule(long now) {
    timer =
        getProcessingTimeService().registerTimer(now + Math.max(1, millis / LOOKS), this::check);
  }

  private void check(long now) throws FlinkException {
    if (now - committed > millis) {
      throw new FlinkException(
          "no checkpoint was completed for "
              + Duration.ofMillis(now - committed)
              + ", too near to Kafka's transaction.timeout.ms: the rows since then are read again");
    }
    schedule(now);
  }

  @Override
  public void close() throws Exception {
    if (timer != null) {
      timer.cancel(false);
    }
    super.close();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
    super.prepareSnapshotPreBarrier(checkpoint);
    begun.put(checkpoint, getProcessingTimeService().getCurrentProcessingTime());
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    super.notifyCheckpointComplete(checkpoint);
    committed = Math.max(committed, begun.getOrDefault(checkpoint, committed));
    begun.headMap(checkpoint, true).clear();
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    output.collect(element);
  }
}
