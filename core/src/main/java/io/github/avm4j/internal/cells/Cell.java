// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.cells;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.model.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A part of the input space. It stores the first instances that fall into it, has an engine fitted
 * to them, its <em>expert</em>, and decides by a {@link Contest} whether the expert predicts, or
 * what predicts without it: the <em>outer</em> engine, or the expert of an older cell.
 *
 * <p>The contest is on mistakes or squared errors of recent instances. An expert takes over when it
 * is better, by one standard error unless experts of cells are better in general, and steps back
 * when it is worse. One that has not been better for long is dropped, and the cell is closed.
 *
 * @param <E> the kind of the engine
 */
public final class Cell<E extends Engine> {
  /** Instances that means are taken over. */
  private static final int WINDOW = 1000;

  /** No verdict before so many instances; then one every stride. */
  private static final int FIRST = 100;

  /** The first comes after a stride where experts of cells are better over so many instances. */
  private static final int TRUSTED_FROM = 500;

  private static final int STRIDE = 20;

  /** Comparisons before an expert goes on alone. */
  private static final int PROVEN_FROM = 300;

  /** Standard errors that an expert must be better by to take over, and to go on alone. */
  private static final double PROOF = 1;

  private static final double CERTAINTY = 2;

  /**
   * An expert that has been compared so often without taking over is dropped: where experts of
   * cells are worse in general, and where they are not.
   */
  private static final int LEAST_PATIENCE = 300;

  private static final int PATIENCE = 3000;

  /** Entrants of contests: what predicts without the expert, and the expert. */
  public static final int OUTER = 0;

  public static final int OWN = 1;

  private static final double[] NO_SCORES = {};

  /** The instances that the expert will be fitted to. */
  public final StoredInstances stored = new StoredInstances();

  /** The outer engine is entrant 0, the expert entrant 1. */
  public final Contest contest = contest();

  public @Nullable E expert;

  /** Whether the expert was dropped. */
  public boolean closed;

  /** Comparisons since the expert last predicted. */
  public long idle;

  private final double[] losses = new double[2];
  private double[] scratch = NO_SCORES;
  private int[] places = {};

  /** Whether the expert predicts. */
  public boolean leads() {
    return isLedByOwn(contest);
  }

  /**
   * Whether the expert predicts, and is good enough to go on alone.
   *
   * @param trusted whether experts of cells are better in general
   */
  boolean isProven(boolean trusted) {
    return leads()
        && contest.seen() >= PROVEN_FROM
        && (trusted || contest.isWorse(OUTER, CERTAINTY));
  }

  /** The expert, which must be there. */
  public E present() {
    E present = expert;
    if (present == null) {
      throw new IllegalStateException("the cell has no expert");
    }
    return present;
  }

  /**
   * The expert predicts for x and learns from it; the outer engine does neither.
   *
   * @param scores receives the scores, by the classes of {@code outer}
   */
  double pass(FeatureVector x, double y, double weight, double[] scores, Engine outer) {
    E mine = present();
    double[] own = scores.length == 0 ? NO_SCORES : room(mine);
    double prediction = mine.predictThenLearn(x, y, weight, own);
    spread(own, mine, scores, outer);
    return prediction;
  }

  /**
   * The expert predicts for x and learns from it, as the outer engine has.
   *
   * @param prediction of the outer engine
   * @param scores of the outer engine; replaced if the expert predicts
   * @param all the same contest over all cells
   * @return the prediction of the one in charge
   */
  double join(
      FeatureVector x,
      double y,
      double weight,
      double prediction,
      double[] scores,
      Engine outer,
      Contest all) {
    boolean leads = leads();
    double own = pass(x, y, weight, leads ? scores : NO_SCORES, outer);
    if (weight > 0) {
      losses[OUTER] = weight * loss(outer.task(), prediction, y);
      losses[OWN] = weight * loss(outer.task(), own, y);
      contest.observe(losses);
      all.observe(losses);
      idle = leads ? 0 : idle + 1;
      judgeAmong(all);
    }
    return leads ? own : prediction;
  }

  /** The squared error, or 1 for a mistake. */
  public static double loss(Task task, double prediction, double y) {
    return task == Task.REGRESSION ? (prediction - y) * (prediction - y) : prediction == y ? 0 : 1;
  }

  /** A contest of what predicts without the expert, entrant 0, and the expert, entrant 1. */
  public static Contest contest() {
    return new Contest(2, WINDOW);
  }

  /** Whether the expert predicts by such a contest. */
  public static boolean isLedByOwn(Contest contest) {
    return contest.incumbent() == OWN;
  }

  /** Lets the better one lead where no other cells are known; whether it was time to. */
  public static boolean judge(Contest contest) {
    return judge(contest, PROOF, FIRST);
  }

  private static boolean judge(Contest contest, double proof, int first) {
    if (contest.seen() < first || contest.seen() % STRIDE != 0) {
      return false;
    }
    contest.lead(contest.best(isLedByOwn(contest) ? 0 : proof, 0));
    return true;
  }

  private void judgeAmong(Contest all) {
    boolean trusted = Level.isTrusted(all);
    int first = trusted && all.seen() >= TRUSTED_FROM ? STRIDE : FIRST;
    boolean judged = judge(contest, trusted ? 0 : PROOF, first);
    if (judged && !leads() && idle >= (Level.isInferior(all) ? LEAST_PATIENCE : PATIENCE)) {
      close();
    }
  }

  /** Drops the expert. */
  void close() {
    expert = null;
    closed = true;
    contest.restart();
    contest.lead(OUTER);
    stored.clear();
  }

  /** The prediction of the expert, which leads. */
  public double predict(FeatureVector x) {
    return present().predict(x);
  }

  /** The winner's score by the expert, which leads, as the outer engine would give it. */
  public double score(FeatureVector x, Engine outer) {
    E mine = present();
    if (mine.task() == Task.REGRESSION) {
      return mine.score(x);
    }
    double[] own = room(mine);
    mine.scores(x, own);
    return Decision.score(own, places(mine, outer), outer.classes());
  }

  /** The scores of the expert, which leads, by the classes of {@code outer}. */
  public void scores(FeatureVector x, double[] out, Engine outer) {
    E mine = present();
    double[] own = room(mine);
    mine.scores(x, own);
    spread(own, mine, out, outer);
  }

  private double[] room(E mine) {
    int needed = Math.max(1, mine.classes() + 1);
    if (scratch.length < needed) {
      scratch = new double[needed];
    }
    return scratch;
  }

  private void spread(double[] own, E mine, double[] scores, Engine outer) {
    if (scores.length == 0) {
      return;
    }
    if (mine.task() == Task.REGRESSION) {
      scores[0] = own[0];
      return;
    }
    Decision.place(own, places(mine, outer), outer.classes(), scores);
  }

  /** The index that each class of the expert has in the outer engine. */
  private int[] places(E mine, Engine outer) {
    int known = places.length;
    if (known != mine.classes()) {
      places = new int[mine.classes()];
      for (int j = 0; j < places.length; j++) {
        places[j] = indexOf(outer, mine.label(j));
      }
    }
    return places;
  }

  private static int indexOf(Engine outer, double label) {
    for (int j = 0; j < outer.classes(); j++) {
      if (outer.label(j) == label) {
        return j;
      }
    }
    throw new IllegalStateException("a cell has met label " + label + ", the whole has not");
  }
}
