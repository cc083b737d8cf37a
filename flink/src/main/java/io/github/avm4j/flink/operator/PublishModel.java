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
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the merges of the merge tree's root as versioned model files that predict raw rows. A
 * merge without new instances is not published. If enabled, the same versions as learners' files,
 * which can continue learning, go to the side output {@link #LEARNERS}.
 *
 * <p>The {@link Lineage} begins with the first version and is state, as the version number is.
 * Metrics: {@code modelVersion}, {@code modelInstances}, {@code modelBytes}.
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
  private transient @Nullable VersionLine versions;

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
    versions = new VersionLine(getRuntimeContext(), name, seenLineage, seenVersion);
  }

  @Override
  public void processElement(ShardUpdate update, Context context, Collector<ModelVersion> out)
      throws Exception {
    if (rows == null || versions == null) {
      throw new IllegalStateException("not open");
    }
    if (update.instances() <= versions.published()) {
      return;
    }
    RowLearner learner = rows(rows, Learner.fromBytes(update.learner()));
    long now = context.timerService().currentProcessingTime();
    ModelVersion next = versions.next(now, update.instances(), learner.snapshot().toBytes());
    out.collect(next);
    if (learners) {
      context.output(
          LEARNERS,
          new ModelVersion(
              name, next.lineage(), next.version(), next.instances(), learner.toBytes()));
    }
  }

  private static RowLearner rows(RowModel like, Learner learner) {
    RowLearner rows = new RowLearner(like.schema(), like.target(), learner);
    like.classNames().forEach(rows.names()::add);
    return rows;
  }
}
