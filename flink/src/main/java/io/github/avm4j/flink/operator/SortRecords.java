// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Sends examples on and bad records to {@link #BAD}. Metrics: {@code badRecords}, {@code
 * unusableCells}, and the latter for each column that has any under {@code column.NAME}; {@code avm
 * train} reports the same counts at its end.
 *
 * <p>In a job of mode {@code cells} whose plan was made of rows joined with labels, passes over
 * these rows and labels: the job reads topics from their beginning, and they are learned from
 * already. Finds them by topic, partition and offset.
 *
 * <p>Keeps as state which operator has the learners, because this one has the same uid in every
 * job: a savepoint that is restored under another name or mode would set the input to where it was
 * and drop all learners, without an error. It is refused.
 */
public final class SortRecords extends ProcessFunction<Parsed, Example>
    implements CheckpointedFunction {
  /** Records that are no examples. */
  public static final OutputTag<BadRecord> BAD =
      new OutputTag<>("bad-records", Formats.BAD_RECORD.type());

  private static final long serialVersionUID = 1;

  /** No union: a reader that has ended before the others must not fail checkpoints. */
  private static final ListStateDescriptor<String> LEARNERS =
      new ListStateDescriptor<>("avm-learners", Types.STRING);

  private final byte[] start;
  private final TreeMap<String, long[]> joined;
  private final String learners;
  private final boolean resumes;

  private transient @Nullable ListState<String> state;
  private transient @Nullable Counts counts;

  /**
   * Passes over nothing.
   *
   * @param start file of a model, learner or detector of rows, whose columns are counted
   */
  public SortRecords(byte[] start) {
    this(start, Map.of(), "", false);
  }

  /**
   * Passes over what a plan was made of, and refuses the savepoint of another job.
   *
   * @param start file of a model, learner or detector of rows, whose columns are counted
   * @param joined positions by source, ascending; see {@link CellStart#joined()}
   * @param learners uid of the operator that has the learners
   * @param resumes whether the job is started from a savepoint
   */
  public SortRecords(byte[] start, Map<String, long[]> joined, String learners, boolean resumes) {
    this.start = start.clone();
    this.joined = new TreeMap<>(joined);
    this.learners = learners;
    this.resumes = resumes;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    if (resumes && !context.isRestored()) {
      throw RowIdentity.refuse("the savepoint holds nothing of this job: was it another's?");
    }
    state = context.getOperatorStateStore().getListState(LEARNERS);
    for (String before : state.get()) {
      if (!before.equals(learners)) {
        throw RowIdentity.refuse(
            "the savepoint's learners are in the operator %s, this job's are in %s: all they learned"
                    .formatted(before, learners)
                + " would be dropped. Restore name and mode in the job's file as they were, or"
                + " begin anew without the savepoint");
      }
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    if (state != null) {
      state.update(List.of(learners));
    }
  }

  @Override
  public void open(OpenContext context) throws Exception {
    Schema schema =
        RowDetector.isDetector(start)
            ? RowDetector.read(start).schema()
            : RowModel.read(start).schema();
    counts = new Counts(schema.columns(), getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement(Parsed parsed, Context context, Collector<Example> out) {
    if (counts == null) {
      throw new IllegalStateException("not open");
    }
    counts.add(parsed);
    Example example = parsed.example();
    BadRecord bad = parsed.bad();
    if (bad != null) {
      context.output(BAD, bad);
    } else if (example != null && !isJoined(example.origin())) {
      out.collect(example);
    }
  }

  boolean isJoined(@Nullable RawRecord origin) {
    long[] positions = origin == null ? null : joined.get(origin.source());
    return origin != null
        && positions != null
        && Arrays.binarySearch(positions, origin.offset()) >= 0;
  }

  /** The metrics. */
  static final class Counts {
    private final List<Column> columns;
    private final MetricGroup metrics;
    private final Counter bad;
    private final Counter unusable;
    private final @Nullable Counter[] ofColumn;

    Counts(List<Column> columns, MetricGroup metrics) {
      this.columns = columns;
      this.metrics = metrics;
      bad = metrics.counter("badRecords");
      unusable = metrics.counter("unusableCells");
      ofColumn = new Counter[columns.size()];
    }

    void add(Parsed parsed) {
      if (parsed.bad() != null) {
        bad.inc();
      }
      for (int c : parsed.unusable()) {
        unusable.inc();
        ofColumn(c).inc();
      }
    }

    private Counter ofColumn(int c) {
      Counter counter = ofColumn[c];
      if (counter == null) {
        counter = metrics.addGroup("column", columns.get(c).name()).counter("unusableCells");
        ofColumn[c] = counter;
      }
      return counter;
    }
  }
}
