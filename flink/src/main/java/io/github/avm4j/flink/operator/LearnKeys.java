// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.EvaluatedLearner;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Learns with one small learner per key, in keyed state: predicts each example, then learns from
 * it. The first example of a key creates its learner: a copy of the newest global learner that was
 * broadcast under {@link ScoreExamples#MODELS}, else of the file given. A key that is silent for
 * the time to live is forgotten.
 *
 * <p>With a share of labels to ask for, an example without a label is predicted only, and marked if
 * its label is wanted; one budget of labels is for all keys of a subtask.
 *
 * <p>In heap state a step costs what the learner's does; in RocksDB it also reads and writes the
 * learner's file. Metrics: {@code newKeys}, {@code expiredKeys}, {@code refusedExamples}, {@code
 * unusableStarts}, {@code labelsWanted}.
 */
public final class LearnKeys
    extends KeyedBroadcastProcessFunction<String, Example, ModelVersion, Prediction>
    implements CheckpointedFunction {
  /** Examples a learner did not accept. */
  public static final OutputTag<BadRecord> REFUSED =
      new OutputTag<>("refused", Formats.BAD_RECORD.type());

  private static final long serialVersionUID = 1;

  private final byte[] start;
  private final String global;
  private final Duration timeToLive;
  private final double level;
  private final double labels;

  private transient @Nullable RowIdentity identity;
  private transient @Nullable LabelMarks marks;
  private transient @Nullable Schema rows;
  private transient @Nullable ValueState<EvaluatedLearner> state;
  private transient @Nullable KeyExpiry expiry;
  private transient @Nullable Counter newKeys;
  private transient @Nullable Counter refused;
  private transient @Nullable Counter unusable;
  private transient @Nullable RunCounts counts;

  /**
   * Creates the function.
   *
   * @param start file of the learner a key begins with if there is no global one
   * @param global name of the global learner
   * @param timeToLive of event time after which a silent key is forgotten; zero for never
   */
  public LearnKeys(byte[] start, String global, Duration timeToLive) {
    this(start, global, timeToLive, 0, 0);
  }

  /**
   * Creates the function, with intervals or prediction sets. A learner that does not keep the level
   * predicts without: a copy of a global one, or of a savepoint.
   *
   * @param start file of the learner a key begins with if there is no global one
   * @param global name of the global learner
   * @param timeToLive of event time after which a silent key is forgotten; zero for never
   * @param level coverage of intervals or prediction sets; 0 for none
   * @param labels share of the examples without a label to ask one for; 0 to refuse them
   */
  public LearnKeys(byte[] start, String global, Duration timeToLive, double level, double labels) {
    this.start = start.clone();
    this.global = global;
    this.timeToLive = timeToLive;
    this.level = level;
    this.labels = labels;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    identity = RowIdentity.check(context.getOperatorStateStore(), start);
    int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    marks = LabelMarks.of(context.getOperatorStateStore(), labels, subtask);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    if (identity != null) {
      identity.save(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    }
    if (marks != null) {
      marks.save();
    }
  }

  @Override
  public void open(OpenContext context) {
    RowModel like = RowModel.read(start);
    rows = like.schema();
    counts = new RunCounts(getRuntimeContext(), like.model().task());
    state =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("avm-key", Formats.EVALUATED_LEARNER));
    expiry = KeyExpiry.of(getRuntimeContext(), timeToLive);
    var metrics = getRuntimeContext().getMetricGroup();
    newKeys = metrics.counter("newKeys");
    refused = metrics.counter("refusedExamples");
    unusable = metrics.counter("unusableStarts");
    metrics.gauge("labelsWanted", () -> marks == null ? 0 : marks.asked());
  }

  @Override
  public void processElement(Example example, ReadOnlyContext context, Collector<Prediction> out)
      throws Exception {
    if (state == null || rows == null || newKeys == null || refused == null) {
      throw new IllegalStateException("not open");
    }
    EvaluatedLearner evaluated = state.value();
    if (evaluated == null) {
      evaluated =
          new EvaluatedLearner(first(context.getBroadcastState(ScoreExamples.MODELS).get(global)));
      newKeys.inc();
    }
    evaluated.on(rows);
    Prediction prediction;
    try {
      prediction =
          marks == null || example.isLabelled()
              ? evaluated.step(example, level)
              : marks.mark(evaluated.learner(), evaluated.filled(example, false), level);
    } catch (RuntimeException e) {
      refused.inc();
      context.output(REFUSED, BadRecord.of(example, e));
      return;
    }
    state.update(evaluated);
    if (counts != null && example.isLabelled()) {
      counts.add(example.y(), prediction.value());
    }
    if (expiry != null) {
      expiry.seen(example.time(), context.timerService());
    }
    out.collect(prediction);
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Prediction> out)
      throws Exception {
    if (state != null && expiry != null && expiry.endsAt(time, context.timerService())) {
      state.clear();
    }
  }

  @Override
  public void close() {
    if (counts != null) {
      counts.end();
    }
  }

  /** A copy of the global learner; a file of a model alone cannot learn. */
  private RowLearner first(@Nullable ModelVersion newest) throws InvalidModelException {
    if (newest != null) {
      try {
        return RowLearner.read(newest.file());
      } catch (InvalidModelException e) {
        if (unusable != null) {
          unusable.inc();
        }
      }
    }
    return RowLearner.read(start);
  }

  @Override
  public void processBroadcastElement(
      ModelVersion newest, Context context, Collector<Prediction> out) throws Exception {
    if (newest.name().equals(global)) {
      context.getBroadcastState(ScoreExamples.MODELS).put(global, newest);
    }
  }
}
