// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.pipeline.RowDetector;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Judges each example by the detector of its key, in keyed state, then learns it. The first example
 * of a key creates its detector, a copy of the file given. With a constant key there is one
 * detector for the stream. A labelled example is feedback: it is not judged, and changes what the
 * detector says of rows like it; label 1 is an anomaly, 0 none.
 *
 * <p>Outputs: detections, {@link #REFUSED} and, if enabled, {@link #MODELS}: versions of the
 * detector's file by the schedule, and once more when the input ends. Metrics: {@code judged},
 * {@code alarms}, {@code newDetectors}, {@code expiredKeys}, {@code refusedExamples}, {@code
 * feedback}; with versions those of {@link PublishModel} too.
 */
public final class DetectAnomalies extends KeyedProcessFunction<String, Example, Detection>
    implements CheckpointedFunction {
  /** Versions of the detector. */
  public static final OutputTag<ModelVersion> MODELS =
      new OutputTag<>("detectors", Formats.MODEL_VERSION.type());

  /** Examples that a detector did not accept. */
  public static final OutputTag<BadRecord> REFUSED =
      new OutputTag<>("refused", Formats.BAD_RECORD.type());

  /** Most features that an alarm is explained by. */
  public static final int EXPLAINED = 3;

  private static final long serialVersionUID = 1;

  private final byte[] start;
  private final Duration timeToLive;
  private final @Nullable Publishing publishing;

  private transient @Nullable RowDetector rows;
  private transient @Nullable RowIdentity identity;
  private transient @Nullable ValueState<Detector> state;
  private transient @Nullable VersionLine versions;
  private transient @Nullable KeyExpiry expiry;
  private transient @Nullable Counter judged;
  private transient @Nullable Counter alarms;
  private transient @Nullable Counter fresh;
  private transient @Nullable Counter refused;
  private transient @Nullable Counter feedback;

  /**
   * How the detector of a constant key is published.
   *
   * @param name name of the detector
   * @param schedule when; by instances or by time
   * @param lineage of the newest version that was published before; empty if none is known
   * @param version its number: versions of the same line are numbered from there on
   */
  public record Publishing(String name, Schedule schedule, String lineage, long version)
      implements Serializable {}

  /**
   * Creates the function.
   *
   * @param start file of the detector that each key begins with
   * @param timeToLive of event time after which a silent key is forgotten; zero for never
   * @param publishing how it is published, if there is one key only; null for not at all
   */
  public DetectAnomalies(byte[] start, Duration timeToLive, @Nullable Publishing publishing) {
    this.start = start.clone();
    this.timeToLive = timeToLive;
    this.publishing = publishing;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    identity = RowIdentity.check(context.getOperatorStateStore(), start);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    if (identity != null) {
      identity.save(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    }
  }

  @Override
  public void open(OpenContext context) throws Exception {
    rows = RowDetector.read(start);
    state =
        getRuntimeContext().getState(new ValueStateDescriptor<>("avm-detector", Formats.DETECTOR));
    expiry = KeyExpiry.of(getRuntimeContext(), timeToLive);
    Publishing how = publishing;
    if (how != null) {
      versions = new VersionLine(getRuntimeContext(), how.name, how.lineage, how.version);
    }
    var metrics = getRuntimeContext().getMetricGroup();
    judged = metrics.counter("judged");
    alarms = metrics.counter("alarms");
    fresh = metrics.counter("newDetectors");
    refused = metrics.counter("refusedExamples");
    feedback = metrics.counter("feedback");
  }

  @Override
  public void processElement(Example example, Context context, Collector<Detection> out)
      throws Exception {
    if (state == null
        || judged == null
        || alarms == null
        || fresh == null
        || refused == null
        || feedback == null) {
      throw new IllegalStateException("not open");
    }
    Detector detector = state.value();
    boolean isNew = detector == null;
    if (detector == null) {
      detector = Detector.fromBytes(start);
    }
    Detection detection;
    try {
      detection = example.isLabelled() ? correct(detector, example) : judge(detector, example);
    } catch (RuntimeException e) {
      refused.inc();
      context.output(REFUSED, BadRecord.of(example, e));
      return;
    }
    fresh.inc(isNew ? 1 : 0);
    state.update(detector);
    if (expiry != null) {
      expiry.seen(example.time(), context.timerService());
    }
    if (detection == null) {
      feedback.inc();
    } else {
      judged.inc();
      alarms.inc(detection.alarm() ? 1 : 0);
      RunCounts.judged(getRuntimeContext(), detection.alarm());
      out.collect(detection);
    }
    publishWhenDue(detector, context);
  }

  /** Feedback has no detection. */
  private static @Nullable Detection correct(Detector detector, Example feedback) {
    detector.feedback(feedback.x(), feedback.y() > 0);
    return null;
  }

  /** Explained by what the p-value is computed from, that is before the example is learned. */
  private static Detection judge(Detector detector, Example example) {
    boolean alarm = detector.isAlarm(detector.pValue(example.x()));
    List<AnomalyExplanation.Feature> why =
        alarm ? detector.explain(example.x(), EXPLAINED).features() : List.of();
    double pValue = detector.detectThenLearn(example.x());
    return new Detection(
        example.id(), example.key(), pValue, detector.lastScore(), alarm, why, example.time());
  }

  /** A timer at the end of event time, which a savepoint does not reach, publishes the last. */
  private void publishWhenDue(Detector detector, Context context) throws Exception {
    Publishing how = publishing;
    if (how == null || versions == null) {
      return;
    }
    Schedule schedule = how.schedule;
    context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
    if (schedule.millis() > 0) {
      long now = context.timerService().currentProcessingTime();
      context
          .timerService()
          .registerProcessingTimeTimer((now / schedule.millis() + 1) * schedule.millis());
    } else if (detector.instances() - versions.published() >= schedule.instances()) {
      publish(detector, context);
    }
  }

  private void publish(Detector detector, Context context) throws Exception {
    if (rows == null || versions == null) {
      throw new IllegalStateException("not open");
    }
    long now = context.timerService().currentProcessingTime();
    byte[] file = new RowDetector(rows.schema(), detector).toBytes();
    context.output(MODELS, versions.next(now, detector.instances(), file));
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Detection> out)
      throws Exception {
    if (state == null) {
      return;
    }
    if (expiry != null && expiry.endsAt(time, context.timerService())) {
      state.clear();
    }
    Detector detector = state.value();
    if (detector != null && versions != null && detector.instances() > versions.published()) {
      publish(detector, context);
    }
  }
}
