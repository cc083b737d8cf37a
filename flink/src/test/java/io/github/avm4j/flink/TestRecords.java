// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.TextFormat;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** {@link TestStream} as a job reads it, and what learns from it. */
public final class TestRecords {
  private TestRecords() {}

  /** Record i as a source would give it, keyed by i. */
  public static RawRecord record(long i) {
    return new RawRecord(
        "test-0",
        i,
        Long.toString(i).getBytes(StandardCharsets.UTF_8),
        TestStream.line(i).getBytes(StandardCharsets.UTF_8),
        i);
  }

  /** How its records become examples. */
  public static RecordFormat format() {
    return new RecordFormat(TextFormat.libsvm(), start().file(), true, Duration.ofHours(1));
  }

  /** What jobs begin with. */
  public static StartFiles start() {
    return start(TestStream.blank());
  }

  /** What jobs begin with that go on from a learner. */
  public static StartFiles start(Learner learner) {
    RowLearner rows = new RowLearner(Schema.numbered(), "label", learner);
    TestStream.CLASSES.forEach(rows.names()::add);
    return new StartFiles(rows);
  }
}
