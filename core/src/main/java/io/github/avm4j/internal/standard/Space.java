// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.expansion.StoredInstances;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that is learned of a stream from some row on: its beginning, then an expert of the whole
 * space with challengers, and cells. A row is learned by few: where a cell has proved better, by
 * its expert alone, and all outside of it see one such row in eight.
 */
final class Space {
  /** Rows kept for divisions. */
  private static final int KEPT = 50_000;

  /** The space is not divided while less is remembered: cells would be of the past. */
  private static final double LEAST_FACTOR = 0.99995;

  private final Task task;
  private final List<Double> classes;
  private final RecentRows rows = new RecentRows(KEPT);
  private final Divisions divisions;
  private @Nullable Beginning beginning;
  private @Nullable Whole whole;
  private final SecondOrderConfig settings;
  private long seen;
  private double error;
  private @Nullable Expert answering;

  /**
   * Nothing is learned yet.
   *
   * @param settings of experts, but for the kernel
   * @param classes indices of the classes met so far; grows with the stream
   */
  Space(SecondOrderConfig settings, List<Double> classes) {
    this.task = settings.task();
    this.settings = settings;
    this.classes = classes;
    this.divisions = new Divisions(task);
    this.beginning = new Beginning(settings, classes);
  }

  /**
   * Predicts a row, then learns it.
   *
   * @param known whether its class was met before
   * @param scored whether scores are wanted, see {@link #answering()}
   */
  double learn(FeatureVector x, double y, double weight, boolean known, boolean scored) {
    seen++;
    @Nullable Whole all = whole;
    double prediction =
        all == null ? begin(x, y, weight, scored) : go(all, x, y, weight, known, scored);
    double miss = prediction - y;
    error = task == Task.REGRESSION ? miss * miss : miss == 0 ? 0 : 1;
    return prediction;
  }

  private double begin(FeatureVector x, double y, double weight, boolean scored) {
    Beginning now = Objects.requireNonNull(beginning);
    @Nullable Expert leader = now.leader();
    answering = leader;
    double prediction = leader == null ? now.guess() : learn(leader, x, y, weight, scored);
    now.learn(x, y, weight);
    if (now.isOver()) {
      for (StoredInstances.Kept row : now.rows()) {
        rows.add(row.x(), row.y(), row.weight());
      }
      whole = new Whole(settings, now, rows, classes);
      beginning = null;
    }
    return prediction;
  }

  private static double learn(
      Expert expert, FeatureVector x, double y, double weight, boolean scored) {
    return scored ? expert.scoreThenLearn(x, y, weight) : expert.learn(x, y, weight);
  }

  private double go(
      Whole all, FeatureVector x, double y, double weight, boolean known, boolean scored) {
    int alone = divisions.meet(x, known);
    double prediction;
    double loss;
    if (alone >= 0) {
      Expert expert = Objects.requireNonNull(divisions.met(alone).expert());
      prediction = learn(expert, x, y, weight, scored);
      all.count(expert.work(), true);
      loss = expert.error();
      answering = expert;
    } else {
      Expert leader = all.leader();
      prediction = learn(leader, x, y, weight, scored);
      loss = leader.error();
      answering = leader;
      all.compete(x, y, weight, seen);
    }
    for (int i = alone + 1; i < divisions.size(); i++) {
      Cell cell = divisions.met(i);
      @Nullable Expert expert = cell.expert();
      if (expert == null) {
        begin(cell, all, x, y, weight);
        continue;
      }
      double own = learn(expert, x, y, weight, scored);
      boolean leads = cell.leads();
      all.count(expert.work(), leads);
      divisions.get(i).judge(cell, loss, expert.error());
      if (leads) {
        prediction = own;
        loss = expert.error();
        answering = expert;
      }
    }
    rows.add(x, y, weight);
    if (all.factor() >= LEAST_FACTOR && divisions.isDue(seen)) {
      divisions.divide(rows, all);
    }
    return prediction;
  }

  private static void begin(Cell cell, Whole all, FeatureVector x, double y, double weight) {
    if (cell.isClosed()) {
      return;
    }
    cell.store(x.copy(), y, weight);
    if (cell.isReady()) {
      all.count(cell.begin(all.leader(), all.settings()), false);
    }
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

  /** The expert that predicted the row last learned, scores of which it holds; null for none. */
  @Nullable Expert answering() {
    return answering;
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

  /** The prediction while there is no expert. */
  double guess() {
    return beginning == null ? 0 : beginning.guess();
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
    return whole == null ? settings.forgetting() : whole.factor();
  }

  /** Core points of all experts that predict somewhere. */
  int corePoints() {
    @Nullable Whole all = whole;
    if (all == null) {
      @Nullable Expert leader = beginning == null ? null : beginning.leader();
      return leader == null ? 0 : leader.engine().size();
    }
    return all.leader().engine().size() + divisions.corePoints();
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
}
