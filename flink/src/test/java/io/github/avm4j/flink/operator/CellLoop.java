// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.Example;
import io.github.avm4j.learner.CellLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a job of mode cells does, as a plain loop over its rows. */
public final class CellLoop {
  private final CellStart start;
  private final CellPlan plan;
  private final List<CellLearner> learners = new ArrayList<>();

  /** All cells as they begin. */
  public CellLoop(CellStart start) throws IOException {
    this.start = start;
    this.plan = start.plan();
    CellStart.Beginnings beginnings = start.beginnings(plan);
    for (int cell = 0; cell < plan.size(); cell++) {
      learners.add(beginnings.of(cell));
    }
  }

  /** The cell of a row. */
  public int cellOf(Example row) {
    return plan.cellOf(row.x());
  }

  /** The learner of a row's cell. */
  CellLearner learner(Example row) {
    return learners.get(cellOf(row));
  }

  /** Learns from a row; its prediction before. */
  public double learn(Example row) {
    return learner(row).predictThenLearn(row.x(), row.y(), row.weight());
  }

  /** The file that is published of it. */
  public byte[] file(long instances) throws IOException {
    List<@Nullable Model> models = new ArrayList<>();
    learners.forEach(learner -> models.add(learner.model()));
    RowModel like = RowModel.read(start.model());
    Model whole = plan.model(models, instances);
    return new RowModel(like.schema(), like.target(), like.classNames(), whole).toBytes();
  }
}
