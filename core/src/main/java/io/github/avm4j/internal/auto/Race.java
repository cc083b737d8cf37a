// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.DoubleFunction;

/**
 * Learners that differ in γ alone and see the same stream; the one with the smallest loss so far
 * leads and answers. All losses are of instances before they were learned from; in the race those
 * of skipped ones do not count.
 *
 * <p>It begins by trying γ, 2γ, γ/2, … on the kept instances, a factor of two at a time in each
 * direction for as long as that lowers the loss. Three go on to three times the estimation period,
 * two to ten times, then one is left.
 */
public final class Race {
  public static final int ENTRANTS = 3;

  /** Two to each side are always tried, a seventh never. */
  private static final int LEAST_TRIED = 2;

  private static final int MOST_TRIED = 6;

  private static final int FIRST_STAGE = 3;
  private static final int SECOND_STAGE = 10;

  /** Instances between two looks at who leads. */
  private static final int STRIDE = 100;

  /** A learner and its losses since the last stage. */
  public static final class Runner {
    public SecondOrderEngine learner;
    public double loss;

    /** As it stood when the kept instances were learned. */
    public final OutlierGuard guard;

    public Runner(SecondOrderEngine learner, double loss, OutlierGuard guard) {
      this.learner = learner;
      this.loss = loss;
      this.guard = guard;
    }
  }

  public final List<Runner> runners;
  public int leader;

  public Race(List<Runner> runners, int leader) {
    this.runners = runners;
    this.leader = leader;
  }

  /** One learner that nothing competes with. */
  public static Race alone(SecondOrderEngine learner) {
    return alone(new Runner(learner, 0, new OutlierGuard()));
  }

  public static Race alone(Runner runner) {
    runner.loss = 0;
    return new Race(new ArrayList<>(List.of(runner)), 0);
  }

  /** What trying several γ on the kept instances found. */
  public record Search(double guess, double found, double loss, NavigableSet<Double> tried) {}

  /**
   * The γ of the smallest loss. One learner is alive at a time: those that go on are taught again.
   *
   * @param teach from γ to a runner with the loss of the kept instances
   */
  public static Search search(double gamma, DoubleFunction<Runner> teach) {
    NavigableSet<Double> tried = new TreeSet<>(List.of(gamma));
    double middle = teach.apply(gamma).loss;
    double found = gamma;
    double least = middle;
    for (double factor : new double[] {2, 0.5}) {
      double best = middle;
      double next = gamma;
      for (int i = 1; i <= MOST_TRIED; i++) {
        next *= factor;
        double loss = teach.apply(next).loss;
        tried.add(next);
        if (loss < least) {
          least = loss;
          found = next;
        }
        if (loss >= best && i >= LEAST_TRIED) {
          break;
        }
        best = Math.min(best, loss);
      }
    }
    return new Search(gamma, found, least, tried);
  }

  /**
   * The best found and two others. Few instances favour smooth functions, so that the best γ grows
   * with their number: below the first guess, the others are the guess and the γ halfway to it;
   * else the neighbours.
   */
  public static Race among(Search search, DoubleFunction<Runner> teach) {
    double guess = search.guess;
    double found = search.found;
    double other = found < guess ? guess : found / 2;
    double third = found < guess / 2 ? closest(search.tried, Math.sqrt(found * guess)) : 2 * found;
    if (found == guess / 2) {
      third = found / 2;
    }
    List<Runner> runners = new ArrayList<>();
    for (double gamma : new LinkedHashSet<>(List.of(found, other, third))) {
      if (search.tried.contains(gamma)) {
        Runner runner = teach.apply(gamma);
        runner.loss = 0;
        runners.add(runner);
      }
    }
    return new Race(runners, 0);
  }

  private static double closest(NavigableSet<Double> tried, double wanted) {
    Double above = tried.ceiling(wanted * 0.99);
    return above == null ? wanted : above;
  }

  public SecondOrderEngine leader() {
    return runners.get(leader).learner;
  }

  /** Every runner has learned from one instance more, of this weight; {@code count} in all. */
  public void learned(long count, int estimation, double weight) {
    if (runners.size() == 1) {
      return;
    }
    for (Runner runner : runners) {
      runner.loss += weight * runner.learner.lastRegret();
    }
    if (count == (long) FIRST_STAGE * estimation) {
      keep(ENTRANTS - 1);
    } else if (count == (long) SECOND_STAGE * estimation) {
      keep(1);
    } else if (count % STRIDE == 0) {
      leader = best();
    }
  }

  private int best() {
    int best = 0;
    for (int i = 1; i < runners.size(); i++) {
      best = runners.get(i).loss < runners.get(best).loss ? i : best;
    }
    return best;
  }

  private void keep(int count) {
    while (runners.size() > count) {
      int worst = 0;
      for (int i = 1; i < runners.size(); i++) {
        worst = runners.get(i).loss > runners.get(worst).loss ? i : worst;
      }
      runners.remove(worst);
    }
    leader = best();
    runners.forEach(runner -> runner.loss = 0);
  }

  /** The leader forgets at another rate now, and so do the others from here on. */
  public void replaceLeader(SecondOrderEngine learner) {
    double forgetting = learner.config().forgetting();
    for (int i = 0; i < runners.size(); i++) {
      Runner runner = runners.get(i);
      runner.learner =
          i == leader
              ? learner
              : runner.learner.copy(runner.learner.config().withForgetting(forgetting));
    }
  }
}
