// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.pipeline.RowModel;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The root of the merge tree's merges to versioned files that answer for raw rows. What knows no
 * more than the version before is not published. Metrics: {@code modelVersion}, {@code
 * modelInstances}, {@code modelBytes}.
 */
public final class PublishModel extends KeyedProcessFunction<Integer, ShardUpdate, ModelVersion> {
  private static final long serialVersionUID = 1;

  private final String name;
  private final byte[] start;

  private transient @Nullable RowModel rows;
  private transient @Nullable ValueState<Long> version;
  private transient @Nullable ValueState<Long> published;
  private transient long newest;
  private transient long newestInstances;
  private transient int newestBytes;

  /**
   * Publishes under {@code name}.
   *
   * @param start file whose schema and class names are the model's
   */
  public PublishModel(String name, byte[] start) {
    this.name = name;
    this.start = start.clone();
  }

  @Override
  public void open(OpenContext context) throws Exception {
    rows = RowModel.read(start);
    version = getRuntimeContext().getState(new ValueStateDescriptor<>("version", Types.LONG));
    published = getRuntimeContext().getState(new ValueStateDescriptor<>("published", Types.LONG));
    getRuntimeContext().getMetricGroup().gauge("modelVersion", () -> newest);
    getRuntimeContext().getMetricGroup().gauge("modelInstances", () -> newestInstances);
    getRuntimeContext().getMetricGroup().gauge("modelBytes", () -> newestBytes);
  }

  @Override
  public void processElement(ShardUpdate update, Context context, Collector<ModelVersion> out)
      throws Exception {
    if (rows == null || version == null || published == null) {
      throw new IllegalStateException("not open");
    }
    Long before = published.value();
    if (before == null ? update.instances() == 0 : update.instances() <= before) {
      return;
    }
    Long last = version.value();
    newest = last == null ? 1 : last + 1;
    newestInstances = update.instances();
    byte[] file = file(rows, update.learner());
    newestBytes = file.length;
    version.update(newest);
    published.update(newestInstances);
    out.collect(new ModelVersion(name, newest, newestInstances, file));
  }

  private static byte[] file(RowModel rows, byte[] learner) throws Exception {
    return new RowModel(
            rows.schema(), rows.target(), rows.classNames(), LearnerFormat.read(learner).snapshot())
        .toBytes();
  }
}
