// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.pipeline.RowLearner;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the states of a learner as versioned model files that predict raw rows. One without new
 * instances is not published. If enabled, the same versions as learners' files, which can continue
 * learning, go to the side output {@link #LEARNERS}. Versions are numbered by {@link VersionLine}.
 */
final class PublishModel extends KeyedProcessFunction<Integer, byte[], ModelVersion> {
  /** Versions as learners' files. */
  static final OutputTag<ModelVersion> LEARNERS =
      new OutputTag<>("learners", Formats.MODEL_VERSION.type());

  private static final long serialVersionUID = 1;

  private final StreamLearning.Settings settings;

  private transient @Nullable VersionLine versions;

  PublishModel(StreamLearning.Settings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) throws Exception {
    versions =
        new VersionLine(getRuntimeContext(), settings.name, settings.lineage, settings.version);
  }

  @Override
  public void processElement(byte[] file, Context context, Collector<ModelVersion> out)
      throws Exception {
    if (versions == null) {
      throw new IllegalStateException("not open");
    }
    RowLearner learner = RowLearner.read(file);
    long instances = learner.learner().instances();
    if (instances <= versions.published()) {
      return;
    }
    long time = context.timerService().currentProcessingTime();
    ModelVersion next = versions.next(time, instances, learner.snapshot().toBytes());
    out.collect(next);
    if (settings.learners) {
      context.output(
          LEARNERS,
          new ModelVersion(next.name(), next.lineage(), next.version(), next.instances(), file));
    }
  }
}
