// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.BadRecordSerializer;
import io.github.avm4j.flink.record.EvaluatedLearner;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.flink.record.ShardUpdateSerializer;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.flink.record.WindowScoreSerializer;
import io.github.avm4j.learner.AutoLearner;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Learns one shard of a global learner per subtask: predicts each example, then learns from it.
 *
 * <p>Its learner is operator state. When the parallelism changes, Flink hands each learner to one
 * of the new subtasks: a subtask that gets several merges them, and the learner of a single shard
 * becomes the common start of all, so that every instance counts once ({@link ShardState}).
 *
 * <p>With a share of labels to ask for, an example without a label is predicted only, and marked if
 * its label is wanted.
 *
 * <p>Outputs: predictions (if enabled), and as side outputs {@link #UPDATES} for {@link
 * MergeShards} and {@link #SCORES}. Metrics: {@code instances}, {@code mistakes} (or summed squared
 * errors), {@code corePoints}, {@code refusedExamples}, {@code eventTimeLag}, {@code labelsWanted}.
 */
public final class LearnShard extends AbstractStreamOperator<Prediction>
    implements OneInputStreamOperator<Example, Prediction>, BoundedOneInput {
  /** Learners to merge. */
  public static final OutputTag<ShardUpdate> UPDATES =
      new OutputTag<>("shard-updates", ShardUpdateSerializer.TYPE);

  /** Prequential scores of this shard. */
  public static final OutputTag<WindowScore> SCORES =
      new OutputTag<>("shard-scores", WindowScoreSerializer.TYPE);

  /** Examples the learner did not accept, such as one with a NaN. */
  public static final OutputTag<BadRecord> REFUSED =
      new OutputTag<>("refused", BadRecordSerializer.TYPE);

  private static final long serialVersionUID = 1;
  private static final byte[] NONE = {};

  private final StartFiles files;
  private final boolean share;
  private final Schedule schedule;
  private final long window;
  private final boolean predictions;
  private final double level;
  private final double labels;
  private final boolean resumes;

  private transient @Nullable ShardState state;
  private transient @Nullable LabelMarks marks;
  private transient @Nullable Counter refused;
  private transient int shard;
  private transient int shards;
  private transient long reportEvery;
  private transient volatile long lastTime;
  private transient boolean ended;
  private transient boolean startSent;
  private transient @Nullable ScheduledFuture<?> timer;

  /**
   * Creates the operator.
   *
   * @param files what a new job begins with
   * @param share whether several shards begin as copies of what one learner knows (a start that has
   *     settled, the learner of a job of one shard), rather than each on its own
   * @param schedule when to send updates
   * @param window instances of a prequential score
   * @param predictions whether to emit predictions
   * @param level coverage of their intervals or prediction sets; 0 for none
   * @param labels share of the examples without a label to ask one for; 0 to refuse them
   * @param resumes whether the job was started from a savepoint, which must hold a learner then
   */
  public LearnShard(
      StartFiles files,
      boolean share,
      Schedule schedule,
      long window,
      boolean predictions,
      double level,
      double labels,
      boolean resumes) {
    if (window < 1) {
      throw new IllegalArgumentException("window must be >= 1, was " + window);
    }
    this.files = files;
    this.share = share;
    this.schedule = schedule;
    this.window = window;
    this.predictions = predictions;
    this.level = level;
    this.labels = labels;
    this.resumes = resumes;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    shard = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    shards = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    state =
        new ShardState(
            context.getOperatorStateStore(),
            shard,
            shards,
            context.isRestored(),
            files,
            share,
            resumes);
    marks = LabelMarks.of(context.getOperatorStateStore(), labels, shard);
    List<Double> levels = evaluated().learner().calibration().levels();
    if (predictions && level != 0 && !levels.contains(level)) {
      throw RowIdentity.refuse(
          "the learner of the savepoint keeps intervals of "
              + levels
              + ", not of "
              + level
              + ": set output.interval to one of them, or leave it out");
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    state().save();
    if (marks != null) {
      marks.save();
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    reportEvery = schedule.instances() > 0 ? schedule.share(1, shards) : Long.MAX_VALUE;
    MetricGroup metrics = getMetricGroup();
    refused = metrics.counter("refusedExamples");
    metrics.gauge("instances", () -> evaluated().instances());
    metrics.gauge("mistakes", () -> evaluated().loss());
    metrics.gauge("corePoints", () -> evaluated().learner().size());
    metrics.gauge("eventTimeLag", this::eventTimeLag);
    metrics.gauge("labelsWanted", () -> marks == null ? 0 : marks.asked());
    // The merge tree waits for a word from every shard, also from one without input.
    long now = getProcessingTimeService().getCurrentProcessingTime();
    schedule(now);
  }

  /** 0 before the first example, or if its time is not known: files have none. */
  private long eventTimeLag() {
    return lastTime <= 0 ? 0 : System.currentTimeMillis() - lastTime;
  }

  private void schedule(long time) {
    timer = getProcessingTimeService().registerTimer(time, this::onTimer);
  }

  private void onTimer(long time) {
    if (!ended) {
      report(false);
      if (schedule.millis() > 0) {
        schedule(time + schedule.millis());
      }
    }
  }

  @Override
  public void close() throws Exception {
    if (timer != null) {
      timer.cancel(false);
    }
    super.close();
  }

  private ShardState state() {
    if (state == null) {
      throw new IllegalStateException("not open");
    }
    return state;
  }

  private EvaluatedLearner evaluated() {
    return state().evaluated();
  }

  @Override
  public void processElement(StreamRecord<Example> element) {
    Example example = element.getValue();
    EvaluatedLearner mine = evaluated();
    Prediction prediction = null;
    boolean asks = marks != null && !example.isLabelled();
    try {
      if (marks != null && asks) {
        prediction = marks.mark(mine.learner(), example, level);
      } else if (predictions) {
        prediction = mine.step(example, level);
      } else {
        mine.step(example);
      }
    } catch (IllegalArgumentException e) {
      if (refused != null) {
        refused.inc();
      }
      output.collect(
          REFUSED, new StreamRecord<>(BadRecord.of(example, String.valueOf(e.getMessage()))));
      return;
    }
    lastTime = example.time();
    if (prediction != null) {
      output.collect(element.replace(prediction));
    }
    if (asks) {
      return; // nothing was learned
    }
    if (mine.windowInstances() >= window) {
      output.collect(SCORES, new StreamRecord<>(mine.closeWindow(shard, lastTime)));
    }
    if (mine.instances() % reportEvery == 0) {
      report(false);
    }
  }

  /** The first report carries the start, which the merge tree keeps. */
  private void report(boolean last) {
    AutoLearner start = state().start();
    byte[] first = start == null || startSent ? NONE : start.toBytes();
    startSent = true;
    byte[] learner = evaluated().learner().toBytes();
    output.collect(
        UPDATES,
        new StreamRecord<>(
            new ShardUpdate(shard, shards, state().instances(), last, learner, first)));
  }

  @Override
  public void endInput() {
    ended = true;
    if (evaluated().windowInstances() > 0) {
      output.collect(SCORES, new StreamRecord<>(evaluated().closeWindow(shard, lastTime)));
    }
    report(true);
  }
}
