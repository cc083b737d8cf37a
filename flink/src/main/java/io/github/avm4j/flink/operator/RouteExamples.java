// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.RoutedExample;
import io.github.avm4j.learner.CellPlan;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cell of each example: one distance per cell. Examples that do not have the features of
 * the plan's rows go to {@link #REFUSED}. Metric: {@code refusedExamples}.
 */
public final class RouteExamples extends ProcessFunction<Example, RoutedExample> {
  /** Examples that belong to no cell. */
  public static final OutputTag<BadRecord> REFUSED =
      new OutputTag<>("not-routed", Formats.BAD_RECORD.type());

  private static final long serialVersionUID = 1;

  private final CellStart start;

  private transient @Nullable CellPlan plan;
  private transient @Nullable Counter refused;

  /**
   * Creates the function for a plan.
   *
   * @param start the plan
   */
  public RouteExamples(CellStart start) {
    this.start = start;
  }

  @Override
  public void open(OpenContext context) throws Exception {
    plan = start.plan();
    refused = getRuntimeContext().getMetricGroup().counter("refusedExamples");
  }

  @Override
  public void processElement(Example example, Context context, Collector<RoutedExample> out) {
    if (plan == null || refused == null) {
      throw new IllegalStateException("not open");
    }
    int cell;
    try {
      cell = plan.cellOf(example.x());
    } catch (RuntimeException e) {
      refused.inc();
      context.output(REFUSED, BadRecord.of(example, e));
      return;
    }
    out.collect(new RoutedExample(cell, example));
  }
}
