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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of the space, its expert, and the expert's challenge against what predicts there without
 * it. The expert begins once there are a few rows: it is chosen among four that are taught them.
 *
 * <p>An expert of a cell knows only the classes that it has met, and may scale features to its own
 * rows: both are worth more than core points (letter, covtype: 5 % of the error together, more than
 * twice as many points). It takes the kernel of the whole, relative to distances, or half of it.
 */
final class Cell {
  /** Rows that an expert begins with, at least. */
  private static final int LEAST = 20;

  /** Core points of an expert. */
  static final int BUDGET = 256;

  /** Features without weights must lower the loss to so much. */
  private static final double PLAIN_MUST_REACH = 0.95;

  /** Half of the kernel's width may cost so much: it is better later, with more rows. */
  private static final double HALF_MAY_COST = 1.05;

  /** Looks without predicting before a cell that is worse is closed, in rows. */
  private static final int CLOSED_FROM = 300;

  /** Bytes of objects of a cell, with its part of a tree. */
  private static final int OBJECTS = 512;

  private List<StoredInstances.Kept> rows = new ArrayList<>();
  private Challenge challenge = new Challenge(Rule.CELL);
  private @Nullable Expert expert;
  private boolean leads;
  private boolean closed;

  /** Stores a row before there is an expert. */
  void store(FeatureVector x, double y, double weight) {
    rows.add(new StoredInstances.Kept(x, y, weight));
  }

  /** Stored rows are copied, because others take their arrays. */
  void keep() {
    rows.replaceAll(row -> new StoredInstances.Kept(row.x().copy(), row.y(), row.weight()));
  }

  /** Whether there are rows enough for an expert, and none yet. */
  boolean isReady() {
    return expert == null && !closed && rows.size() >= LEAST;
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

  /** Whether rows of the cell may be learned by its expert alone. */
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
   */
  void judge(double others, double own, boolean trusted) {
    challenge.observe(others, own);
    Verdict verdict = challenge.verdict(trusted ? Rule.TRUSTED_CELL : Rule.CELL);
    if (verdict == Verdict.WON) {
      leads = true;
    } else if (verdict == Verdict.LOST) {
      leads = false;
      boolean hopeless = challenge.verdict(Rule.ALONE) == Verdict.LOST;
      if (hopeless && !trusted && challenge.seen() >= CLOSED_FROM) {
        closed = true;
        expert = null;
      }
    }
  }

  /**
   * Chooses an expert by its losses in the second half of the rows.
   *
   * @param whole the expert of the whole space
   * @param settings of experts
   */
  void begin(Expert whole, SecondOrderConfig settings, Setup setup) {
    Search search = new Search(whole, settings, setup);
    View own = whole.view().refitted(RecentRows.vectors(rows), setup);
    search.attempt(whole.view(), whole.median(), whole.shape(), 1);
    search.attempt(own, whole.shape(), 1);
    if (own.isWeighed()) {
      search.attempt(own.unweighed(), whole.shape(), PLAIN_MUST_REACH);
    }
    @Nullable Expert best = search.best;
    if (best != null && !whole.shape().half().equals(whole.shape())) {
      search.attempt(best.view(), best.median(), whole.shape().half(), HALF_MAY_COST);
    }
    expert = search.best;
    rows = List.of();
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    long bytes = OBJECTS;
    for (StoredInstances.Kept row : rows) {
      bytes += StoredInstances.bytesOf(row.x());
    }
    return bytes + (expert == null ? 0 : expert.bytes(counted));
  }

  /** About its bytes in a file; twice those of a model that predicts. */
  long fileBytes(Set<View> written) {
    long bytes = 40;
    for (StoredInstances.Kept row : rows) {
      bytes += StoredInstances.bytesOf(row.x()) - FileSize.NOT_IN_FILE;
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
    out.flag(expert != null);
    if (expert != null) {
      expert.write(out);
    }
  }

  static Cell read(StateReader in) throws InvalidModelException {
    Cell cell = new Cell();
    cell.leads = in.flag("cell leads");
    cell.closed = in.flag("cell closed");
    cell.challenge = Challenge.read(in);
    cell.rows = new ArrayList<>(in.rows());
    cell.expert = in.flag("expert") ? Expert.read(in) : null;
    if ((cell.leads || !cell.rows.isEmpty()) && cell.leads != (cell.expert != null)
        || (cell.closed && cell.expert != null)) {
      throw new InvalidModelException("a cell does not fit together");
    }
    return cell;
  }

  /** Teaches the rows to one expert after the other, each as long as it may still be the best. */
  private final class Search {
    private final Expert whole;
    private final SecondOrderConfig settings;
    private final Setup setup;
    private double least = Double.POSITIVE_INFINITY;
    private @Nullable Expert best;

    Search(Expert whole, SecondOrderConfig settings, Setup setup) {
      this.whole = whole;
      this.setup = setup;
      int budget = Math.min(BUDGET, settings.budget());
      this.settings = settings.toBuilder().budget(budget).build().withLabels(List.of());
    }

    void attempt(View view, Shape shape, double factor) {
      attempt(view, view.median(RecentRows.vectors(rows)), shape, factor);
    }

    void attempt(View view, double median, Shape shape, double factor) {
      double most = factor * least;
      Expert one = Expert.of(shape, view, median, whole.intercept(), settings, setup).warned(whole);
      double sum = 0;
      for (int i = 0; i < rows.size() && sum < most; i++) {
        StoredInstances.Kept row = rows.get(i);
        one.learn(row.x(), row.y(), row.weight(), false);
        sum += i >= rows.size() / 2 ? one.regret() : 0;
      }
      if (sum < most) {
        least = sum;
        best = one;
      }
    }
  }
}
