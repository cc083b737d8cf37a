// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.ModelVersionSerializer;
import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.learner.Learner;
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
 * on learning, are on the side in {@link #LEARNERS} if asked for.
 *
 * <p>The line of versions ({@link Lineage}) begins with the first one and is state, as their number
 * is. Metrics: {@code modelVersion}, {@code modelInstances}, {@code modelBytes}.
 */
public final class PublishModel extends KeyedProcessFunction<Integer, ShardUpdate, ModelVersion> {
  /** Versions as learners' files. */
  public static final OutputTag<ModelVersion> LEARNERS =
      new OutputTag<>("learners", ModelVersionSerializer.TYPE);

  private static final long serialVersionUID = 1;

  private final String name;
  private final byte[] start;
  private final boolean learners;
  private final String seenLineage;
  private final long seenVersion;

  private transient @Nullable RowModel rows;
  private transient @Nullable ValueState<Long> version;
  private transient @Nullable ValueState<Long> published;
  private transient @Nullable ValueState<String> lineage;
  private transient long newest;
  private transient long newestInstances;
  private transient int newestBytes;

  /**
   * Publishes under {@code name}.
   *
   * @param name name of the model
   * @param start file whose schema and class names are the model's
   * @param learners whether learners' files are asked for
   * @param seenLineage of the newest version that was published before; empty if none is known
   * @param seenVersion its number: versions of the same line are numbered from there on
   */
  public PublishModel(
      String name, byte[] start, boolean learners, String seenLineage, long seenVersion) {
    this.name = name;
    this.start = start.clone();
    this.learners = learners;
    this.seenLineage = seenLineage;
    this.seenVersion = seenVersion;
  }

  @Override
  public void open(OpenContext context) throws Exception {
    rows = RowModel.read(start);
    version = getRuntimeContext().getState(new ValueStateDescriptor<>("version", Types.LONG));
    published = getRuntimeContext().getState(new ValueStateDescriptor<>("published", Types.LONG));
    lineage = getRuntimeContext().getState(new ValueStateDescriptor<>("lineage", Types.STRING));
    getRuntimeContext().getMetricGroup().gauge("modelVersion", () -> newest);
    getRuntimeContext().getMetricGroup().gauge("modelInstances", () -> newestInstances);
    getRuntimeContext().getMetricGroup().gauge("modelBytes", () -> newestBytes);
  }

  @Override
  public void processElement(ShardUpdate update, Context context, Collector<ModelVersion> out)
      throws Exception {
    if (rows == null || version == null || published == null || lineage == null) {
      throw new IllegalStateException("not open");
    }
    Long before = published.value();
    if (before == null ? update.instances() == 0 : update.instances() <= before) {
      return;
    }
    String line = lineage.value();
    if (line == null) {
      line = Lineage.begin(context.timerService().currentProcessingTime());
      lineage.update(line);
    }
    Long last = version.value();
    long numbered = last == null ? 0 : last;
    newest = (line.equals(seenLineage) ? Math.max(seenVersion, numbered) : numbered) + 1;
    newestInstances = update.instances();
    RowLearner learner = rows(rows, Learner.fromBytes(update.learner()));
    byte[] file = learner.snapshot().toBytes();
    newestBytes = file.length;
    version.update(newest);
    published.update(newestInstances);
    out.collect(new ModelVersion(name, line, newest, newestInstances, file));
    if (learners) {
      context.output(
          LEARNERS, new ModelVersion(name, line, newest, newestInstances, learner.toBytes()));
    }
  }

  private static RowLearner rows(RowModel like, Learner learner) {
    RowLearner rows = new RowLearner(like.schema(), like.target(), learner);
    like.classNames().forEach(rows.names()::add);
    return rows;
  }
}
