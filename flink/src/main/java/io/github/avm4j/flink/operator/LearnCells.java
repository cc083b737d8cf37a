// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.CellUpdate;
import io.github.avm4j.flink.record.EvaluatedCell;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RoutedExample;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.pipeline.RowModel;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Learns with one learner per cell, in keyed state: predicts each example, then learns from it. The
 * first example of a cell creates its learner, which first learns the plan's rows of that cell.
 *
 * <p>A cell that has changed is published by the schedule, in {@link #UPDATES}, and once more when
 * the input ends: a timer at the end of event time, which a savepoint does not reach. Other
 * outputs: predictions, {@link #SCORES}, {@link #REFUSED}. Metrics: {@code instances}, {@code
 * newCells}, {@code refusedExamples}.
 */
public final class LearnCells extends KeyedProcessFunction<Integer, RoutedExample, Prediction>
    implements CheckpointedFunction {
  /** Models of cells that have changed. */
  public static final OutputTag<CellUpdate> UPDATES =
      new OutputTag<>("cell-updates", Formats.CELL_UPDATE.type());

  /** Prequential scores of cells. */
  public static final OutputTag<WindowScore> SCORES =
      new OutputTag<>("cell-scores", Formats.WINDOW_SCORE.type());

  /** Examples a learner did not accept. */
  public static final OutputTag<BadRecord> REFUSED =
      new OutputTag<>("refused", Formats.BAD_RECORD.type());

  private static final long serialVersionUID = 1;

  private final CellStart start;
  private final Schedule schedule;
  private final long window;
  private final double level;

  private transient @Nullable CellPlan plan;
  private transient CellStart.@Nullable Beginnings beginnings;
  private transient @Nullable RowIdentity identity;
  private transient @Nullable ValueState<EvaluatedCell> state;

  private transient @Nullable Counter instances;
  private transient @Nullable Counter newCells;
  private transient @Nullable Counter refused;
  private transient @Nullable RunCounts counts;

  /**
   * Creates the function for a plan.
   *
   * @param start the plan
   * @param schedule when a cell that has changed is published; a number of instances is divided by
   *     the number of cells
   * @param window instances of a prequential score, over all cells
   * @param level coverage of intervals or prediction sets; 0 for none
   */
  public LearnCells(CellStart start, Schedule schedule, long window, double level) {
    if (window < 1) {
      throw new IllegalArgumentException("window must be >= 1, was " + window);
    }
    this.start = start;
    this.schedule = schedule;
    this.window = window;
    this.level = level;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    List<String> facts = List.of("plan " + Long.toHexString(start.fingerprint()));
    identity = RowIdentity.check(context.getOperatorStateStore(), start.model(), facts);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    if (identity != null) {
      identity.save(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    }
  }

  @Override
  public void open(OpenContext context) throws Exception {
    plan = start.plan();
    beginnings = start.beginnings(plan());
    counts = new RunCounts(getRuntimeContext(), RowModel.read(start.model()).model().task());
    state =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("avm-cell", Formats.EVALUATED_CELL));
    var metrics = getRuntimeContext().getMetricGroup();
    instances = metrics.counter("instances");
    newCells = metrics.counter("newCells");
    refused = metrics.counter("refusedExamples");
  }

  private CellPlan plan() {
    if (plan == null) {
      throw new IllegalStateException("not open");
    }
    return plan;
  }

  @Override
  public void processElement(RoutedExample routed, Context context, Collector<Prediction> out)
      throws Exception {
    if (state == null || instances == null || refused == null) {
      throw new IllegalStateException("not open");
    }
    Example example = routed.example();
    EvaluatedCell before = state.value();
    EvaluatedCell evaluated = before == null ? begin(routed.cell()) : before;
    Prediction prediction;
    try {
      prediction = evaluated.step(example, plan(), level);
    } catch (RuntimeException e) {
      refused.inc();
      context.output(REFUSED, BadRecord.of(example, e));
      return;
    }
    instances.inc();
    if (counts != null) {
      counts.add(example.y(), prediction.value());
    }
    out.collect(prediction);
    if (evaluated.windowInstances() >= share(window)) {
      context.output(SCORES, evaluated.closeWindow(routed.cell(), example.time(), plan()));
    }
    publishWhenDue(evaluated, routed.cell(), context);
    state.update(evaluated);
  }

  @Override
  public void close() {
    if (counts != null) {
      counts.end();
    }
  }

  private EvaluatedCell begin(int cell) {
    if (beginnings == null || newCells == null) {
      throw new IllegalStateException("not open");
    }
    newCells.inc();
    return new EvaluatedCell(beginnings.of(cell));
  }

  /** A cell's part of what is counted over all. */
  private long share(long all) {
    return Math.max(1, all / plan().size());
  }

  private void publishWhenDue(EvaluatedCell evaluated, int cell, Context context) throws Exception {
    context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
    if (schedule.millis() > 0) {
      long now = context.timerService().currentProcessingTime();
      context
          .timerService()
          .registerProcessingTimeTimer((now / schedule.millis() + 1) * schedule.millis());
    } else if (evaluated.instances() - evaluated.published() >= share(schedule.instances())) {
      context.output(UPDATES, evaluated.publish(cell, plan()));
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Prediction> out)
      throws Exception {
    if (state == null) {
      throw new IllegalStateException("not open");
    }
    EvaluatedCell evaluated = state.value();
    if (evaluated == null) {
      return;
    }
    int cell = context.getCurrentKey();
    if (context.timeDomain() == TimeDomain.EVENT_TIME && evaluated.windowInstances() > 0) {
      context.output(SCORES, evaluated.closeWindow(cell, 0, plan()));
    }
    if (evaluated.instances() > evaluated.published()) {
      context.output(UPDATES, evaluated.publish(cell, plan()));
    }
    state.update(evaluated);
  }
}
