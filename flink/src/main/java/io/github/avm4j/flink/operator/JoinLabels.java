// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Joins examples with labels that arrive separately, by id and within a bound of event time. Either
 * may come first. An example whose label does not come in time goes to {@link #UNLABELLED}, a label
 * whose example is not there (in time, or a second time) to {@link #LATE}; both are counted and
 * nothing is dropped.
 *
 * <p>Where labels are asked for, an example without one is passed on as it arrives, to be
 * predicted, and a second time when its label is there. One whose label does not come is counted,
 * and that is all: most are not asked for.
 *
 * <p>Keeps every open example and label as keyed state until it is joined or the watermark passes
 * its time plus the bound. Metrics: {@code joined}, {@code unlabelled}, {@code lateLabels}.
 */
public final class JoinLabels extends KeyedCoProcessFunction<String, Example, Example, Example> {
  /** Examples without a label in time. */
  public static final OutputTag<Example> UNLABELLED =
      new OutputTag<>("unlabelled", Formats.EXAMPLE.type());

  /** Labels (examples whose features mean nothing) without an open example. */
  public static final OutputTag<Example> LATE =
      new OutputTag<>("late-labels", Formats.EXAMPLE.type());

  private static final long serialVersionUID = 1;

  private final long bound;
  private final boolean asks;

  private transient @Nullable ValueState<Example> example;
  private transient @Nullable ValueState<Example> label;
  private transient @Nullable Counter joined;
  private transient @Nullable Counter unlabelled;
  private transient @Nullable Counter late;

  /**
   * Waits that long for the label of an example, or the example of a label.
   *
   * @param bound longest time between an example and its label
   */
  public JoinLabels(Duration bound) {
    this(bound, false);
  }

  /**
   * Waits that long for the label of an example, or the example of a label.
   *
   * @param bound longest time between an example and its label
   * @param asks whether examples are passed on before their label is there, too
   */
  public JoinLabels(Duration bound, boolean asks) {
    if (bound.isNegative() || bound.isZero()) {
      throw new IllegalArgumentException("the bound must be > 0, was " + bound);
    }
    this.bound = bound.toMillis();
    this.asks = asks;
  }

  @Override
  public void open(OpenContext context) {
    example =
        getRuntimeContext().getState(new ValueStateDescriptor<>("example", Formats.EXAMPLE.type()));
    label =
        getRuntimeContext().getState(new ValueStateDescriptor<>("label", Formats.EXAMPLE.type()));
    joined = getRuntimeContext().getMetricGroup().counter("joined");
    unlabelled = getRuntimeContext().getMetricGroup().counter("unlabelled");
    late = getRuntimeContext().getMetricGroup().counter("lateLabels");
  }

  @Override
  public void processElement1(Example arrived, Context context, Collector<Example> out)
      throws Exception {
    Example waiting = label().value();
    if (waiting != null) {
      label().clear();
      forget(waiting, context);
      join(arrived, waiting, out);
      return;
    }
    Example before = example().value();
    if (before != null) {
      forget(before, context);
      drop(before, UNLABELLED, unlabelled, context);
    }
    if (isPast(arrived, context)) {
      drop(arrived, UNLABELLED, unlabelled, context);
      example().clear();
      return;
    }
    example().update(arrived);
    context.timerService().registerEventTimeTimer(arrived.time() + bound);
    if (asks) {
      out.collect(arrived);
    }
  }

  @Override
  public void processElement2(Example arrived, Context context, Collector<Example> out)
      throws Exception {
    Example waiting = example().value();
    if (waiting != null) {
      example().clear();
      forget(waiting, context);
      join(waiting, arrived, out);
      return;
    }
    Example before = label().value();
    if (before != null) {
      forget(before, context);
      drop(before, LATE, late, context);
    }
    if (isPast(arrived, context)) {
      drop(arrived, LATE, late, context);
      label().clear();
      return;
    }
    label().update(arrived);
    context.timerService().registerEventTimeTimer(arrived.time() + bound);
  }

  /** Nothing is to be done at its time: a timer is state, too. */
  private void forget(Example waited, Context context) {
    context.timerService().deleteEventTimeTimer(waited.time() + bound);
  }

  private boolean isPast(Example arrived, Context context) {
    return arrived.time() + bound <= context.timerService().currentWatermark();
  }

  private void join(Example features, Example labelled, Collector<Example> out) {
    if (joined != null) {
      joined.inc();
    }
    out.collect(features.withLabel(labelled.y()));
  }

  private static void drop(
      Example one, OutputTag<Example> tag, @Nullable Counter counter, Context context) {
    if (counter != null) {
      counter.inc();
    }
    context.output(tag, one);
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Example> out) throws Exception {
    Example waiting = example().value();
    if (waiting != null && waiting.time() + bound <= time) {
      example().clear();
      if (!asks) {
        drop(waiting, UNLABELLED, unlabelled, context);
      } else if (unlabelled != null) {
        unlabelled.inc();
      }
    }
    Example early = label().value();
    if (early != null && early.time() + bound <= time) {
      label().clear();
      drop(early, LATE, late, context);
    }
  }

  private ValueState<Example> example() {
    return opened(example);
  }

  private ValueState<Example> label() {
    return opened(label);
  }

  private static <T> T opened(@Nullable T state) {
    if (state == null) {
      throw new IllegalStateException("not open");
    }
    return state;
  }
}
