// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.flink.record.ModelVersion;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Numbers the versions of a model. The {@link Lineage} begins with the first version and is keyed
 * state, as the newest number and its instances are. Metrics: {@code modelVersion}, {@code
 * modelInstances}, {@code modelBytes}.
 */
final class VersionLine {
  private final RuntimeContext context;
  private final String name;
  private final String seenLineage;
  private final long seenVersion;
  private final ValueState<Long> version;
  private final ValueState<Long> published;
  private final ValueState<String> lineage;
  private long newest;
  private long newestInstances;
  private long newestBytes;

  /**
   * Opens the state in the context of a function.
   *
   * @param name name of the model
   * @param seenLineage of the newest version that was published before; empty if none is known
   * @param seenVersion its number: versions of the same line are numbered from there on
   */
  VersionLine(RuntimeContext context, String name, String seenLineage, long seenVersion) {
    this.context = context;
    this.name = name;
    this.seenLineage = seenLineage;
    this.seenVersion = seenVersion;
    version = context.getState(new ValueStateDescriptor<>("version", Types.LONG));
    published = context.getState(new ValueStateDescriptor<>("published", Types.LONG));
    lineage = context.getState(new ValueStateDescriptor<>("lineage", Types.STRING));
    context.getMetricGroup().gauge("modelVersion", () -> newest);
    context.getMetricGroup().gauge("modelInstances", () -> newestInstances);
    context.getMetricGroup().gauge("modelBytes", () -> newestBytes);
  }

  /** Instances of the newest version; 0 before the first. */
  long published() throws Exception {
    Long before = published.value();
    return before == null ? 0 : before;
  }

  /** Whether the newest version is the one that was found published when the job was started. */
  boolean isNewestSeen() throws Exception {
    Long last = version.value();
    return last != null && last == seenVersion && seenLineage.equals(lineage.value());
  }

  /**
   * The next version.
   *
   * @param now processing time
   */
  ModelVersion next(long now, long instances, byte[] file) throws Exception {
    return next(now, instances, file, file.length);
  }

  /**
   * The next version.
   *
   * @param now processing time
   * @param bytes of the model, where the file is not all of it
   */
  ModelVersion next(long now, long instances, byte[] file, long bytes) throws Exception {
    String line = lineage.value();
    if (line == null) {
      line = Lineage.begin(now);
      lineage.update(line);
    }
    Long last = version.value();
    long numbered = last == null ? 0 : last;
    newest = (line.equals(seenLineage) ? Math.max(seenVersion, numbered) : numbered) + 1;
    newestInstances = instances;
    newestBytes = bytes;
    version.update(newest);
    published.update(instances);
    RunCounts.model(context);
    return new ModelVersion(name, line, newest, instances, file);
  }
}
