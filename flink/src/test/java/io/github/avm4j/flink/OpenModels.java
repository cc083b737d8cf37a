// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink;

import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.InstantiationUtil;

/**
 * A stream of models that does not end, as a topic's: these versions, then the last one again and
 * again. A source that ends while a job is being stopped makes Flink fail that job, because its
 * task declines the savepoint.
 */
public final class OpenModels {
  private OpenModels() {}

  /** The stream, a version each tenth of a second. */
  public static DataStream<ModelVersion> of(
      StreamExecutionEnvironment env, List<ModelVersion> versions) throws IOException {
    byte[][] all = new byte[versions.size()][];
    for (int i = 0; i < all.length; i++) {
      all[i] = InstantiationUtil.serializeToByteArray(Formats.MODEL_VERSION, versions.get(i));
    }
    return env.fromSource(
            new DataGeneratorSource<>(
                i ->
                    InstantiationUtil.deserializeFromByteArray(
                        Formats.MODEL_VERSION, all[(int) Math.min(i, all.length - 1)]),
                1_000_000L,
                RateLimiterStrategy.perSecond(10),
                Formats.MODEL_VERSION.type()),
            WatermarkStrategy.noWatermarks(),
            "models")
        .uid("models")
        .setParallelism(1);
  }
}
