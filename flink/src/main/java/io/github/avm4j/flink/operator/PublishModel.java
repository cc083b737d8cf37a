// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.ModelVersionSerializer;
import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * The root of the merge tree's merges to versioned files that answer for raw rows. What knows no
 * more than the version before is not published. The same versions as learners' files, which can go
 * on learning, are on the side in {@link #LEARNERS} if asked for. Metrics: {@code modelVersion},
 * {@code modelInstances}, {@code modelBytes}.
 */
public final class PublishModel extends KeyedProcessFunction<Integer, ShardUpdate, ModelVersion> {
  /** Versions as learners' files. */
  public static final OutputTag<ModelVersion> LEARNERS =
      new OutputTag<>("learners", ModelVersionSerializer.TYPE);

  private static final long serialVersionUID = 1;

  private final String name;
  private final byte[] start;
  private final boolean learners;

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
   * @param learners whether learners' files are asked for
   */
  public PublishModel(String name, byte[] start, boolean learners) {
    this.name = name;
    this.start = start.clone();
    this.learners = learners;
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
    RowLearner learner = rows(rows, LearnerFormat.read(update.learner()));
    byte[] file = learner.snapshot().toBytes();
    newestBytes = file.length;
    version.update(newest);
    published.update(newestInstances);
    out.collect(new ModelVersion(name, newest, newestInstances, file));
    if (learners) {
      context.output(LEARNERS, new ModelVersion(name, newest, newestInstances, learner.toBytes()));
    }
  }

  private static RowLearner rows(RowModel like, Learner learner) {
    RowLearner rows = new RowLearner(like.schema(), like.target(), learner);
    like.classNames().forEach(rows.names()::add);
    return rows;
  }
}
