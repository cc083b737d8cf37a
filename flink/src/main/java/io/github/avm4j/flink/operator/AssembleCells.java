// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.Avm;
import io.github.avm4j.flink.record.CellUpdate;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the newest models of all cells into versioned files of the whole model, or sends only
 * the parts that changed ({@link io.github.avm4j.pipeline.CellManifest}). The models are state. A
 * version is made by the schedule, and once more when the input ends if something is new. Keyed by
 * a constant. Metrics: those of {@link PublishModel}, {@code cells} that have published, and {@code
 * leadingCells} whose own learner predicts.
 *
 * <p>A whole model must fit one file (1 GiB) and one Kafka record; with parts, each part must.
 */
public final class AssembleCells extends KeyedProcessFunction<Integer, CellUpdate, ModelVersion> {
  private static final long serialVersionUID = 1;

  private final String name;
  private final CellStart start;
  private final Schedule schedule;
  private final String seenLineage;
  private final long seenVersion;
  private final boolean everywhere;
  private final String parts;
  private final ArrayList<String> listed;

  /** Identifies a start of the job: stable over failures, new at each submission. */
  private final String launch = UUID.randomUUID().toString();

  private transient @Nullable RowModel rows;
  private transient @Nullable CellPlan plan;
  private transient long begun;
  private transient @Nullable MapState<Integer, CellUpdate> cells;

  private transient @Nullable VersionLine versions;
  private transient @Nullable CellPublication publication;
  private transient Map<Integer, Model> read = Map.of();
  private transient long total;
  private transient int known;

  /**
   * Publishes under {@code name}.
   *
   * @param name name of the model
   * @param start the plan
   * @param schedule when to publish
   * @param seenLineage of the newest version that was published before; empty if none is known
   * @param seenVersion its number: versions of the same line are numbered from there on
   * @param everywhere whether all outputs hold that version as their newest
   * @param parts names the outputs if they get parts; empty if they get wholes
   * @param listed keys of the parts that the newest version lists which was published before
   */
  public AssembleCells(
      String name,
      CellStart start,
      Schedule schedule,
      String seenLineage,
      long seenVersion,
      boolean everywhere,
      String parts,
      List<String> listed) {
    this.name = name;
    this.start = start;
    this.schedule = schedule;
    this.seenLineage = seenLineage;
    this.seenVersion = seenVersion;
    this.everywhere = everywhere;
    this.parts = parts;
    this.listed = new ArrayList<>(listed);
  }

  @Override
  public void open(OpenContext context) throws Exception {
    rows = RowModel.read(start.model());
    plan = start.plan();
    begun = start.rows();
    read = new HashMap<>();
    total = -1;
    cells =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>("avm-cells", Types.INT, Formats.CELL_UPDATE.type()));
    versions = new VersionLine(getRuntimeContext(), name, seenLineage, seenVersion);
    if (!parts.isEmpty()) {
      publication = new CellPublication(getRuntimeContext(), name, start, launch, parts, listed);
    }
    getRuntimeContext().getMetricGroup().gauge("cells", () -> known);
    getRuntimeContext().getMetricGroup().gauge("leadingCells", this::leading);
  }

  private int leading() {
    return publication == null ? read.size() : publication.models();
  }

  @Override
  public void processElement(CellUpdate update, Context context, Collector<ModelVersion> out)
      throws Exception {
    if (cells == null || versions == null) {
      throw new IllegalStateException("not open");
    }
    restore(cells);
    CellUpdate before = cells.get(update.cell());
    cells.put(update.cell(), update);
    take(update);
    known += before == null ? 1 : 0;
    total += update.instances() - (before == null ? 0 : before.instances());
    context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
    if (schedule.millis() > 0) {
      long now = context.timerService().currentProcessingTime();
      context
          .timerService()
          .registerProcessingTimeTimer((now / schedule.millis() + 1) * schedule.millis());
    } else if (begun + total - Math.max(begun, versions.published()) >= schedule.instances()) {
      publish(context.timerService().currentProcessingTime(), out);
    }
  }

  /** Reads the state once after a start. */
  private void restore(MapState<Integer, CellUpdate> all) throws Exception {
    if (total < 0) {
      total = 0;
      known = 0;
      for (CellUpdate update : all.values()) {
        total += update.instances();
        known++;
        take(update);
      }
    }
  }

  private void take(CellUpdate update) throws Exception {
    if (publication != null) {
      publication.take(update);
    } else if (update.model().length == 0) {
      read.remove(update.cell());
    } else {
      read.put(update.cell(), Avm.modelFromBytes(update.model()));
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<ModelVersion> out)
      throws Exception {
    if (cells == null || versions == null) {
      throw new IllegalStateException("not open");
    }
    restore(cells);
    if (begun + total > versions.published()) {
      publish(context.timerService().currentProcessingTime(), out);
    }
  }

  private void publish(long now, Collector<ModelVersion> out) throws Exception {
    if (rows == null || plan == null || versions == null || cells == null) {
      throw new IllegalStateException("not open");
    }
    if (publication != null) {
      boolean held = everywhere && versions.isNewestSeen();
      publication.publish(cells::get, versions, held, now, begun + total, out);
      return;
    }
    List<@Nullable Model> models = new ArrayList<>();
    for (int cell = 0; cell < plan.size(); cell++) {
      models.add(read.get(cell));
    }
    Model whole = plan.model(models, begun + total);
    RowModel file = new RowModel(rows.schema(), rows.target(), rows.classNames(), whole);
    out.collect(versions.next(now, begun + total, file.toBytes()));
  }
}
