// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.feature.Row;
import io.github.avm4j.flink.record.RawRecord;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.SerializableTimestampAssigner;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The event times of records as a source reads them, so that it has a watermark per partition. A
 * reader of several partitions may take many records of one before the first of another; with one
 * watermark for all, those of the other would be late.
 *
 * <p>A record whose time cannot be read, or is too far ahead of this machine's clock, has no say in
 * the watermark; {@link ParseRecords} makes it a bad record. Where the time is a column, the
 * record's text is parsed once more for it.
 */
public final class RecordTimes implements SerializableTimestampAssigner<RawRecord> {
  private static final long serialVersionUID = 1;

  private final TextFormat format;
  private final long ahead;

  private transient @Nullable RecordReader reader;
  private transient @Nullable Row row;

  private RecordTimes(TextFormat format, Duration ahead) {
    this.format = format;
    this.ahead = ahead.toMillis();
  }

  /**
   * {@return watermarks of each partition or file by itself}
   *
   * @param format how records are written
   * @param ahead how far an event time may be ahead of the clock
   * @param disorder how far a record may be behind the newest of its partition
   * @param idle time without records after which a partition is not waited for
   */
  public static WatermarkStrategy<RawRecord> watermarks(
      TextFormat format, Duration ahead, Duration disorder, Duration idle) {
    return WatermarkStrategy.<RawRecord>forBoundedOutOfOrderness(disorder)
        .withTimestampAssigner(new RecordTimes(format, ahead))
        .withIdleness(idle);
  }

  @Override
  public long extractTimestamp(RawRecord record, long before) {
    try {
      long time = format.time() == null ? record.time() : column(record, format.time());
      long now = System.currentTimeMillis();
      return time > now && time - now > ahead ? NO_TIMESTAMP : time;
    } catch (IOException | IllegalArgumentException e) {
      return NO_TIMESTAMP; // the parser says why
    }
  }

  private long column(RawRecord record, String name) throws IOException {
    RecordReader text = reader == null ? new RecordReader(format) : reader;
    Row cells = row == null ? new Row() : row;
    reader = text;
    row = cells;
    text.read(record.value(), cells);
    return ParseRecords.time(cells, text.columns().indexOf(name));
  }
}
