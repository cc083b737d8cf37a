// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.partition.Partition;
import io.github.avm4j.partition.SplitTree;
import java.util.Arrays;
import java.util.List;

/**
 * The space divided into cells, and whether it is better over all that their experts predict where
 * they lead: then each of them needs less evidence.
 */
final class Division {
  /** A division of which a smaller share leads, and which is worse, is worth no other. */
  private static final double FEW = 0.05;

  private final Partition partition;
  private final Cell[] cells;
  private final Challenge pooled = new Challenge(Rule.DIVISION);

  /**
   * Divides rows and lets experts begin.
   *
   * @param whole the expert of the whole space, which counts their work
   */
  Division(Partition partition, List<StoredInstances.Kept> rows, Whole whole) {
    this.partition = partition;
    this.cells = new Cell[partition.size()];
    Arrays.setAll(cells, i -> new Cell());
    for (StoredInstances.Kept row : rows) {
      at(row.x()).store(row.x(), row.y(), row.weight());
    }
    for (Cell cell : cells) {
      if (cell.isReady()) {
        whole.count(cell.begin(whole.leader(), whole.settings()), false);
      } else {
        cell.keep();
      }
    }
  }

  Cell at(FeatureVector x) {
    return cells[partition.indexOf(x)];
  }

  boolean isTree() {
    return partition instanceof SplitTree;
  }

  /** The expert of a cell has just learned a row, with or without predicting it. */
  void judge(Cell cell, double others, double own) {
    pooled.observe(others, own);
    cell.judge(others, own, isTrusted());
  }

  /** Whether its experts are better over all than what predicts without them. */
  boolean isTrusted() {
    return pooled.verdict() == Challenge.Verdict.WON;
  }

  /** Whether its experts are worse and hardly any leads. */
  boolean isUseless() {
    return pooled.verdict() == Challenge.Verdict.LOST && leading() < FEW * cells.length;
  }

  /** By how much its experts lower the loss, as a share of it. */
  double gain() {
    return pooled.share();
  }

  int size() {
    return cells.length;
  }

  /** Cells whose expert predicts. */
  int leading() {
    return (int) Arrays.stream(cells).filter(Cell::leads).count();
  }

  /** Core points of experts that predict. */
  int corePoints() {
    int points = 0;
    for (Cell cell : cells) {
      Expert expert = cell.expert();
      points += expert != null && cell.leads() ? expert.engine().size() : 0;
    }
    return points;
  }
}
