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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first thousand rows. At some of them the scaling is fitted anew to the rows so far and
 * entrants, one for each kernel of {@link Setup#prior}, are taught them from the first to the last;
 * the one of the smallest sum of losses predicts. At the end features are weighed by their
 * relevance to it, and three entrants more are taught. No {@link Rule} decides here; the best three
 * at most go on.
 *
 * <p>An entrant that sees features as they are joins late: where features are of one unit, scaling
 * loses what their spread tells (a random tree over them: 4 %).
 *
 * <p>To teach all rows takes hundreds of steps. So newcomers are taught some with each row of the
 * stream, and the best of those before them predicts until they know all: the beginning ends some
 * tens of rows later than the rows that are named here.
 *
 * <p>It ends early where the rows would take more bytes than they may.
 */
final class Beginning {
  /** Rows after which entrants are taught anew, and the core points that they may have then. */
  private static final int[] RUNGS = {1, 2, 5, 25, 100, 300};

  private static final int[] BUDGETS = {64, 64, 64, 64, 128, Integer.MAX_VALUE};

  /** What follows on the rungs: an entrant of features as they are, and those of weighed ones. */
  private static final int RAW = RUNGS.length;

  private static final int WEIGHED = RAW + 1;
  private static final int END = WEIGHED + 1;

  /** An entrant whose sum of losses is so many times the smallest leaves. */
  private static final double BEHIND = 1.3;

  /** An entrant up to here is worth a challenge after the beginning. */
  private static final double NEAR = 1.2;

  /** How often to look who leaves, and who leads. */
  private static final int STRIDE = 50;

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

  /** They know all rows so far; the first predicts. */
  private List<Entrant> entrants = new ArrayList<>();

  /** They know the first {@link #taught} rows. */
  private List<Entrant> newcomers = new ArrayList<>();

  private int taught;
  private @Nullable Weighing weighing;

  /** The rung that comes next, or what follows on them. */
  private int next;

  /** There is no room for more rows. */
  private boolean full;

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

  boolean isOver() {
    return next == END && newcomers.isEmpty() && weighing == null;
  }

  /** The best entrant so far; null before the first row. */
  @Nullable Expert leader() {
    return entrants.isEmpty() ? null : entrants.get(0).expert;
  }

  /** Learns a row, which the leader has learned already. */
  void learn(FeatureVector x, double y, double weight) {
    long bytes = rows.bytes() + StoredInstances.bytesOf(x);
    full |= rows.size() > 0 && bytes > setup.rowBytes();
    for (int i = 0; i < entrants.size(); i++) {
      Entrant one = entrants.get(i);
      if (i > 0) {
        one.expert.learn(x, y, weight, false);
      }
      work += one.expert.work();
      one.sum += full ? 0 : one.expert.sharpLoss();
    }
    if (!full) {
      rows.add(x.copy(), y, weight);
    }
    // A class that is new may be rows away from what they are taught.
    newcomers.forEach(one -> one.expert.know(setup.labels().size()));
    if (rows.size() % STRIDE == 0 && next <= WEIGHED) {
      entrants.sort(BEST);
      if (rows.size() > RUNGS[RAW - 1]) {
        double most = BEHIND * entrants.get(0).sum;
        entrants.removeIf(one -> one.sum > most);
      }
    }
    boolean goesOn = true;
    while (goesOn && !isOver()) {
      goesOn = weighing != null ? weigh(weighing) : newcomers.isEmpty() ? begin() : teach();
    }
  }

  /** Begins what is due; whether anything is. */
  private boolean begin() {
    boolean ends = full || rows.size() >= setup.config().estimation();
    if (next < RAW) {
      next = ends ? RAW - 1 : next;
      if (!ends && rows.size() < RUNGS[next]) {
        return false;
      }
      View view = View.of(rows.vectors(), setup);
      setup.prior().forEach(shape -> enter(shape, view, BUDGETS[next]));
      entrants = first(1);
    } else if (next == RAW) {
      Expert leader = entrants.get(0).expert;
      boolean scaled = setup.choosesScaling() && !leader.view().isIdentity();
      if (scaled && View.mayBeUnscaled(rows.vectors())) {
        enter(leader.shape(), View.unscaled(), Integer.MAX_VALUE);
      }
    } else if (ends) {
      Expert leader = entrants.get(0).expert;
      weighing = setup.choosesScaling() ? Weighing.of(leader, rows.vectors(), 0, setup) : null;
      entrants = weighing == null ? first(2) : entrants;
    } else {
      return false;
    }
    next++;
    return true;
  }

  private List<Entrant> first(int count) {
    return new ArrayList<>(entrants.subList(0, Math.min(count, entrants.size())));
  }

  private void enter(Shape shape, View view, int most) {
    int budget = Math.min(most, setup.config().budget());
    SecondOrderConfig config = setup.experts(forgetting).toBuilder().budget(budget).build();
    double median = view.median(rows.vectors());
    Expert expert = Expert.of(shape, view, median, setup.intercept(rows), config, setup);
    newcomers.add(new Entrant(expert));
    taught = 0;
  }

  /** Features are weighed at some rows more; whether that is done. */
  private boolean weigh(Weighing now) {
    boolean done = now.goOn(row -> rows.list().get((int) row).x());
    if (done) {
      View view = now.view();
      around(entrants.get(0).expert.shape())
          .forEach(shape -> enter(shape, view, Integer.MAX_VALUE));
      entrants = first(1);
      weighing = null;
    }
    return done;
  }

  /** Newcomers learn some rows more; whether they know all, and take their places. */
  private boolean teach() {
    double[] usual = usualTargets();
    for (int i = 0; taught < rows.size() && setup.mayGoOn(i); i++) {
      StoredInstances.Kept row = rows.list().get(taught);
      boolean isTame = usual[taught++] == row.y();
      for (int n = 0; isTame && n < newcomers.size(); n++) {
        Entrant one = newcomers.get(n);
        one.expert.learn(row.x(), row.y(), row.weight(), false);
        one.sum += one.expert.sharpLoss();
      }
    }
    boolean done = taught == rows.size();
    if (done) {
      newcomers.sort(BEST);
      entrants = next <= RAW ? new ArrayList<>() : entrants;
      entrants.addAll(next < END ? newcomers : newcomers.subList(0, Math.min(2, newcomers.size())));
      entrants.sort(BEST);
      newcomers = new ArrayList<>();
    }
    return done;
  }

  /** Targets, those far out of the range of the others cut. */
  private double[] usualTargets() {
    return setup.isRegression() ? rows.targets(0) : rows.labels();
  }

  /** All rows so far, without those whose numbers are far out of the range of the others. */
  List<StoredInstances.Kept> tame() {
    double[] usual = usualTargets();
    List<StoredInstances.Kept> tame = new ArrayList<>();
    for (int i = 0; i < usual.length; i++) {
      StoredInstances.Kept row = rows.list().get(i);
      if (usual[i] == row.y()) {
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
    double most = NEAR * entrants.get(0).sum;
    return entrants.stream().filter(one -> one.sum <= most).map(one -> one.expert).toList();
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
    if (entrants.size() == 1) {
      return List.of(Evidence.none("kernel", Evidence.name(leader.expert)));
    }
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
    return rows.bytes() + experts().mapToLong(one -> one.bytes(counted)).sum();
  }

  /** About its bytes in a file. */
  long fileBytes(Set<View> written) {
    return rows.bytes()
        - rows.size() * FileSize.NOT_IN_FILE
        + experts().mapToLong(one -> one.fileBytes(written)).sum();
  }

  private Stream<Expert> experts() {
    return Stream.concat(entrants.stream(), newcomers.stream()).map(one -> one.expert);
  }

  void write(StateWriter out) {
    out.f64(forgetting);
    out.f64(work);
    out.rows(rows.list());
    write(out, entrants);
    write(out, newcomers);
    out.i32(taught);
    out.u8(next);
    out.flag(full);
    @Nullable Weighing now = weighing;
    out.flag(now != null);
    if (now != null) {
      now.write(out, rows.size());
    }
  }

  private static void write(StateWriter out, List<Entrant> list) {
    out.u8(list.size());
    for (Entrant one : list) {
      out.f64(one.sum);
      one.expert.write(out);
    }
  }

  private static List<Entrant> readEntrants(StateReader in) throws InvalidModelException {
    List<Entrant> list = new ArrayList<>();
    int count = in.code("entrants", Setup.MOST_EXPERTS + 1);
    for (int i = 0; i < count; i++) {
      double sum = in.positive("sum of losses");
      list.add(new Entrant(in.wholeExpert()));
      list.get(i).sum = sum;
    }
    return list;
  }

  static Beginning read(StateReader in) throws InvalidModelException {
    double forgetting = in.forgetting();
    Beginning beginning = new Beginning(in.setup(), forgetting);
    beginning.work = in.positive("work");
    for (StoredInstances.Kept row : in.rows()) {
      beginning.rows.add(row.x(), row.y(), row.weight());
    }
    int size = beginning.rows.size();
    beginning.entrants = readEntrants(in);
    beginning.newcomers = readEntrants(in);
    beginning.taught = in.i32();
    beginning.next = in.code("what comes next", END + 1);
    beginning.full = in.flag("full");
    boolean weighs = in.flag("weighing");
    boolean started = !beginning.entrants.isEmpty();
    boolean fits = started == size > 0 && (started || beginning.newcomers.isEmpty());
    fits &= beginning.taught >= 0 && beginning.taught <= size && (!weighs || started);
    if (fits && weighs) {
      beginning.weighing = Weighing.read(in, beginning.entrants.get(0).expert, size);
    }
    if (!fits || beginning.isOver()) {
      throw new InvalidModelException("a beginning does not fit together");
    }
    return beginning;
  }
}
