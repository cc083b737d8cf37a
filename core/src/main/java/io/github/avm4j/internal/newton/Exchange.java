// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which core points are replaced by others once the budget is used up: the one whose absence costs
 * least, by the candidate whose presence gains most, if that is more.
 *
 * <p>A learner that forgets is in a stream that changes, where a candidate that had to wait for
 * evidence would come late: there the instance at hand replaces the oldest core point.
 */
public final class Exchange {
  /** Instances learned from between two decisions. */
  private static final int PERIOD = 50;

  /** A core point may not be removed before so many instances were learned from. */
  private static final int GRACE = 200;

  /** Only an instance this surprising, this far from the span, may become a candidate. */
  private static final double SURPRISING = 0.3;

  private static final double DISTANT = 0.01;

  /** Gain must exceed cost by this. */
  private static final double MARGIN = 2;

  private final SecondOrderEngine learner;
  private @Nullable Candidates candidates;
  private double weightLearned;
  private long replaced;
  private long[] since = new long[Footprint.LEAST_POINTS];
  private double[] weighted = new double[1];

  public Exchange(SecondOrderEngine learner) {
    this.learner = learner;
  }

  public Exchange copy(SecondOrderEngine owner) {
    Exchange copy = new Exchange(owner);
    copy.candidates = candidates == null ? null : candidates.copy();
    copy.weightLearned = weightLearned;
    copy.replaced = replaced;
    copy.since = since.clone();
    return copy;
  }

  /** An instance is learned from; what was learned before counts for less if it is forgotten. */
  public void learned(double weight) {
    weightLearned = weightLearned * learner.config().forgetting() + weight;
  }

  /** The weight of the instances learned from, as far as they are remembered. */
  public double weightLearned() {
    return weightLearned;
  }

  /** Core points that were replaced. */
  public long replaced() {
    return replaced;
  }

  /** How many instances had been learned from when a core point came to its place. */
  public long since(int place) {
    return since[place];
  }

  /** Instances that may replace core points; null if there are none. */
  public @Nullable Candidates candidates() {
    return candidates;
  }

  /** Goes on with candidates. */
  public void restore(Candidates saved) {
    candidates = saved;
  }

  /** Puts back the numbers of a saved exchange; places follow by {@link #appended}. */
  public void restore(double savedWeight, long savedReplaced) {
    weightLearned = savedWeight;
    replaced = savedReplaced;
  }

  /** There is a core point more; evidence against fewer of them counts for nothing. */
  public void appended(int place, long learned) {
    candidates = null;
    if (place == since.length) {
      since = Arrays.copyOf(since, 2 * place);
    }
    since[place] = learned;
  }

  /** A core point was removed and those after it moved up. */
  public void removed(int place) {
    candidates = null;
    long[] old = since;
    int size = learner.set.size();
    since =
        new long
            [Math.max(Footprint.LEAST_POINTS, Integer.highestOneBit(Math.max(1, size - 1)) * 2)];
    System.arraycopy(old, 0, since, 0, place);
    System.arraycopy(old, place + 1, since, place, size - place);
  }

  /** Evidence so far counts for nothing. */
  public void clear() {
    candidates = null;
  }

  /** The budget is used up and x, with these gradients and curvature, is learned from. */
  public void consider(
      FeatureVector x, double surprise, double[] gradients, double curvature, double weight) {
    if (!learner.config().replacing()) {
      return;
    }
    if (candidates == null) {
      Candidates none = new Candidates(learner.set);
      if (!fits(bytes(none))) {
        return;
      }
      candidates = none;
    }
    if (weighted.length != gradients.length) {
      weighted = new double[gradients.length];
    }
    for (int j = 0; j < weighted.length; j++) {
      weighted[j] = weight * gradients[j];
    }
    double[] kernel = learner.distances.kernel();
    candidates.observe(x, learner.kernel, kernel, weighted, weight * curvature);
    if (learner.learned % PERIOD == 0) {
      decide(candidates, x);
    }
    int place = surprise > SURPRISING ? candidates.freePlace() : -1;
    if (place >= 0) {
      double residual = learner.solver.residual(learner.distances.kernel());
      learner.certificate.projected(residual);
      if (residual > DISTANT) {
        candidates = admitted(candidates, place, x, residual, gradients.length);
      }
    }
  }

  /**
   * The budget is used up and a learner that forgets learns from x, which replaces the oldest core
   * point unless it is too near the span of the others.
   */
  public void slide(FeatureVector x) {
    candidates = null;
    double residual = learner.solver.residual(learner.distances.kernel());
    int oldest = oldest();
    if (residual <= DISTANT || !take(oldest, x)) {
      learner.certificate.projected(residual);
      learner.certificate.absorbed();
      return;
    }
    learner.solver.replace(oldest, residual);
    since[oldest] = learner.learned;
    replaced++;
    learner.distances.setSelf(oldest);
  }

  private int oldest() {
    int oldest = 0;
    for (int i = 1; i < learner.solver.size(); i++) {
      oldest = since[i] < since[oldest] ? i : oldest;
    }
    return oldest;
  }

  /** Puts a point in a place of the learner's points if bytes allow. */
  private boolean take(int place, FeatureVector point) {
    CoreSet points = replaced(place, point);
    if (!fits(points.bytes() - learner.set.bytes())) {
      return false;
    }
    learner.set = points;
    return true;
  }

  /** The candidates with x, or without if bytes are bounded and it finds no room. */
  private Candidates admitted(
      Candidates waiting, int place, FeatureVector x, double residual, int columns) {
    SecondOrder solver = learner.solver;
    if (!learner.isBounded()) {
      waiting.admit(place, x, solver.projection(), solver.size(), residual, columns);
      return waiting;
    }
    Candidates more =
        waiting.with(place, x, solver.projection(), solver.size(), residual, columns, learner.set);
    boolean small = Footprint.isSmall(learner, x);
    return small && fits(bytes(more) - bytes(waiting)) ? more : waiting;
  }

  private boolean fits(long moreBytes) {
    return !learner.isBounded() || learner.bytes() + moreBytes <= learner.config().memory();
  }

  private void decide(Candidates waiting, FeatureVector x) {
    double lambda = learner.config().lambda();
    int best = waiting.best(lambda);
    if (best >= 0) {
      int cheapest = cheapest(GRACE);
      double cost =
          cheapest < 0 ? Double.POSITIVE_INFINITY : cost(learner.solver, cheapest) / weightLearned;
      if (waiting.gain(best, lambda) > MARGIN * cost) {
        FeatureVector point = waiting.point(best);
        if (take(cheapest, point)) {
          replace(waiting, cheapest, best, point);
          learner.distances.fill(learner.set, x, learner.kernel);
        } else {
          waiting.dismiss(best);
        }
      }
    }
    waiting.dismissOld();
  }

  /** The points with another at one place; where bytes are bounded, in a set of its own. */
  private CoreSet replaced(int place, FeatureVector point) {
    if (learner.isBounded()) {
      return learner.set.with(place, point);
    }
    CoreSet points = learner.set.roomFor(point);
    points.replace(place, point, true);
    return points;
  }

  /** The core point that costs least to strike out among those {@code grace} old, or −1. */
  public int cheapest(int grace) {
    learner.solver.settle();
    int cheapest = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < learner.solver.size(); i++) {
      double cost = cost(learner.solver, i);
      if (learner.learned - since[i] >= grace && cost < least) {
        least = cost;
        cheapest = i;
      }
    }
    return cheapest;
  }

  /**
   * What striking core point i out would add to the regularised loss once the other coefficients
   * have made up for it: Σ_c w_ci²/(2·P_ii). Exact for the squared loss. Nothing may be pending.
   */
  static double cost(SecondOrder solver, int i) {
    double sum = 0;
    for (int c = 0; c < solver.columns(); c++) {
      sum += solver.weights(c)[i] * solver.weights(c)[i];
    }
    return sum / (2 * solver.covariance(i)[i]);
  }

  /** The place, in the learner's points, is the candidate's already. */
  private void replace(Candidates waiting, int place, int candidate, FeatureVector point) {
    SecondOrder solver = learner.solver;
    double lambda = learner.config().lambda();
    solver.strike(place);
    solver.occupy(
        place,
        Math.max(DISTANT, project(point, place)),
        waiting.information(candidate),
        waiting.change(candidate, lambda));
    since[place] = learner.learned;
    replaced++;
    waiting.dismiss(candidate);
    for (int c = 0; c < Candidates.MOST; c++) {
      if (waiting.isTaken(c)) {
        double residual = project(waiting.point(c), -1);
        if (residual > DISTANT) {
          waiting.changed(c, solver.projection(), solver.size(), residual);
        } else {
          waiting.dismiss(c);
        }
      }
    }
  }

  /** The residual of a point, core point {@code except} not counting. */
  private double project(FeatureVector point, int except) {
    learner.distances.fill(learner.set, point, learner.kernel);
    if (except >= 0) {
      learner.distances.kernel()[except] = 0;
    }
    return learner.solver.residual(learner.distances.kernel());
  }

  /** Bytes of the candidates; those of the core points' ages are the learner's. */
  public long bytes() {
    return candidates == null ? 0 : bytes(candidates);
  }

  private long bytes(Candidates some) {
    return some.bytes(learner.set.size(), learner.columns());
  }

  /** Bytes that candidates like x will hold at most. */
  public long mostBytes(FeatureVector x) {
    long each = 8L * (learner.solver.size() + 1 + learner.columns()) + 32L * x.count() + 80;
    return 2 * Candidates.MOST * each;
  }
}
