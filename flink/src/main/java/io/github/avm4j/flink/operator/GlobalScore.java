// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.WindowScore;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Sums the scores of all cells: windows add up until they hold {@code window} instances; totals are
 * the sum of the windows. Keyed by a constant.
 */
public final class GlobalScore extends KeyedProcessFunction<Integer, WindowScore, WindowScore> {
  private static final long serialVersionUID = 1;

  private final long window;

  private transient @Nullable ValueState<WindowScore> open;
  private transient @Nullable MapState<Integer, Integer> sizes;

  /**
   * Sums windows of at least that many instances.
   *
   * @param window number of instances, ≥ 1
   */
  public GlobalScore(long window) {
    this.window = window;
  }

  @Override
  public void open(OpenContext context) {
    open =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("open", Formats.WINDOW_SCORE.type()));
    sizes =
        getRuntimeContext().getMapState(new MapStateDescriptor<>("sizes", Types.INT, Types.INT));
  }

  @Override
  public void processElement(WindowScore score, Context context, Collector<WindowScore> out)
      throws Exception {
    if (open == null || sizes == null) {
      throw new IllegalStateException("not open");
    }
    sizes.put(score.cell(), score.size());
    int size = 0;
    for (int one : sizes.values()) {
      size += one;
    }
    WindowScore before = open.value();
    WindowScore sum =
        before == null
            ? new WindowScore(
                WindowScore.ALL,
                score.windowInstances(),
                score.windowLoss(),
                score.windowInstances(),
                score.windowLoss(),
                size,
                score.time())
            : add(before, score, size);
    if (sum.windowInstances() >= window) {
      out.collect(sum);
      sum =
          new WindowScore(
              WindowScore.ALL, sum.instances(), sum.loss(), 0, 0, sum.size(), sum.time());
    }
    open.update(sum);
  }

  private static WindowScore add(WindowScore sum, WindowScore more, int size) {
    return new WindowScore(
        WindowScore.ALL,
        sum.instances() + more.windowInstances(),
        sum.loss() + more.windowLoss(),
        sum.windowInstances() + more.windowInstances(),
        sum.windowLoss() + more.windowLoss(),
        size,
        Math.max(sum.time(), more.time()));
  }
}
