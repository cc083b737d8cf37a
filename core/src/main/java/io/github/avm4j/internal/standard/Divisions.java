// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.cells.KMeans;
import io.github.avm4j.internal.cells.TreeGrowth;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.partition.Centres;
import io.github.avm4j.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The divisions of the space in force, two at most, and when the next is made: of all rows kept,
 * anew, whenever the stream is four times as long. Cutting anew is what makes cells good; cells
 * that are split one by one, where that pays, never correct the first cuts, which were made on few
 * rows (randomtree: 14 % of mistakes instead of 11).
 *
 * <p>The first time the space is divided twice: around centres and by a tree on the targets. Which
 * of the two is better over all says how it is divided from then on; both are needed (kin40k loses
 * 11 % of its error without centres, randomtree 40 without trees).
 */
final class Divisions {
  private static final long FIRST = 3000;
  private static final int FIRST_CELLS = 16;
  private static final int GROWTH = 4;
  private static final int MOST = 2;

  /** By what share of the loss more than centres a tree must gain. */
  private static final double BIAS = 0.1;

  /** Where a cell learns alone, what is outside of it gets one row in so many. */
  private static final int OUTSIDE = 8;

  private final Task task;
  private final List<Division> list = new ArrayList<>();
  private final Cell[] met = new Cell[MOST];
  private long next = FIRST;
  private int count = FIRST_CELLS;
  private long turn;

  Divisions(Task task) {
    this.task = task;
  }

  /**
   * Finds the cells of a row.
   *
   * @param mayBeAlone whether one of them may learn it alone
   * @return the division whose cell predicts and learns it before all others do; −1 if the whole
   *     does
   */
  int meet(FeatureVector x, boolean mayBeAlone) {
    int alone = -1;
    for (int i = 0; i < list.size(); i++) {
      met[i] = list.get(i).at(x);
      alone = mayBeAlone && met[i].isAlone(list.get(i).isTrusted()) ? i : alone;
    }
    return alone >= 0 && ++turn % OUTSIDE != 0 ? alone : -1;
  }

  /** The cell met in a division. */
  Cell met(int division) {
    return met[division];
  }

  /** The newest cell that leads where x is; null if none does. */
  @Nullable Cell leading(FeatureVector x) {
    for (int i = list.size() - 1; i >= 0; i--) {
      Cell cell = list.get(i).at(x);
      if (cell.leads()) {
        return cell;
      }
    }
    return null;
  }

  Division get(int division) {
    return list.get(division);
  }

  int size() {
    return list.size();
  }

  boolean isDue(long row) {
    return row >= next;
  }

  /** Divides the rows. */
  void divide(RecentRows rows, Whole whole) {
    boolean first = next == FIRST;
    boolean second = next == FIRST * GROWTH;
    next *= GROWTH;
    int cells = count;
    count *= GROWTH;
    if (!list.isEmpty() && list.stream().allMatch(Division::isUseless)) {
      return;
    }
    List<StoredInstances.Kept> all = rows.last(rows.size());
    boolean byTree = !first && gain(true) > gain(false) + BIAS;
    List<Division> before = List.copyOf(list);
    if (first || !byTree) {
      add(around(all, whole, cells), all, whole);
    }
    if (first || byTree) {
      add(TreeGrowth.grow(task, all, cells), all, whole);
    }
    boolean made = list.size() > before.size();
    if (made && list.size() > MOST) {
      // Of the first two the kind that lost goes, later the older.
      list.remove(second && before.get(1).isTree() != byTree ? 1 : 0);
    }
  }

  private void add(@Nullable Partition partition, List<StoredInstances.Kept> rows, Whole whole) {
    if (partition != null) {
      list.add(new Division(partition, rows, whole));
    }
  }

  private double gain(boolean trees) {
    double most = Double.NEGATIVE_INFINITY;
    for (Division one : list) {
      most = one.isTree() == trees ? Math.max(most, one.gain()) : most;
    }
    return most == Double.NEGATIVE_INFINITY && !trees ? 0 : most;
  }

  private static @Nullable Partition around(
      List<StoredInstances.Kept> rows, Whole whole, int count) {
    View view = whole.leader().view();
    CoreSet points = KMeans.ofSample(RecentRows.vectors(rows), view.scaling(), count);
    return points == null ? null : new Centres(view.scaling(), points);
  }

  /** Cells of all divisions whose expert predicts. */
  int leading() {
    return list.stream().mapToInt(Division::leading).sum();
  }

  /** Core points of their experts. */
  int corePoints() {
    return list.stream().mapToInt(Division::corePoints).sum();
  }
}
