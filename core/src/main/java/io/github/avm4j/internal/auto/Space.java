// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is learned of a stream from some row on: its beginning, then an expert of the whole
 * space with challengers, and cells. A row is learned by few: where a cell of a division has proved
 * better, by its expert and those of newer divisions; the whole space and older divisions see one
 * such row in eight.
 */
final class Space {
  /** Not divided while it forgets faster, within 20,000 rows: cells would be of the past. */
  private static final double LEAST_FACTOR = 0.99995;

  private final Setup setup;
  private final double forgetting;
  private final Divisions divisions;
  private final RecentRows rows;
  private @Nullable Beginning beginning;
  private @Nullable Whole whole;
  private long seen;
  private double error;
  private @Nullable Expert lastPredictor;

  /**
   * Nothing is learned yet.
   *
   * @param forgetting factor to begin with
   */
  Space(Setup setup, double forgetting) {
    this(setup, forgetting, new Divisions(setup), new RecentRows(setup));
    this.beginning = new Beginning(setup, forgetting);
  }

  private Space(Setup setup, double forgetting, Divisions divisions, RecentRows rows) {
    this.setup = setup;
    this.forgetting = forgetting;
    this.divisions = divisions;
    this.rows = rows;
  }

  /**
   * Predicts a row, then learns it.
   *
   * @param known whether its class was met before
   * @param scored whether scores are wanted, see {@link #lastPredictor()}
   */
  double learn(FeatureVector x, double y, double weight, boolean known, boolean scored) {
    seen++;
    @Nullable Whole all = whole;
    double prediction =
        all == null ? begin(x, y, weight, scored) : go(all, x, y, weight, known, scored);
    double miss = prediction - y;
    error = setup.isRegression() ? Math.min(Challenge.LARGEST, miss * miss) : miss == 0 ? 0 : 1;
    return prediction;
  }

  private double begin(FeatureVector x, double y, double weight, boolean scored) {
    Beginning now = Objects.requireNonNull(beginning);
    @Nullable Expert leader = now.leader();
    lastPredictor = leader;
    double prediction = leader == null ? 0 : leader.learn(x, y, weight, scored);
    now.learn(x, y, weight);
    if (now.isOver()) {
      end(now);
    }
    return prediction;
  }

  private void end(Beginning now) {
    whole = new Whole(setup, now, rows);
    for (StoredInstances.Kept row : now.tame()) {
      rows.put(row.x(), row.y(), row.weight());
    }
    beginning = null;
  }

  private double go(
      Whole all, FeatureVector x, double y, double weight, boolean known, boolean scored) {
    int alone = divisions.meet(x, known);
    double prediction;
    double loss;
    if (alone >= 0) {
      Expert expert = Objects.requireNonNull(divisions.met(alone).expert());
      prediction = expert.learn(x, y, weight, scored);
      all.count(expert.work());
      loss = expert.error();
      lastPredictor = expert;
    } else {
      Expert leader = all.leader();
      prediction = leader.learn(x, y, weight, scored);
      loss = leader.error();
      lastPredictor = leader;
      all.compete(x, y, weight, seen);
    }
    for (int i = alone + 1; i < divisions.size(); i++) {
      Cell cell = divisions.met(i);
      @Nullable Expert expert = cell.expert();
      if (expert == null) {
        divisions.store(cell, x, y, weight);
        continue;
      }
      double own = expert.learn(x, y, weight, scored);
      boolean leads = cell.leads();
      divisions.get(i).judge(cell, loss, expert.error());
      if (leads) {
        all.count(expert.work());
        prediction = own;
        loss = expert.error();
        lastPredictor = expert;
      }
    }
    rows.add(x, Objects.requireNonNull(lastPredictor).taken(), weight);
    all.teach();
    if (all.factor() >= LEAST_FACTOR && divisions.isDue(seen)) {
      divisions.divide(rows, all);
    }
    divisions.goOn(all);
    return prediction;
  }

  /** Losses have risen. */
  void alarm() {
    if (whole != null) {
      whole.alarm(seen);
    }
  }

  /** 1 for a mistake, or the squared error, of the prediction of the row last learned. */
  double error() {
    return error;
  }

  /** The expert that predicted the row last learned, and has its scores; null for none. */
  @Nullable Expert lastPredictor() {
    return lastPredictor;
  }

  /** The expert that predicts x; null before there is one. */
  @Nullable Expert expertFor(FeatureVector x) {
    @Nullable Whole all = whole;
    if (all == null) {
      return beginning == null ? null : beginning.leader();
    }
    @Nullable Cell cell = divisions.leading(x);
    return cell == null ? all.leader() : cell.expert();
  }

  /** The expert of the whole space; null before the first row. */
  @Nullable Expert leader() {
    return whole != null ? whole.leader() : beginning == null ? null : beginning.leader();
  }

  /** The rows of the beginning; null once it is over. */
  @Nullable StoredInstances beginning() {
    return beginning == null ? null : beginning.rows();
  }

  /** Number of cells of the newest division. */
  int cells() {
    return divisions.cells();
  }

  /** Cells whose expert predicts. */
  int leadingCells() {
    return divisions.leading();
  }

  /** Rows learned. */
  long seen() {
    return seen;
  }

  /** The forgetting factor in use. */
  double factor() {
    return whole == null ? forgetting : whole.factor();
  }

  /** Core points of all experts that predict somewhere. */
  int corePoints() {
    @Nullable Expert leader = leader();
    return leader == null ? 0 : leader.engine().size() + divisions.corePoints();
  }

  /** How challenges stand. */
  List<Evidence> evidence() {
    List<Evidence> all =
        new ArrayList<>(
            whole != null
                ? whole.evidence()
                : beginning == null ? List.of() : beginning.evidence());
    for (int i = 0; i < divisions.size(); i++) {
      Division one = divisions.get(i);
      all.add(Evidence.of(one.size() + " cells", "without", "with", one.evidence()));
    }
    return all;
  }

  /** What predicts, with the labels of the learner; there must be a leader. */
  Model snapshot(long instances) {
    Expert leader = Objects.requireNonNull(leader());
    return leader
        .model(setup.labels(), setup.config().labels(), instances)
        .with(divisions.snapshot(instances));
  }

  /** Bytes of heap, at most. */
  long bytes() {
    Set<View> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    long experts =
        whole != null ? whole.bytes(counted) : beginning == null ? 0 : beginning.bytes(counted);
    return experts + rows.bytes() + divisions.bytes(counted);
  }

  /** What was chosen, in words. */
  @Override
  public String toString() {
    @Nullable Expert leader = whole == null ? null : whole.leader();
    return leader == null
        ? "beginning"
        : "%s%s, forgetting %s, %d core points, %d cells lead"
            .formatted(
                leader.shape(),
                leader.view().isWeighed() ? " weighed" : "",
                factor(),
                leader.engine().size(),
                leadingCells());
  }

  /** About its bytes in a file. */
  long fileBytes() {
    Set<View> written = Collections.newSetFromMap(new IdentityHashMap<>());
    long experts =
        whole != null
            ? whole.fileBytes(written)
            : beginning == null ? 0 : beginning.fileBytes(written);
    return experts + rows.fileBytes() + divisions.fileBytes(written);
  }

  /** Bytes in a file after x was learned, at most. */
  long fileBytesWith(FeatureVector x) {
    int budget = setup.config().budget();
    int points = (int) Math.min(budget, seen + 1);
    @Nullable StoredInstances first = beginning();
    long kept = rows.bytes() + (first == null ? 0 : first.bytes());
    return Setup.MOST_EXPERTS * setup.fileBytes(x, points)
        + (divisions.total() + 2) * setup.fileBytes(x, Math.min(points, Cell.BUDGET))
        + (2 + divisions.copies()) * kept
        + 2 * StoredInstances.bytesOf(x);
  }

  void write(StateWriter out) {
    out.f64(forgetting);
    out.i64(seen);
    rows.write(out);
    divisions.write(out);
    @Nullable Whole all = whole;
    out.flag(all != null);
    if (all != null) {
      all.write(out);
    } else {
      Objects.requireNonNull(beginning).write(out);
    }
  }

  static Space read(StateReader in) throws InvalidModelException {
    double forgetting = in.forgetting();
    long seen = in.count("rows seen");
    RecentRows rows = RecentRows.read(in);
    Space space = new Space(in.setup(), forgetting, Divisions.read(in, rows), rows);
    space.seen = seen;
    if (in.flag("whole")) {
      space.whole = Whole.read(in, rows);
    } else {
      space.beginning = Beginning.read(in);
    }
    return space;
  }
}
