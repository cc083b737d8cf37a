// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.expansion.StoredInstances;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What predicts where no cell does, and its challengers: experts of another kernel, of features
 * weighed in another way, and a copy that forgets at another speed.
 *
 * <p>Work is counted, so that challengers can be held to the one rule of costs: none begins while
 * all of them together have taken more than what predicts.
 */
final class Whole {
  /** Forgetting factors, in the order in which they are tried. */
  private static final double[] FACTORS = {0.998, 1, 0.9999, 0.99998};

  /**
   * Rows before the first trial of forgetting, of a trial at least, and as a share of the stream.
   */
  private static final int FIRST_TRIAL = 1000;

  private static final int LEAST_TRIAL = 600;
  private static final int TRIAL_SHARE = 10;

  /** A trial that looks promising lasts so many times as long. */
  private static final int LONGER = 4;

  private static final double PROMISING = 1.5;

  /** A trial is followed by so many times its length without one; a success by so many rows. */
  private static final int REST = 9;

  private static final int REST_AFTER_SUCCESS = 500;

  /** Between two alarms that begin a trial. */
  private static final int REST_AFTER_ALARM = 2000;

  /**
   * Features are weighed anew after so many rows, and whenever the stream is four times as long.
   */
  private static final int WEIGH_AFTER = 4000;

  /** Rows that such challengers are taught. */
  private static final int TAUGHT = 4000;

  /** Kernels narrower or wider than so many times the leader's follow other rules. */
  private static final double NARROWER = 0.75;

  private static final double WIDER = 1.4;

  /** An expert that challenges the leader, and the evidence. */
  private static final class Rival {
    final Expert expert;
    final Challenge challenge;

    Rival(Expert expert, Rule rule) {
      this.expert = expert;
      this.challenge = new Challenge(rule);
    }
  }

  private final SecondOrderConfig settings;
  private final RecentRows rows;
  private final List<Double> classes;
  private Expert leader;
  private final List<Rival> rivals = new ArrayList<>();
  private double factor;
  private @Nullable Rival trial;
  private double tried;
  private long trialLength;
  private long nextTrial = FIRST_TRIAL;
  private long nextWeighing = WEIGH_AFTER;
  private long lastAlarm;
  private int turn;
  private double led;
  private double challenged;

  /**
   * Goes on with the outcome of a beginning.
   *
   * @param settings of experts, but for the kernel
   * @param rows of before, which challengers are taught
   * @param classes indices of the classes met so far; grows with the stream
   */
  Whole(SecondOrderConfig settings, Beginning beginning, RecentRows rows, List<Double> classes) {
    List<Expert> experts = beginning.outcome();
    this.settings = settings;
    this.rows = rows;
    this.classes = classes;
    this.factor = settings.forgetting();
    this.leader = experts.get(0);
    this.led = beginning.work();
    for (Expert one : experts.subList(1, experts.size())) {
      rivals.add(new Rival(one, ruleOf(one)));
    }
  }

  private Rule ruleOf(Expert rival) {
    boolean same = rival.shape().gaussian() == leader.shape().gaussian();
    double width = rival.width() / leader.width();
    return same && width < NARROWER
        ? Rule.NARROWER
        : same && width > WIDER ? Rule.WIDER : Rule.KERNEL;
  }

  Expert leader() {
    return leader;
  }

  /** The forgetting factor in use. */
  double factor() {
    return factor;
  }

  /** Settings of experts that begin now, but for the kernel and the classes they know. */
  SecondOrderConfig settings() {
    return settings.toBuilder().forgetting(factor).build();
  }

  /** Work that cells and renewals did: as what predicts, or as challengers. */
  void count(double work, boolean predicts) {
    if (predicts) {
      led += work;
    } else {
      challenged += work;
    }
  }

  /** Challengers learn a row that the leader has just learned, and decisions are made. */
  void compete(FeatureVector x, double y, double weight, long row) {
    led += leader.work();
    if (!rivals.isEmpty()) {
      double own = leader.sharpLoss();
      for (int i = rivals.size() - 1; i >= 0; i--) {
        Rival rival = rivals.get(i);
        rival.expert.learn(x, y, weight);
        challenged += rival.expert.work();
        rival.challenge.observe(own, rival.expert.sharpLoss());
      }
      judgeRivals();
    }
    if (row >= nextWeighing) {
      weighAnew(row);
    }
    tryForgetting(x, y, weight, row);
  }

  private void judgeRivals() {
    @Nullable Rival won = null;
    for (int i = rivals.size() - 1; i >= 0; i--) {
      Rival rival = rivals.get(i);
      switch (rival.challenge.verdict()) {
        case WON -> won = won == null || gains(rival, won) ? rival : won;
        case LOST -> rivals.remove(i);
        case OPEN -> {}
      }
    }
    if (won != null) {
      Rival best = won;
      leader = best.expert;
      trial = null;
      rivals.remove(best);
      List<Rival> others = new ArrayList<>(rivals);
      rivals.clear();
      for (Rival other : others) {
        rivals.add(new Rival(other.expert, ruleOf(other.expert)));
      }
    }
  }

  private static boolean gains(Rival one, Rival other) {
    return one.challenge.gain() > other.challenge.gain();
  }

  /** Challengers of other weights: by the gradients of today's leader, and without. */
  private void weighAnew(long row) {
    nextWeighing = 4 * row;
    List<StoredInstances.Kept> last = rows.last(TAUGHT);
    if (!rivals.isEmpty() || last.isEmpty()) {
      return;
    }
    List<FeatureVector> vectors = RecentRows.vectors(last);
    SecondOrderConfig config = settings().withLabels(List.copyOf(classes));
    @Nullable View weighed = leader.view().weighed(leader.engine(), vectors);
    if (weighed != null) {
      challenge(leader.shape(), weighed, vectors, last, config);
    }
    if (leader.view().isWeighed()) {
      challenge(Shape.NARROW, leader.view().unweighed(), vectors, last, config);
    }
  }

  private void challenge(
      Shape shape,
      View view,
      List<FeatureVector> vectors,
      List<StoredInstances.Kept> taught,
      SecondOrderConfig config) {
    Expert expert = Expert.of(shape, view, view.median(vectors), leader.intercept(), config);
    for (StoredInstances.Kept one : taught) {
      expert.learn(one.x(), one.y(), one.weight());
      expert.sharpLoss();
      challenged += expert.work();
    }
    rivals.add(new Rival(expert, Rule.RELEVANCE));
  }

  /** Losses have risen: a trial of forgetting begins with the fastest. */
  void alarm(long row) {
    if (trial == null && row > lastAlarm + REST_AFTER_ALARM) {
      lastAlarm = row;
      nextTrial = row;
      turn = factor < 1 ? turn : 0;
    }
  }

  private void tryForgetting(FeatureVector x, double y, double weight, long row) {
    @Nullable Rival running = trial;
    if (running == null) {
      if (row < nextTrial || challenged > led) {
        return;
      }
      running = nextTrial(row);
    }
    running.expert.learn(x, y, weight);
    challenged += running.expert.work();
    Challenge challenge = running.challenge;
    challenge.observe(leader.regret(), running.expert.regret());
    Challenge.Verdict verdict = challenge.verdict();
    long most = trialLength * (challenge.standardErrors() > PROMISING ? LONGER : 1);
    if (verdict == Challenge.Verdict.WON) {
      forget(running.expert, row);
    } else if (verdict == Challenge.Verdict.LOST || challenge.seen() >= most) {
      trial = null;
      nextTrial = row + REST * trialLength;
    }
  }

  private Rival nextTrial(long row) {
    do {
      tried = FACTORS[turn++ % FACTORS.length];
    } while (tried == factor);
    Rule rule =
        tried > factor
            ? Rule.REMEMBER
            : tried == FACTORS[0] && factor == 1 ? Rule.FORGET : Rule.FORGET_SLOWLY;
    Rival running = new Rival(leader.forgetting(tried), rule);
    trial = running;
    trialLength = Math.max(LEAST_TRIAL, row / TRIAL_SHARE);
    return running;
  }

  private void forget(Expert copy, long row) {
    factor = tried;
    leader = copy;
    trial = null;
    nextTrial = row + REST_AFTER_SUCCESS;
    nextWeighing = row;
    for (int i = 0; i < rivals.size(); i++) {
      Rival old = rivals.get(i);
      rivals.set(i, new Rival(old.expert.forgetting(factor), old.challenge.rule()));
    }
  }
}
