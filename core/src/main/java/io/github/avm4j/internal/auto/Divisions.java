// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The divisions of the space in force, two of them once the first were compared, and when the next
 * is made. The newest that has a leading cell predicts a row. A division is made of all rows kept,
 * anew, whenever the stream is four times as long. Cutting anew is what makes cells good; cells
 * that are split one by one, where that pays, never correct the first cuts, which were made on few
 * rows (randomtree: 14 % of mistakes instead of 11).
 *
 * <p>The first time the space is divided in three ways: around centres of features scaled as the
 * whole does, by a tree on the targets, and around centres of features as they are. What is better
 * over all says how it is divided from then on. All three are needed: kin40k loses 11 % of its
 * error without the first, randomtree 40 without trees, and covtype 52 without the third, because
 * places that are near to each other on the map are alike in what no feature says.
 */
final class Divisions {
  private static final long FIRST = 3000;
  private static final int FIRST_CELLS = 16;
  private static final int GROWTH = 4;

  /** Divisions in force, and how many there are at first: one of each kind. */
  private static final int LEVELS = 2;

  static final int MOST = LEVELS + 1;

  /** Far more than cells can be. */
  private static final int MOST_COUNT = 1 << 24;

  /** By what share of the loss more than centres of scaled features a tree must gain. */
  private static final double BIAS = 0.1;

  /** Where a cell learns alone, the whole and older divisions get one row in so many. */
  private static final int OUTSIDE = 8;

  private final Setup setup;
  private final List<Division> list = new ArrayList<>();
  private final Cell[] met = new Cell[MOST];
  private long next = FIRST;
  private int count = FIRST_CELLS;
  private long turn;

  /** What is being made; null if nothing is. */
  private @Nullable Draft draft;

  /** Whether a cell may ask for an expert. */
  private boolean asked;

  Divisions(Setup setup) {
    this.setup = setup;
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
    return row >= next && !setup.isBounded();
  }

  /** Begins to divide the rows. */
  void divide(RecentRows rows, Whole whole) {
    boolean first = next == FIRST;
    next *= GROWTH;
    int cells = Math.min(count, setup.config().cells());
    boolean more = count == FIRST_CELLS || cells > count / GROWTH;
    count = Math.min(MOST_COUNT, GROWTH * count);
    if (!more || cells < 2 || draft != null) {
      return;
    }
    if (!list.isEmpty() && list.stream().allMatch(Division::isUseless)) {
      return;
    }
    Scaling scaling = whole.leader().view().scaling();
    if (first) {
      boolean raw = setup.choosesScaling() && !scaling.isIdentity() && mayBeUnscaled(rows);
      draft = Draft.of(setup, rows, cells, scaling, true, raw);
      return;
    }
    boolean raw = list.stream().anyMatch(one -> one.isRaw() && one.isTrusted());
    double trees = gain(Division::isTree, Double.NEGATIVE_INFINITY);
    boolean tree = !raw && trees > gain(Division::isScaled, 0) + BIAS;
    draft = Draft.of(setup, rows, cells, raw ? Scaling.none() : tree ? null : scaling, tree, false);
  }

  private static boolean mayBeUnscaled(RecentRows rows) {
    return View.mayBeUnscaled(RecentRows.vectors(rows.last(rows.size())));
  }

  /** Goes on with divisions and with the experts of cells, as far as there is room with a row. */
  void goOn(Whole whole) {
    @Nullable Draft now = draft;
    if (now != null && now.goOn()) {
      take(now.made());
      draft = null;
    }
    for (int i = 0; asked && setup.mayGoOn(i); i++) {
      choose(whole);
    }
  }

  /** Takes in the first ones together; later a new one, in the place of what is worth less. */
  void take(List<Division> made) {
    if (made.isEmpty()) {
      return; // no rows that can be divided so
    }
    boolean compared = list.size() > 1 && list.get(1).size() <= FIRST_CELLS;
    if (compared) {
      // Of the first ones the kinds that lost go, later the oldest.
      list.removeIf(one -> !one.isOfKind(made.get(0)));
    } else if (list.size() == LEVELS) {
      list.remove(0);
    }
    list.addAll(made);
  }

  /** A row came to a cell without an expert. */
  void store(Cell cell, FeatureVector x, double y, double weight) {
    if (!cell.isClosed()) {
      cell.store(x.copy(), y, weight);
      asked |= cell.ask();
    }
  }

  /** One after the other is chosen, so that few candidates are there: first where most rows are. */
  private void choose(Whole whole) {
    @Nullable Cell asking =
        list.stream().flatMap(Division::asking).max(Comparator.comparing(Cell::claim)).orElse(null);
    asked = asking != null;
    if (asking != null) {
      asking.choose(whole, setup);
    }
  }

  /** The largest gain of divisions of a kind. */
  private double gain(Predicate<Division> kind, double otherwise) {
    return list.stream().filter(kind).mapToDouble(Division::gain).max().orElse(otherwise);
  }

  /** Cells of all divisions whose expert predicts. */
  int leading() {
    return list.stream().mapToInt(Division::leading).sum();
  }

  /** Core points of their experts. */
  int corePoints() {
    return list.stream().mapToInt(Division::corePoints).sum();
  }

  /** Number of cells of the newest. */
  int cells() {
    return list.isEmpty() ? 0 : list.get(list.size() - 1).size();
  }

  /** Number of cells of all. */
  long total() {
    long total = 0;
    for (int i = 0; i < list.size(); i++) {
      total += list.get(i).size();
    }
    return total;
  }

  /** How often cells hold the rows kept, at most. */
  int copies() {
    return list.size() + (draft == null ? 0 : MOST);
  }

  /** The divisions of a model, oldest first, without those in which no cell leads. */
  List<Cells> snapshot(long instances) {
    List<Cells> all = new ArrayList<>();
    for (Division one : list) {
      Cells cells = one.snapshot(setup.labels(), instances);
      if (cells != null) {
        all.add(cells);
      }
    }
    return all;
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    return list.stream().mapToLong(one -> one.bytes(counted)).sum()
        + (draft == null ? 0 : draft.bytes(counted));
  }

  /** About their bytes in a file. */
  long fileBytes(Set<View> written) {
    return list.stream().mapToLong(one -> one.fileBytes(written)).sum()
        + (draft == null ? 0 : draft.fileBytes(written));
  }

  void write(StateWriter out) {
    out.i64(next);
    out.i32(count);
    out.i64(turn);
    out.u8(list.size());
    for (Division one : list) {
      one.write(out);
    }
    @Nullable Draft now = draft;
    out.flag(now != null);
    if (now != null) {
      now.write(out);
    }
  }

  static Divisions read(StateReader in, RecentRows rows) throws InvalidModelException {
    Divisions divisions = new Divisions(in.setup());
    divisions.next = in.count("next division");
    divisions.count = in.i32();
    divisions.turn = in.count("turn");
    int size = in.code("divisions", MOST + 1);
    if (divisions.count < FIRST_CELLS || divisions.count > MOST_COUNT) {
      throw new InvalidModelException("a division into " + divisions.count + " cells");
    }
    for (int i = 0; i < size; i++) {
      divisions.list.add(Division.read(in));
    }
    divisions.draft = in.flag("a division in the making") ? Draft.read(in, rows) : null;
    divisions.asked = true;
    return divisions;
  }
}
