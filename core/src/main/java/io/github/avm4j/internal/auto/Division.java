// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.format.CellsFormat;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Centres;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Partition;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The space divided into cells, and whether it is better over all that their experts predict where
 * they lead: then each of them needs less evidence.
 */
final class Division {
  /** A division of which a smaller share leads, and which is worse, is worth no other. */
  private static final double FEW = 0.05;

  private final Partition partition;
  private final Cell[] cells;
  private final Challenge pooled;

  /** No cell has a row yet. */
  Division(Partition partition) {
    this(partition, new Cell[partition.size()], new Challenge(Rule.DIVISION));
    Arrays.setAll(cells, i -> new Cell());
  }

  private Division(Partition partition, Cell[] cells, Challenge pooled) {
    this.partition = partition;
    this.cells = cells;
    this.pooled = pooled;
  }

  Cell at(FeatureVector x) {
    return cells[partition.indexOf(x)];
  }

  boolean isTree() {
    return partition instanceof SplitTree;
  }

  /** Whether it is around centres of scaled features. */
  boolean isScaled() {
    return !isTree() && !isRaw();
  }

  /** Whether another is of its kind: a tree, or around centres of features scaled or not. */
  boolean isOfKind(Division other) {
    return isTree() == other.isTree() && isRaw() == other.isRaw();
  }

  /** Whether it is around centres of features as they are. */
  boolean isRaw() {
    return partition instanceof Centres centres && centres.scaling().isIdentity();
  }

  /** Its cells that ask for an expert. */
  Stream<Cell> asking() {
    return Arrays.stream(cells).filter(Cell::isAsking);
  }

  /**
   * The expert of a cell has just learned a row, with or without predicting it. Around centres of
   * features as they are no cell predicts before all are trusted: a feature of large numbers that
   * does not matter divides the space there, and some of many cells look better by chance.
   */
  void judge(Cell cell, double others, double own) {
    pooled.observe(others, own);
    boolean trusted = isTrusted();
    cell.judge(others, own, trusted, trusted || !isRaw());
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

  Challenge evidence() {
    return pooled;
  }

  /** The cells with models of those that lead; null if none does. */
  @Nullable Cells snapshot(Labels labels, long instances) {
    List<@Nullable Model> models = new ArrayList<>();
    for (Cell cell : cells) {
      Expert expert = cell.leads() ? cell.expert() : null;
      models.add(
          expert == null ? null : expert.model(labels, List.of(), expert.engine().instances()));
    }
    return models.stream().allMatch(Objects::isNull) ? null : new Cells(partition, models);
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    long bytes =
        partition instanceof Centres centres
            ? centres.points().bytes() + Scaling.bytes(centres.scaling().dimension())
            : 0;
    for (Cell cell : cells) {
      bytes += cell.bytes(counted);
    }
    return bytes;
  }

  /** About its bytes in a file, in the model and in the state. */
  long fileBytes(Set<View> written) {
    long bytes = (leading() > 0 ? 2 : 1) * FileSize.of(partition);
    for (Cell cell : cells) {
      bytes += cell.fileBytes(written);
    }
    return bytes;
  }

  void write(StateWriter out) {
    CellsFormat.write(out.bytes(), partition);
    pooled.write(out);
    for (Cell cell : cells) {
      cell.write(out);
    }
  }

  static Division read(StateReader in) throws InvalidModelException {
    Partition partition = CellsFormat.readPartition(in.bytes());
    Challenge pooled = Challenge.read(in);
    if (partition.size() > in.setup().config().cells()) {
      throw new InvalidModelException(partition.size() + " cells of a learner of fewer");
    }
    Cell[] cells = new Cell[partition.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = Cell.read(in);
    }
    return new Division(partition, cells, pooled);
  }
}
