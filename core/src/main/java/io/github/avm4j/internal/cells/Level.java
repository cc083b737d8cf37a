// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.cells;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Model;
import io.github.avm4j.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole space divided once.
 *
 * @param <E> the kind of the engines
 */
public final class Level<E extends Engine> {
  /** Instances that the losses of all cells are compared over. */
  private static final int WINDOW = 5000;

  private static final double CERTAINTY = 2;

  private static final double BEYOND_DOUBT = 5;

  /** Comparisons before engines of cells are found to be worse in general. */
  private static final int INFERIOR_FROM = 2000;

  /** Instances that the engine of a cell is fitted to. */
  public final int period;

  /** Which cell an instance belongs to. */
  public final Partition partition;

  public final List<Cell<E>> cells;

  /** Of the engines of all cells together against what predicts without them. */
  public final Contest contest = new Contest(2, WINDOW);

  private long storedBytes;
  private int met;
  private final Growth<E> growth;

  /** Cells, one for each of the partition's. */
  public Level(Growth<E> growth, int period, Partition partition, List<Cell<E>> cells) {
    this.growth = growth;
    this.period = period;
    this.partition = partition;
    this.cells = cells;
  }

  /** Whether engines of cells are better in general, by a contest over all of them. */
  static boolean isTrusted(Contest contest) {
    return contest.best(CERTAINTY, 0) == Cell.OWN;
  }

  /** Whether engines of cells are worse in general. */
  static boolean isInferior(Contest contest) {
    return contest.seen() >= INFERIOR_FROM && contest.isWorse(Cell.OWN, BEYOND_DOUBT);
  }

  /** The cell that an instance belongs to. */
  Cell<E> find(FeatureVector x) {
    return cells.get(partition.indexOf(x));
  }

  /** Finds the cell that an instance belongs to, for {@link #met}. */
  Cell<E> meet(FeatureVector x) {
    met = partition.indexOf(x);
    return met();
  }

  /** The cell that the instance at hand belongs to. */
  Cell<E> met() {
    return cells.get(met);
  }

  /**
   * The cell met takes in an instance that the outer engine has learned from.
   *
   * @param prediction of what predicts so far
   * @param scores of what predicts so far; replaced if the cell's engine predicts
   * @return the prediction of the one in charge
   */
  double join(
      FeatureVector x, double y, double weight, double prediction, double[] scores, Engine outer) {
    Cell<E> cell = met();
    if (cell.closed) {
      return prediction;
    }
    if (cell.expert != null) {
      return cell.join(x, y, weight, prediction, scores, outer, contest);
    }
    if (weight > 0) {
      long before = cell.stored.bytes();
      FeatureVector z = Levels.stored(x, partition.isOpenEnded(), partition.dimension());
      cell.stored.add(z, y, weight);
      fitIfFull(cell);
      storedBytes += cell.stored.bytes() - before;
    }
    return prediction;
  }

  /** Gives a cell an engine if it has stored enough instances. */
  private void fitIfFull(Cell<E> cell) {
    if (cell.stored.size() >= period) {
      cell.expert = growth.fit(cell.stored);
      cell.stored.clear();
    }
  }

  /** Hands an instance to the cell that it belongs to. */
  void store(StoredInstances.Kept instance) {
    find(instance.x()).stored.add(instance.x(), instance.y(), instance.weight());
    storedBytes += StoredInstances.bytesOf(instance.x());
  }

  /** Bytes of the instances that cells store. */
  public long storedBytes() {
    return storedBytes;
  }

  /** Takes in that cells were filled by others. */
  public void recount() {
    storedBytes = cells.stream().mapToLong(cell -> cell.stored.bytes()).sum();
  }

  /** The cells of a model: those whose engine predicts have a model; null if none does. */
  @Nullable Cells snapshot() {
    if (cells.stream().noneMatch(Cell::leads)) {
      return null;
    }
    List<@Nullable Model> models = new ArrayList<>();
    for (Cell<E> cell : cells) {
      models.add(cell.leads() ? cell.present().snapshot() : null);
    }
    return new Cells(partition, models);
  }
}
