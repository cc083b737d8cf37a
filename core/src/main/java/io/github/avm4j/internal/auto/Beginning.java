// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first thousand rows. At some of them the scaling is fitted anew to the rows so far and
 * entrants, one for each kernel of {@link Setup#prior}, are taught them from the first to the last;
 * the one of the smallest sum of losses predicts. At the end features are weighed by their
 * relevance to it, and three entrants more are taught.
 *
 * <p>An entrant that sees features as they are joins late: where features are of one unit, scaling
 * loses what their spread tells (a random tree over them: 4 %).
 *
 * <p>It ends early where the rows would take more bytes than they may.
 */
final class Beginning {
  /** Rows after which entrants are taught anew, and the core points that they may have then. */
  private static final int[] RUNGS = {1, 2, 5, 25, 100, 300};

  private static final int[] BUDGETS = {64, 64, 64, 64, 128, Integer.MAX_VALUE};

  /** An entrant whose sum of losses is so many times the smallest leaves. */
  private static final double BEHIND = 1.3;

  /** An entrant up to here is worth a challenge after the beginning. */
  private static final double NEAR = 1.2;

  /** How often to look who leaves, and who leads. */
  private static final int STRIDE = 50;

  /** Values beyond are not to be learned from as they are. */
  static final double LARGEST_RAW = 1e9;

  private static final Comparator<Entrant> BEST = Comparator.comparingDouble(one -> one.sum);

  /** An expert and the sum of its losses on all rows so far. */
  private static final class Entrant {
    final Expert expert;
    double sum;

    Entrant(Expert expert) {
      this.expert = expert;
    }
  }

  private final Setup setup;
  private final double forgetting;
  private final StoredInstances rows = new StoredInstances();
  private List<Entrant> entrants = new ArrayList<>();
  private double work;

  /**
   * A beginning.
   *
   * @param forgetting factor of all experts
   */
  Beginning(Setup setup, double forgetting) {
    this.setup = setup;
    this.forgetting = forgetting;
  }

  /** Whether it ends before a row, for which there is no room. */
  boolean isFull(FeatureVector x) {
    return rows.size() > 0 && rows.bytes() + StoredInstances.bytesOf(x) > setup.rowBytes();
  }

  boolean isOver() {
    return rows.size() >= setup.config().estimation();
  }

  /** The best entrant so far; null before the first row. */
  @Nullable Expert leader() {
    return entrants.isEmpty() ? null : entrants.get(0).expert;
  }

  /** Learns a row, which the leader has learned already. */
  void learn(FeatureVector x, double y, double weight) {
    for (int i = 0; i < entrants.size(); i++) {
      Entrant one = entrants.get(i);
      if (i > 0) {
        one.expert.learn(x, y, weight, false);
      }
      work += one.expert.work();
      one.sum += one.expert.sharpLoss();
    }
    rows.add(x.copy(), y, weight);
    if (rows.size() % STRIDE == 0) {
      entrants.sort(BEST);
      if (rows.size() > RUNGS[RUNGS.length - 1]) {
        double most = BEHIND * entrants.get(0).sum;
        entrants.removeIf(one -> one.sum > most);
      }
    }
    for (int r = 0; r < RUNGS.length; r++) {
      if (rows.size() == RUNGS[r]) {
        enter(Math.min(BUDGETS[r], setup.config().budget()));
      }
    }
  }

  private void enter(int budget) {
    View view = View.of(rows.vectors(), setup);
    entrants = new ArrayList<>();
    for (Shape shape : setup.prior()) {
      entrants.add(taught(shape, view, budget));
    }
    entrants.sort(BEST);
    boolean raw = setup.choosesScaling() && !view.isIdentity() && rows.largest() <= LARGEST_RAW;
    if (budget == setup.config().budget() && raw) {
      entrants.add(taught(entrants.get(0).expert.shape(), View.unscaled(), budget));
      entrants.sort(BEST);
    }
  }

  private Entrant taught(Shape shape, View view, int budget) {
    SecondOrderConfig config = setup.experts(forgetting).toBuilder().budget(budget).build();
    double median = view.median(rows.vectors());
    Expert expert = Expert.of(shape, view, median, setup.intercept(rows), config, setup);
    Entrant entrant = new Entrant(expert);
    entrant.sum = expert.taught(tame());
    return entrant;
  }

  /** All rows so far, without those whose numbers are far out of the range of the others. */
  List<StoredInstances.Kept> tame() {
    if (!setup.isRegression()) {
      return rows.list();
    }
    double[] cut = rows.targets(0);
    List<StoredInstances.Kept> tame = new ArrayList<>();
    for (int i = 0; i < cut.length; i++) {
      StoredInstances.Kept row = rows.list().get(i);
      if (cut[i] == row.y()) {
        tame.add(row);
      }
    }
    return tame;
  }

  /** All rows so far. */
  StoredInstances rows() {
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
    int budget = setup.config().budget();
    if (entrants.get(0).expert.engine().config().budget() < budget) {
      enter(budget); // it ends before the last rung
    }
    Entrant plain = entrants.get(0);
    List<Shape> around = around(plain.expert.shape());
    entrants = new ArrayList<>(entrants.subList(0, Math.min(2, entrants.size())));
    List<Entrant> last = new ArrayList<>(List.of(plain));
    View weighed = setup.choosesScaling() ? plain.expert.weighed(rows.vectors()) : null;
    if (weighed == null) {
      last = entrants;
    } else {
      List<Entrant> more = new ArrayList<>();
      for (Shape shape : around) {
        more.add(taught(shape, weighed, budget));
      }
      more.sort(BEST);
      last.addAll(more.subList(0, Math.min(2, more.size())));
    }
    last.sort(BEST);
    double most = NEAR * last.get(0).sum;
    return last.stream().filter(one -> one.sum <= most).map(one -> one.expert).toList();
  }

  /** A shape, half of it, and the best of the other family; those of them that may be chosen. */
  private List<Shape> around(Shape best) {
    Shape other = best.counterpart();
    for (Entrant one : entrants) {
      Shape shape = one.expert.shape();
      if (shape.gaussian() != best.gaussian() && shape.representsFamily()) {
        other = shape;
        break;
      }
    }
    return List.of(best, best.half(), setup.allowed(other, best.twice())).stream()
        .distinct()
        .toList();
  }

  /** What is compared, for reports. */
  List<Evidence> evidence() {
    if (entrants.isEmpty()) {
      return List.of();
    }
    Entrant leader = entrants.get(0);
    return entrants.subList(1, entrants.size()).stream()
        .map(
            one ->
                new Evidence(
                    "kernel",
                    Evidence.name(leader.expert),
                    Evidence.name(one.expert),
                    rows.size(),
                    leader.sum / rows.size(),
                    (leader.sum - one.sum) / rows.size(),
                    0))
        .toList();
  }

  /** Bytes of heap, at most. */
  long bytes(Set<View> counted) {
    long bytes = rows.bytes();
    for (Entrant one : entrants) {
      bytes += one.expert.bytes(counted);
    }
    return bytes;
  }

  /** About its bytes in a file. */
  long fileBytes(Set<View> written) {
    long bytes = rows.bytes() - rows.size() * FileSize.NOT_IN_FILE;
    for (Entrant one : entrants) {
      bytes += one.expert.fileBytes(written);
    }
    return bytes;
  }

  void write(StateWriter out) {
    out.f64(forgetting);
    out.f64(work);
    out.rows(rows.list());
    out.u8(entrants.size());
    for (Entrant one : entrants) {
      out.f64(one.sum);
      one.expert.write(out);
    }
  }

  static Beginning read(StateReader in) throws InvalidModelException {
    double forgetting = in.forgetting();
    Beginning beginning = new Beginning(in.setup(), forgetting);
    beginning.work = in.positive("work");
    for (StoredInstances.Kept row : in.rows()) {
      beginning.rows.add(row.x(), row.y(), row.weight());
    }
    int entrants = in.code("entrants", Setup.MOST_EXPERTS + 1);
    for (int i = 0; i < entrants; i++) {
      double sum = in.positive("sum of losses");
      Entrant one = new Entrant(in.wholeExpert());
      one.sum = sum;
      beginning.entrants.add(one);
    }
    if ((entrants == 0) != (beginning.rows.size() == 0) || beginning.isOver()) {
      throw new InvalidModelException("a beginning does not fit together");
    }
    return beginning;
  }
}
