// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.Challenge.Verdict;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of the space, its expert, and the expert's challenge against what predicts there without
 * it. The expert begins once there are a few rows: it is chosen among four that are taught them.
 *
 * <p>An expert of a cell knows only the classes that it has met, and sees features as the whole
 * does, scaled to its own rows, or as they are: all of that is worth more than core points (letter,
 * covtype: 5 % of the error, more than twice as many points). Features as they are count for most
 * where cells are around centres of scaled ones (covtype: 13 %), and for 1 % where the centres are
 * of features as they are. It takes the kernel of the whole, relative to distances, or half of it.
 */
final class Cell {
  /** Rows that an expert begins with, at least. */
  private static final int LEAST = 20;

  /** Core points of an expert. */
  static final int BUDGET = 256;

  /** Half of the kernel's width may cost so much: it is better later, with more rows. */
  private static final double HALF_MAY_COST = 1.05;

  /** Looks without predicting before a cell that is worse is closed, in rows. */
  private static final int CLOSED_FROM = 300;

  /** What a candidate's loss must fall below, as a share of the least before, in their order. */
  private static final double[] MUST_REACH = {1, 1, 1, HALF_MAY_COST};

  /** Bytes of objects of a cell, with its part of a tree. */
  private static final int OBJECTS = 512;

  private List<StoredInstances.Kept> rows = new ArrayList<>();
  private Challenge challenge = new Challenge(Rule.CELL);
  private @Nullable Expert expert;
  private @Nullable Search search;
  private boolean leads;
  private boolean closed;

  /** Stores a row before there is an expert; it is nobody else's. */
  void store(FeatureVector x, double y, double weight) {
    rows.add(new StoredInstances.Kept(x, y, weight));
  }

  /** Asks for an expert, if there are rows enough; whether it does. */
  boolean ask() {
    if (search == null && !closed && rows.size() >= LEAST) {
      search = new Search(rows.size());
    }
    return search != null;
  }

  /** Whether it asks for an expert. */
  boolean isAsking() {
    return search != null;
  }

  /** How early it is to have an expert: the one that is being chosen comes first. */
  int claim() {
    return search != null && search.isBegun() ? Integer.MAX_VALUE : rows.size();
  }

  boolean isClosed() {
    return closed;
  }

  /** The expert; null as long as there is none. */
  @Nullable Expert expert() {
    return expert;
  }

  /** Whether the expert predicts in the cell. */
  boolean leads() {
    return leads;
  }

  /**
   * Whether the whole and older divisions are to see few rows of the cell: it leads, has been
   * compared for long enough, and wins by {@link Rule#ALONE}; in a trusted division leading is
   * enough.
   */
  boolean isAlone(boolean trusted) {
    return leads
        && challenge.seen() >= Rule.ALONE.first
        && (trusted || challenge.standardErrors() > Rule.ALONE.wins);
  }

  /**
   * The expert has just learned a row.
   *
   * @param others the error of what predicts without it
   * @param trusted whether the division is better over all
   * @param mayLead whether its cells may predict
   */
  void judge(double others, double own, boolean trusted, boolean mayLead) {
    challenge.observe(others, own);
    Verdict verdict = challenge.verdict(trusted ? Rule.TRUSTED_CELL : Rule.CELL);
    if (verdict == Verdict.WON) {
      leads = mayLead;
    } else if (verdict == Verdict.LOST) {
      leads = false;
      boolean hopeless = challenge.verdict(Rule.ALONE) == Verdict.LOST;
      if (hopeless && !trusted && challenge.seen() >= CLOSED_FROM) {
        closed = true;
        expert = null;
      }
    }
  }

  /** Goes on with the choice of an expert, as far as there is room with this row. */
  void choose(Whole whole, Setup setup) {
    Search now = Objects.requireNonNull(search);
    for (int i = 0; !now.isDone() && setup.mayGoOn(i); i++) {
      now.goOn(whole, setup);
    }
    if (now.isDone()) {
      expert = now.best;
      search = null;
      rows = List.of();
    }
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    long bytes = OBJECTS;
    for (StoredInstances.Kept row : rows) {
      bytes += StoredInstances.bytesOf(row.x());
    }
    if (search != null) {
      bytes += search.experts().stream().mapToLong(one -> one.bytes(counted)).sum();
    }
    return bytes + (expert == null ? 0 : expert.bytes(counted));
  }

  /** About its bytes in a file; twice those of a model that predicts. */
  long fileBytes(Set<View> written) {
    long bytes = 40;
    for (StoredInstances.Kept row : rows) {
      bytes += StoredInstances.bytesOf(row.x()) - FileSize.NOT_IN_FILE;
    }
    if (search != null) {
      bytes +=
          Search.STATE + search.experts().stream().mapToLong(one -> one.fileBytes(written)).sum();
    }
    if (expert == null) {
      return bytes;
    }
    long model = leads ? FileSize.ofModel(expert.engine(), expert.view().scaling()) : 0;
    return bytes + expert.fileBytes(written) + model;
  }

  void write(StateWriter out) {
    out.flag(leads);
    out.flag(closed);
    challenge.write(out);
    out.rows(rows);
    write(out, expert);
    @Nullable Search now = search;
    out.flag(now != null);
    if (now != null) {
      now.write(out);
    }
  }

  private static void write(StateWriter out, @Nullable Expert one) {
    out.flag(one != null);
    if (one != null) {
      one.write(out);
    }
  }

  private static @Nullable Expert readExpert(StateReader in) throws InvalidModelException {
    return in.flag("expert") ? Expert.read(in) : null;
  }

  static Cell read(StateReader in) throws InvalidModelException {
    Cell cell = new Cell();
    cell.leads = in.flag("cell leads");
    cell.closed = in.flag("cell closed");
    cell.challenge = Challenge.read(in);
    cell.rows = new ArrayList<>(in.rows());
    cell.expert = readExpert(in);
    cell.search = in.flag("search") ? cell.readSearch(in) : null;
    boolean has = cell.expert != null;
    if ((cell.leads || !cell.rows.isEmpty()) && cell.leads != has
        || has && (cell.closed || cell.search != null)) {
      throw new InvalidModelException("a cell does not fit together");
    }
    return cell;
  }

  private Search readSearch(StateReader in) throws InvalidModelException {
    Search read = new Search(in.i32());
    read.candidate = in.code("candidate", MUST_REACH.length + 1);
    read.next = in.i32();
    read.sum = in.positive("sum of losses");
    read.least = in.flag("best") ? in.positive("least sum") : read.least;
    read.best = readExpert(in);
    read.current = readExpert(in);
    boolean fits = read.compared > 0 && read.compared <= rows.size();
    boolean chosen = read.candidate == MUST_REACH.length;
    fits &= read.best != null == read.candidate > 0 && (!chosen || read.current == null);
    int from = chosen ? read.compared : 0;
    int to = chosen ? rows.size() : read.current == null ? 1 : read.compared;
    if (!fits || read.next < from || read.next >= to) {
      throw new InvalidModelException("the search of a cell does not fit together");
    }
    return read;
  }

  /**
   * The choice among four candidates by their losses in the second half of the rows. One after the
   * other is taught, as long as it may still be the best, a few rows with each row of the stream:
   * to teach all at once would take hundreds of steps. Then the best learns what came meanwhile.
   */
  private final class Search {
    /** Bytes of a file beside experts. */
    static final int STATE = 40;

    /** Rows that candidates are taught: those that are there when it begins. */
    final int compared;

    int candidate;
    int next;
    double sum;
    double least = Double.POSITIVE_INFINITY;
    @Nullable Expert best;
    @Nullable Expert current;

    Search(int compared) {
      this.compared = compared;
    }

    boolean isBegun() {
      return candidate > 0 || current != null;
    }

    boolean isDone() {
      return candidate == MUST_REACH.length && next == rows.size();
    }

    List<Expert> experts() {
      List<Expert> all = new ArrayList<>();
      if (best != null) {
        all.add(best);
      }
      if (current != null) {
        all.add(current);
      }
      return all;
    }

    /** Teaches a row, or makes a candidate. */
    void goOn(Whole whole, Setup setup) {
      Expert one = candidate == MUST_REACH.length ? best : current;
      if (one == null) {
        current = candidate(whole, setup);
        if (current == null) {
          pass();
        }
        return;
      }
      StoredInstances.Kept row = rows.get(next);
      one.learn(row.x(), row.y(), row.weight(), false);
      sum += next >= compared / 2 ? one.regret() : 0;
      next++;
      if (one == current) {
        judge(one);
      }
    }

    private void judge(Expert one) {
      double most = MUST_REACH[candidate] * least;
      if (next == compared || sum >= most) {
        if (sum < most) {
          least = sum;
          best = one;
        }
        pass();
      }
    }

    private void pass() {
      current = null;
      candidate++;
      next = candidate == MUST_REACH.length ? compared : 0;
      sum = 0;
    }

    /** In the view of the whole; scaled to its own rows; features as they are; half as wide. */
    private @Nullable Expert candidate(Whole whole, Setup setup) {
      Expert leader = whole.leader();
      Shape shape = leader.shape();
      if (candidate == 0) {
        return candidate(whole, setup, leader.view(), leader.median(), shape);
      }
      List<FeatureVector> vectors = RecentRows.vectors(rows.subList(0, compared));
      if (candidate < MUST_REACH.length - 1) {
        boolean raw = candidate == 2;
        if (raw && !(setup.choosesScaling() && View.mayBeUnscaled(vectors))) {
          return null;
        }
        View view = raw ? View.unscaled() : leader.view().refitted(vectors, setup);
        return candidate(whole, setup, view, view.median(vectors), shape);
      }
      Expert before = Objects.requireNonNull(best);
      return shape.half().equals(shape)
          ? null
          : candidate(whole, setup, before.view(), before.median(), shape.half());
    }

    private Expert candidate(Whole whole, Setup setup, View view, double median, Shape shape) {
      SecondOrderConfig settings = whole.settings();
      int budget = Math.min(BUDGET, settings.budget());
      SecondOrderConfig own = settings.toBuilder().budget(budget).build().withLabels(List.of());
      Expert leader = whole.leader();
      return Expert.of(shape, view, median, leader.intercept(), own, setup).warned(leader);
    }

    void write(StateWriter out) {
      out.i32(compared);
      out.u8(candidate);
      out.i32(next);
      out.f64(sum);
      out.flag(best != null);
      if (best != null) {
        out.f64(least);
      }
      Cell.write(out, best);
      Cell.write(out, current);
    }
  }
}
