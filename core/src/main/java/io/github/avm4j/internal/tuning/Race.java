// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Finds the kernel: engines that differ in it alone learn the same stream, and a {@link Contest}
 * decides which of them predicts. Losses of skipped instances count as 0.
 *
 * <p>A {@link KernelSearch} on the stored instances tells which kernels enter. Three engines run to
 * three times the estimation period, two to ten times, then one is left.
 */
public final class Race {
  public static final int ENTRANTS = 3;

  /** Engines that enter it in a cell, where less is to be found. */
  public static final int ENTRANTS_IN_CELL = 2;

  private static final int FIRST_STAGE = 3;
  private static final int SECOND_STAGE = 10;

  /** Instances between two looks at who leads. */
  private static final int STRIDE = 100;

  /** In a cell, an engine that is worse by so many standard errors leaves the race at once. */
  private static final double OUTCLASSED = 2;

  /** An engine that has learned the stored instances, and what came of it. */
  public static final class Runner {
    SecondOrderEngine learner;
    final double loss;

    /** As it stood when the stored instances were learned. */
    final OutlierGuard guard;

    Runner(SecondOrderEngine learner, double loss, OutlierGuard guard) {
      this.learner = learner;
      this.loss = loss;
      this.guard = guard;
    }
  }

  private final List<SecondOrderEngine> runners;
  private final Contest contest;
  private double[] losses;

  /** Goes on with engines, and a contest with as many entrants, that were saved. */
  public Race(List<SecondOrderEngine> runners, Contest contest) {
    this.runners = new ArrayList<>(runners);
    this.contest = contest;
    this.losses = new double[runners.size()];
  }

  /** One engine that nothing competes with. */
  public static Race alone(SecondOrderEngine learner) {
    return new Race(List.of(learner), new Contest(1, 0));
  }

  /** Engines with these kernels, the first of which leads. */
  static Race among(List<Kernel> kernels, Function<Kernel, Runner> teach) {
    List<SecondOrderEngine> runners = kernels.stream().map(k -> teach.apply(k).learner).toList();
    return new Race(runners, new Contest(runners.size(), 0));
  }

  /** The engine that predicts. */
  public SecondOrderEngine leader() {
    return runners.get(contest.incumbent());
  }

  /** Whether one engine is left. */
  public boolean isOver() {
    return runners.size() == 1;
  }

  /** All engines, the leader among them. */
  public List<SecondOrderEngine> runners() {
    return runners;
  }

  /** The contest, with an entrant for each engine. */
  public Contest contest() {
    return contest;
  }

  /** The engines beside the leader learn from an instance that the leader has learned from. */
  void othersLearn(FeatureVector z, double target, double weight) {
    for (int i = 0; i < runners.size(); i++) {
      if (i != contest.incumbent()) {
        SecondOrderEngine other = runners.get(i);
        other.learn(z, target, other.worth(weight));
      }
    }
  }

  /**
   * Every engine has learned from one instance more, of this weight; {@code count} in all.
   *
   * @param hasty whether the outclassed go at once. In the whole space they stay: on electricity,
   *     the γ that is worse by four standard errors early is the best later.
   */
  void learned(long count, int estimation, double weight, boolean hasty) {
    if (isOver()) {
      return;
    }
    for (int i = 0; i < runners.size(); i++) {
      losses[i] = weight * runners.get(i).lastRegret();
    }
    contest.observe(losses);
    boolean first = count == (long) FIRST_STAGE * estimation;
    boolean last = count == (long) SECOND_STAGE * estimation;
    if (first || last || count % STRIDE == 0) {
      contest.lead(contest.best(0, 0));
      if (hasty) {
        dropOutclassed();
      }
    }
    if (first || last) {
      keep(last ? 1 : ENTRANTS - 1);
    }
  }

  private void dropOutclassed() {
    for (int i = runners.size() - 1; i >= 0; i--) {
      if (i != contest.incumbent() && contest.isWorse(i, OUTCLASSED)) {
        runners.remove(i);
        contest.remove(i);
        losses = new double[runners.size()];
      }
    }
  }

  private void keep(int count) {
    while (runners.size() > count) {
      int worst = contest.worst();
      runners.remove(worst);
      contest.remove(worst);
    }
    contest.restart();
    losses = new double[runners.size()];
  }

  /** The leader forgets at another rate now, and so do the others from here on. */
  void replaceLeader(SecondOrderEngine learner) {
    double forgetting = learner.config().forgetting();
    runners.set(contest.incumbent(), learner);
    replaceOthers(
        runner -> runner.copy(runner.config().toBuilder().forgetting(forgetting).build()));
  }

  /** Replaces the engines beside the leader. */
  public void replaceOthers(UnaryOperator<SecondOrderEngine> replacement) {
    for (int i = 0; i < runners.size(); i++) {
      if (i != contest.incumbent()) {
        runners.set(i, replacement.apply(runners.get(i)));
      }
    }
  }
}
