// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Answer;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.BadRecordSerializer;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Pupil;
import io.github.avm4j.flink.record.PupilSerializer;
import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.flink.record.ShardUpdateSerializer;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.flink.record.WindowScoreSerializer;
import io.github.avm4j.learner.LearnerFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
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
 * One shard of a global learner a subtask: answers each example, then learns from it.
 *
 * <p>Its learner is operator state. When the parallelism changes, Flink hands each learner to one
 * of the new subtasks: one that gets several merges them, one that gets none begins empty, so that
 * every instance's contribution is in exactly one shard.
 *
 * <p>Outputs: answers (if asked for), and on the side {@link #UPDATES} for {@link MergeShards} and
 * {@link #SCORES}. Metrics: {@code instances}, {@code mistakes} (or summed squared errors), {@code
 * corePoints}, {@code refusedExamples}, {@code eventTimeLag}.
 */
public final class LearnShard extends AbstractStreamOperator<Answer>
    implements OneInputStreamOperator<Example, Answer>, BoundedOneInput {
  /** Learners to merge. */
  public static final OutputTag<ShardUpdate> UPDATES =
      new OutputTag<>("shard-updates", ShardUpdateSerializer.TYPE);

  /** Prequential scores of this shard. */
  public static final OutputTag<WindowScore> SCORES =
      new OutputTag<>("shard-scores", WindowScoreSerializer.TYPE);

  /** Examples the learner did not accept, such as one with a NaN. */
  public static final OutputTag<BadRecord> REFUSED =
      new OutputTag<>("refused", BadRecordSerializer.TYPE);

  /** Name of the state in savepoints. */
  static final String STATE = "avm-shard";

  private static final long serialVersionUID = 1;

  private final byte[] start;
  private final byte[] blank;
  private final Schedule schedule;
  private final long window;
  private final boolean answers;

  private transient @Nullable ListState<Pupil> state;
  private transient @Nullable Pupil pupil;
  private transient @Nullable Counter refused;
  private transient int shard;
  private transient int shards;
  private transient long reportEvery;
  private transient long lastTime;
  private transient boolean ended;
  private transient @Nullable ScheduledFuture<?> timer;

  /**
   * A shard.
   *
   * @param start file of the learner that shard 0 of a new job begins with
   * @param blank file of a learner of the same configuration that has learned nothing, with which
   *     the others begin
   * @param window instances of a prequential score
   * @param answers whether to emit answers
   */
  public LearnShard(byte[] start, byte[] blank, Schedule schedule, long window, boolean answers) {
    if (window < 1) {
      throw new IllegalArgumentException("window must be >= 1, was " + window);
    }
    this.start = start.clone();
    this.blank = blank.clone();
    this.schedule = schedule;
    this.window = window;
    this.answers = answers;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    shard = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    shards = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>(STATE, PupilSerializer.INSTANCE));
    List<Pupil> mine = new ArrayList<>();
    state.get().forEach(mine::add);
    boolean first = !context.isRestored() && shard == 0;
    pupil =
        mine.isEmpty()
            ? new Pupil(LearnerFormat.read(first ? start : blank))
            : Merging.pupils(mine);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    if (state != null) {
      state.update(List.of(pupil()));
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    reportEvery = schedule.instances() > 0 ? schedule.share(1, shards) : Long.MAX_VALUE;
    MetricGroup metrics = getMetricGroup();
    refused = metrics.counter("refusedExamples");
    metrics.gauge("instances", () -> pupil().instances());
    metrics.gauge("mistakes", () -> pupil().loss());
    metrics.gauge("corePoints", () -> pupil().learner().size());
    metrics.gauge("eventTimeLag", () -> System.currentTimeMillis() - lastTime);
    // The merge tree waits for a word from every shard, also from one without input.
    long now = getProcessingTimeService().getCurrentProcessingTime();
    schedule(now);
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

  private Pupil pupil() {
    if (pupil == null) {
      throw new IllegalStateException("not open");
    }
    return pupil;
  }

  @Override
  public void processElement(StreamRecord<Example> element) {
    Example example = element.getValue();
    Pupil mine = pupil();
    long version = mine.learner().instances();
    double answer;
    try {
      answer = mine.step(example);
    } catch (IllegalArgumentException e) {
      if (refused != null) {
        refused.inc();
      }
      output.collect(
          REFUSED, new StreamRecord<>(BadRecord.of(example, String.valueOf(e.getMessage()))));
      return;
    }
    lastTime = example.time();
    if (answers) {
      output.collect(
          element.replace(
              new Answer(
                  example.id(), example.key(), answer, example.y(), version, example.time())));
    }
    if (mine.windowInstances() >= window) {
      output.collect(SCORES, new StreamRecord<>(mine.closeWindow(shard, lastTime)));
    }
    if (mine.instances() % reportEvery == 0) {
      report(false);
    }
  }

  private void report(boolean last) {
    Pupil mine = pupil();
    long instances = mine.learner().instances();
    output.collect(
        UPDATES,
        new StreamRecord<>(
            new ShardUpdate(shard, shards, instances, last, mine.learner().toBytes())));
  }

  @Override
  public void endInput() {
    ended = true;
    if (pupil().windowInstances() > 0) {
      output.collect(SCORES, new StreamRecord<>(pupil().closeWindow(shard, lastTime)));
    }
    report(true);
  }
}
