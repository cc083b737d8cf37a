// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.expansion.StoredInstances;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first thousand rows. At some of them the scaling is fitted anew to the rows so far and
 * entrants, one for each kernel of the {@link Shape#PRIOR}, are taught them from the first to the
 * last; the one of the smallest sum of losses predicts. At the end features are weighed by their
 * relevance to it, and three entrants more are taught.
 *
 * <p>An entrant that sees features as they are joins late: where features are of one unit, scaling
 * loses what their spread tells (a random tree over them: 4 %).
 */
final class Beginning {
  /** Rows after which entrants are taught anew, and the core points that they may have then. */
  private static final int[] RUNGS = {5, 25, 100, 300};

  private static final int[] BUDGETS = {64, 64, 128, Integer.MAX_VALUE};

  /** Rows of the beginning. */
  private static final int LENGTH = 1000;

  /** An entrant whose sum of losses is so many times the smallest leaves. */
  private static final double BEHIND = 1.3;

  /** An entrant up to here is worth a challenge after the beginning. */
  private static final double NEAR = 1.2;

  /** How often to look who leaves, and who leads. */
  private static final int STRIDE = 50;

  /** An expert and the sum of its losses on all rows so far. */
  static final class Entrant {
    final Expert expert;
    double sum;

    Entrant(Expert expert) {
      this.expert = expert;
    }
  }

  private final SecondOrderConfig settings;
  private final List<Double> classes;
  private final List<StoredInstances.Kept> rows = new ArrayList<>();
  private List<Entrant> entrants = new ArrayList<>();
  private double work;

  /**
   * A beginning.
   *
   * @param settings of all engines but for the kernel
   * @param classes indices of the classes met so far; grows with the stream
   */
  Beginning(SecondOrderConfig settings, List<Double> classes) {
    this.settings = settings;
    this.classes = classes;
  }

  boolean isOver() {
    return rows.size() >= LENGTH;
  }

  /** The best entrant so far; null before the first rows. */
  @Nullable Expert leader() {
    return entrants.isEmpty() ? null : entrants.get(0).expert;
  }

  /** The prediction while there is no entrant: the last label, or the mean. */
  double guess() {
    if (rows.isEmpty()) {
      return 0;
    }
    return settings.task() == Task.REGRESSION ? mean() : rows.get(rows.size() - 1).y();
  }

  private double mean() {
    double sum = 0;
    for (StoredInstances.Kept row : rows) {
      sum += row.y();
    }
    return sum / rows.size();
  }

  /** Learns a row, which the leader has learned already. */
  void learn(FeatureVector x, double y, double weight) {
    for (int i = 0; i < entrants.size(); i++) {
      Entrant one = entrants.get(i);
      if (i > 0) {
        one.expert.learn(x, y, weight);
      }
      work += one.expert.work();
      one.sum += one.expert.sharpLoss();
    }
    rows.add(new StoredInstances.Kept(x.copy(), y, weight));
    if (rows.size() % STRIDE == 0) {
      entrants.sort(Comparator.comparingDouble(one -> one.sum));
      if (rows.size() > RUNGS[RUNGS.length - 1]) {
        double most = BEHIND * entrants.get(0).sum;
        entrants.removeIf(one -> one.sum > most);
      }
    }
    for (int r = 0; r < RUNGS.length; r++) {
      if (rows.size() == RUNGS[r]) {
        enter(Math.min(BUDGETS[r], settings.budget()));
      }
    }
  }

  private void enter(int budget) {
    View view = View.of(RecentRows.vectors(rows));
    double intercept = settings.task() == Task.REGRESSION ? mean() : 0;
    entrants = new ArrayList<>();
    for (Shape shape : Shape.PRIOR) {
      entrants.add(taught(shape, view, intercept, budget));
    }
    entrants.sort(Comparator.comparingDouble(one -> one.sum));
    if (budget == settings.budget() && !view.isIdentity()) {
      entrants.add(taught(entrants.get(0).expert.shape(), View.unscaled(), intercept, budget));
      entrants.sort(Comparator.comparingDouble(one -> one.sum));
    }
  }

  private Entrant taught(Shape shape, View view, double intercept, int budget) {
    SecondOrderConfig config =
        settings.toBuilder().budget(budget).build().withLabels(List.copyOf(classes));
    double median = view.median(RecentRows.vectors(rows));
    Entrant entrant = new Entrant(Expert.of(shape, view, median, intercept, config));
    entrant.sum = entrant.expert.taught(rows);
    return entrant;
  }

  /** All rows so far. */
  List<StoredInstances.Kept> rows() {
    return rows;
  }

  /** Matrix elements that live learning took. */
  double work() {
    return work;
  }

  /**
   * The expert that goes on, first, and those that are near enough to challenge it: the best plain
   * one and the better two of weighed features.
   */
  List<Expert> outcome() {
    Entrant plain = entrants.get(0);
    List<Entrant> last = new ArrayList<>(List.of(plain));
    View weighed = plain.expert.view().weighed(plain.expert.engine(), RecentRows.vectors(rows));
    if (weighed == null) {
      last.addAll(entrants.subList(1, Math.min(2, entrants.size())));
    } else {
      List<Entrant> more = new ArrayList<>();
      for (Shape shape : around(plain.expert.shape())) {
        more.add(taught(shape, weighed, plain.expert.intercept(), settings.budget()));
      }
      more.sort(Comparator.comparingDouble(one -> one.sum));
      last.addAll(more.subList(0, 2));
    }
    last.sort(Comparator.comparingDouble(one -> one.sum));
    double most = NEAR * last.get(0).sum;
    return last.stream().filter(one -> one.sum <= most).map(one -> one.expert).toList();
  }

  /** A shape, half of it, and the best of the other family. */
  private List<Shape> around(Shape best) {
    for (Entrant one : entrants) {
      Shape shape = one.expert.shape();
      if (shape.gaussian() != best.gaussian() && shape.representsFamily()) {
        return List.of(best, best.half(), shape);
      }
    }
    return List.of(best, best.half(), best.counterpart());
  }
}
