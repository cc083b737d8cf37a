// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Divisions in the making: centres or a tree of the rows kept, or one of each kind, then every row
 * goes to its cells, and those that come meanwhile. Each row of the stream brings it on by a few
 * pieces, because all at once would take thousands of steps. All end together: of several kinds the
 * one whose cells began first would look better.
 *
 * <p>A tree that is half grown is not saved: it grows again, of the same rows, by as many pieces.
 * So where rows are about to go, it does without the oldest, and begins again if they went first.
 */
final class Draft {
  /** One row in so many is left out where rows are about to go. */
  private static final int OLDEST = 16;

  private final Setup setup;
  private final RecentRows rows;
  private final int cells;
  private @Nullable KMeans means;

  /** Whether centres of features as they are follow those of scaled ones and a tree. */
  private boolean raw;

  /** Whether a tree is still to grow, the pieces by which it has, and the numbers of its rows. */
  private boolean grows;

  private int pieces;
  private long from;
  private long until;
  private @Nullable TreeGrowth growth;
  private final List<Division> made = new ArrayList<>();

  /** Number of the row that goes to its cells next. */
  private long next;

  private Draft(Setup setup, RecentRows rows, int cells, boolean grows) {
    this.setup = setup;
    this.rows = rows;
    this.cells = cells;
    this.grows = grows;
  }

  /**
   * Begins.
   *
   * @param scaling of rows for centres; null for none
   * @param tree whether a tree grows
   * @param raw whether there are centres of features as they are
   */
  static Draft of(
      Setup setup,
      RecentRows rows,
      int cells,
      @Nullable Scaling scaling,
      boolean tree,
      boolean raw) {
    Draft draft = new Draft(setup, rows, cells, tree);
    draft.raw = raw;
    draft.means = scaling == null ? null : draft.centres(scaling);
    return draft;
  }

  private @Nullable KMeans centres(Scaling scaling) {
    return KMeans.of(this::vector, rows.first(), rows.size(), scaling, cells);
  }

  /** A row that has gone since is replaced by the oldest. */
  private FeatureVector vector(long number) {
    return rows.row(Math.max(number, rows.first())).x();
  }

  /** Goes on as far as there is room with this row; whether it has come to its end. */
  boolean goOn() {
    for (int i = 1; !isDone() && setup.mayGoOn(i); i++) {
      @Nullable KMeans moving = means;
      if (moving == null && grows) {
        grow();
      } else if (moving == null && raw) {
        raw = false;
        means = centres(Scaling.none());
      } else if (moving == null) {
        store();
      } else if (moving.isDone()) {
        made.add(new Division(moving.cells()));
        means = null;
      } else {
        moving.goOn(this::vector);
        setup.pass(moving.work());
      }
    }
    return isDone();
  }

  private boolean isDone() {
    return means == null && !grows && !raw && (made.isEmpty() || next == rows.added());
  }

  private void grow() {
    if (pieces == 0 || rows.first() > from) {
      from = rows.first() + (rows.isFull() ? rows.size() / OLDEST : 0);
      until = rows.added();
      pieces = 0;
      growth = null;
    }
    @Nullable TreeGrowth tree = growth == null ? grown() : growth;
    growth = tree;
    if (tree != null) {
      setup.pass(tree.goOn());
      pieces++;
    }
    if (tree == null || tree.isDone()) {
      @Nullable SplitTree grown = tree == null ? null : tree.tree();
      if (grown != null) {
        made.add(new Division(grown));
      }
      grows = false;
      growth = null;
    }
  }

  private @Nullable TreeGrowth grown() {
    List<StoredInstances.Kept> list = LongStream.range(from, until).mapToObj(rows::row).toList();
    @Nullable TreeGrowth tree = TreeGrowth.of(setup.task(), list, cells);
    for (int i = 0; tree != null && !tree.isDone() && i < pieces; i++) {
      tree.goOn();
    }
    return tree;
  }

  /** Two rows go to their cells, so that they catch up with the stream. */
  private void store() {
    next = Math.max(next, rows.first());
    for (int i = 0; i < 2 && next < rows.added(); i++) {
      StoredInstances.Kept row = rows.row(next++);
      for (Division one : made) {
        one.at(row.x()).store(row.x().copy(), row.y(), row.weight());
        setup.pass((one.isTree() ? 1.0 : cells) * row.x().count());
      }
    }
  }

  /** What was made; none if rows cannot be divided so. */
  List<Division> made() {
    return made;
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    long bytes = means == null ? 0 : means.bytes();
    return bytes + made.stream().mapToLong(one -> one.bytes(counted)).sum();
  }

  /** About its bytes in a file. */
  long fileBytes(Set<View> written) {
    long bytes = means == null ? 0 : means.bytes();
    return bytes + made.stream().mapToLong(one -> one.fileBytes(written)).sum();
  }

  void write(StateWriter out) {
    out.i32(cells);
    out.flag(grows);
    out.flag(raw);
    out.i32(pieces);
    out.i64(Math.max(0, rows.added() - from));
    out.i64(Math.max(0, rows.added() - until));
    @Nullable KMeans moving = means;
    out.flag(moving != null);
    if (moving != null) {
      moving.write(out, rows.added());
    }
    out.u8(made.size());
    for (Division one : made) {
      one.write(out);
    }
    out.i64(rows.added() - Math.max(next, rows.first()));
  }

  static Draft read(StateReader in, RecentRows rows) throws InvalidModelException {
    int cells = in.i32();
    Draft draft = new Draft(in.setup(), rows, cells, in.flag("a tree grows"));
    draft.raw = in.flag("centres of features as they are");
    draft.pieces = in.i32();
    draft.from = rows.added() - in.count("rows of a tree");
    draft.until = rows.added() - in.count("rows after those of a tree");
    draft.means = in.flag("centres") ? KMeans.read(in, rows.added()) : null;
    int made = in.code("divisions made", Divisions.MOST + 1);
    for (int i = 0; i < made; i++) {
      draft.made.add(Division.read(in));
    }
    draft.next = rows.added() - in.count("rows without a cell");
    boolean fits = cells > 1 && cells <= in.setup().config().cells() && rows.size() > 0;
    fits &= draft.pieces >= 0 && draft.from <= draft.until && draft.next >= 0;
    if (!fits || draft.isDone()) {
      throw new InvalidModelException("a division in the making does not fit together");
    }
    return draft;
  }
}
