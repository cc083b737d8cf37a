// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.EvaluatedLearner;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
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
 * Learns the whole stream with one learner, in one subtask: predicts each example, then learns from
 * it. The learner is operator state.
 *
 * <p>With a share of labels to ask for, an example without a label is predicted only, and marked if
 * its label is wanted.
 *
 * <p>Outputs: predictions (if enabled), and as side outputs {@link #LEARNER} for {@link
 * PublishModel}, {@link #SCORES} and {@link #REFUSED}. Metrics: {@code instances}, {@code mistakes}
 * (or summed squared errors), {@code corePoints}, {@code refusedExamples}, {@code eventTimeLag},
 * {@code labelsWanted}.
 */
final class LearnStream extends AbstractStreamOperator<Prediction>
    implements OneInputStreamOperator<Example, Prediction>, BoundedOneInput {
  /** The learner's file, by the schedule and once more when the input ends. */
  static final OutputTag<byte[]> LEARNER =
      new OutputTag<>("learner", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  /** Prequential scores. */
  static final OutputTag<WindowScore> SCORES =
      new OutputTag<>("scores", Formats.WINDOW_SCORE.type());

  /** Examples the learner did not accept, such as one with a NaN. */
  static final OutputTag<BadRecord> REFUSED = new OutputTag<>("refused", Formats.BAD_RECORD.type());

  private static final long serialVersionUID = 1;

  private final StreamLearning.Settings settings;

  private transient @Nullable RowIdentity identity;
  private transient @Nullable ListState<EvaluatedLearner> state;
  private transient @Nullable EvaluatedLearner evaluated;
  private transient @Nullable RowModel rows;
  private transient @Nullable LabelMarks marks;
  private transient @Nullable Counter refused;
  private transient @Nullable RunCounts counts;
  private transient volatile long lastTime;
  private transient boolean ended;
  private transient @Nullable ScheduledFuture<?> timer;

  LearnStream(StreamLearning.Settings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    byte[] start = settings.start.file();
    identity = RowIdentity.check(context.getOperatorStateStore(), start);
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("avm-learner", Formats.EVALUATED_LEARNER));
    for (EvaluatedLearner saved : state.get()) {
      evaluated = saved;
    }
    if (evaluated == null) {
      evaluated = new EvaluatedLearner(Learner.fromBytes(start));
    }
    rows = RowModel.read(start);
    evaluated.on(rows.schema());
    marks = LabelMarks.of(context.getOperatorStateStore(), settings.labelShare, 0);
    double level = settings.level;
    List<Double> levels = evaluated.learner().calibration().levels();
    if (settings.predictions && level != 0 && !levels.contains(level)) {
      throw RowIdentity.refuse(
          "the learner of the savepoint keeps intervals of "
              + levels
              + ", not of "
              + level
              + ": set output.level to one of them, or leave it out");
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    if (identity == null || state == null) {
      throw new IllegalStateException("not open");
    }
    identity.save(0);
    state.update(List.of(evaluated()));
    if (marks != null) {
      marks.save();
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup metrics = getMetricGroup();
    refused = metrics.counter("refusedExamples");
    counts = new RunCounts(getRuntimeContext(), evaluated().learner().task());
    metrics.gauge("instances", () -> evaluated().instances());
    metrics.gauge("mistakes", () -> evaluated().loss());
    metrics.gauge("corePoints", () -> evaluated().learner().size());
    metrics.gauge("eventTimeLag", this::eventTimeLag);
    metrics.gauge("labelsWanted", () -> marks == null ? 0 : marks.asked());
    if (settings.schedule.millis() > 0) {
      reportAfter(getProcessingTimeService().getCurrentProcessingTime());
    }
  }

  /** 0 before the first example, or if its time is not known: files have none. */
  private long eventTimeLag() {
    return lastTime <= 0 ? 0 : System.currentTimeMillis() - lastTime;
  }

  private void reportAfter(long now) {
    long next = now + settings.schedule.millis();
    timer = getProcessingTimeService().registerTimer(next, this::onTimer);
  }

  private void onTimer(long time) {
    if (!ended) {
      report();
      reportAfter(time);
    }
  }

  @Override
  public void close() throws Exception {
    if (timer != null) {
      timer.cancel(false);
    }
    if (counts != null) {
      counts.end();
    }
    super.close();
  }

  private EvaluatedLearner evaluated() {
    if (evaluated == null) {
      throw new IllegalStateException("not open");
    }
    return evaluated;
  }

  @Override
  public void processElement(StreamRecord<Example> element) {
    Example example = element.getValue();
    EvaluatedLearner mine = evaluated();
    Prediction prediction = null;
    double value = Double.NaN;
    boolean asks = marks != null && !example.isLabelled();
    try {
      if (marks != null && asks) {
        prediction = marks.mark(mine.learner(), mine.filled(example, false), settings.level);
      } else if (settings.predictions) {
        prediction = mine.step(example, settings.level);
        value = prediction.value();
      } else {
        value = mine.step(example);
      }
    } catch (RuntimeException e) {
      if (refused != null) {
        refused.inc();
      }
      output.collect(REFUSED, new StreamRecord<>(BadRecord.of(example, e)));
      return;
    }
    lastTime = example.time();
    if (prediction != null) {
      output.collect(element.replace(prediction));
    }
    if (asks) {
      return; // nothing was learned
    }
    if (counts != null) {
      counts.add(example.y(), value);
    }
    if (mine.windowInstances() >= settings.window) {
      output.collect(SCORES, new StreamRecord<>(mine.closeWindow(lastTime)));
    }
    long every = settings.schedule.instances();
    if (every > 0 && mine.instances() % every == 0) {
      report();
    }
  }

  private void report() {
    if (rows == null) {
      throw new IllegalStateException("not open");
    }
    output.collect(LEARNER, new StreamRecord<>(evaluated().rows(rows).toBytes()));
  }

  @Override
  public void endInput() {
    ended = true;
    if (evaluated().windowInstances() > 0) {
      output.collect(SCORES, new StreamRecord<>(evaluated().closeWindow(lastTime)));
    }
    report();
  }
}
