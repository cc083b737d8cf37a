// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.expansion.SavedSize;
import io.github.avm4j.internal.fine.FineTier;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the default learner: it finds the scaling of the features, γ, the forgetting factor
 * and, for regression, the intercept, and learns with {@link SecondOrderEngine}.
 *
 * <p>It goes through three {@link Phase}s. While ESTIMATING it stores instances; after 2, 10, 50,
 * 250 … of them and at the end of the period it fits everything anew and learns the stored ones
 * again. While RACING, engines of different γ compete ({@link Race}). Once SETTLED, one engine is
 * left and fine points are gathered ({@link FineTier}). From the end of the estimation on, other
 * forgetting factors are tried ({@link Trial}). Every choice is made by a {@link
 * io.github.avm4j.internal.contest.Contest} on losses of instances before they were learned from.
 *
 * <p>Components return decisions; only this class changes the leader, the phase, the scaling and
 * the intercept.
 */
public final class AutoEngine implements Engine {
  /** Fine points are gathered after so many times the estimation period. */
  private static final long FINE_FROM = 10;

  private static final double[] NO_SCORES = {};

  public final AutoConfig config;
  public final StoredInstances stored = new StoredInstances();
  public Race race;
  public Trial trial;
  public FineTier fine;
  public Temperature temperature = new Temperature();
  public OutlierGuard guard = new OutlierGuard();
  public Scaling scaling = Scaling.none();
  public double intercept;
  public Origins origins = Origins.NONE;

  /** Most bytes of its file. */
  public long mostSaved = SavedSize.MOST;

  private Phase phase;
  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);
  private boolean learning;

  /**
   * An engine that has seen nothing.
   *
   * @throws IllegalArgumentException if the memory has no room for the declared labels
   */
  public AutoEngine(AutoConfig config) {
    this.config = config;
    AutoLimits.requireRoom(config, config.labels().size());
    this.race = Race.alone(fresh(config.gamma() > 0 ? config.gamma() : 1));
    this.trial = new Trial(config.task(), config.estimation());
    this.fine = new FineTier(config.fine());
    this.phase = Phase.ESTIMATING;
  }

  /** Goes on with parts that were saved or merged. */
  public AutoEngine(
      AutoConfig config,
      Race race,
      Trial trial,
      FineTier fine,
      Scaling scaling,
      double intercept,
      boolean estimating) {
    this.config = config;
    this.race = race;
    this.trial = trial;
    this.fine = fine;
    this.intercept = intercept;
    this.phase = estimating ? Phase.ESTIMATING : afterEstimation();
    use(scaling);
  }

  private Phase afterEstimation() {
    return race.isOver() ? Phase.SETTLED : Phase.RACING;
  }

  private SecondOrderEngine fresh(double gamma) {
    return new SecondOrderEngine(MemoryShares.settings(config, gamma));
  }

  private void use(Scaling found) {
    scaling = found;
    scaler = new Scaling.Scaler(found);
  }

  /** The learner that answers. */
  public SecondOrderEngine leader() {
    return race.leader();
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    predictThenLearn(x, y, weight, NO_SCORES);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    enter();
    try {
      FeatureVector z = admit(x, y, weight);
      double[] columns = leader().ask(z, shifted(y), weight);
      double target = weight > 0 ? target(columns[0], y) : y;
      columns = fine.learns() ? fine.meet(z, columns) : columns;
      if (scores.length > 0) {
        spread(columns, scores);
      }
      double prediction = Decision.answer(leader(), columns, leader().columns()) + intercept;
      if (weight > 0) {
        observeTemperature(columns, y);
        learnAll(z, target, weight);
        advance(x, y, z, weight);
      }
      return prediction;
    } finally {
      learning = false;
    }
  }

  /** Checks an instance before anything changes, and scales it. */
  private FeatureVector admit(FeatureVector x, double y, double weight) {
    FeatureVector z = scaler.scale(x);
    AutoLimits.requireFinite(config.task(), x, y);
    AutoLimits.requireRoom(this, x, y);
    if (weight > 0) {
      SavedSize.require(savedBytesWith(x), mostSaved, "budget(n), fine(n) or memory(bytes)");
    }
    return z;
  }

  /** The leader, the fine points and the engines beside the leader learn. */
  private void learnAll(FeatureVector z, double target, double weight) {
    SecondOrderEngine leader = leader();
    double worth = leader.worth(weight);
    boolean corrected = fine.learns();
    if (corrected) {
      fine.learn(leader, target, worth);
    }
    leader.step(z, target, worth);
    if (corrected) {
      fine.judge(leader, MemoryShares.engine(config));
      unifyStorage();
    }
    race.othersLearn(z, target, weight);
    trial.learn(z, target, weight);
  }

  /** A model stores all its points in one way; what is read from it must be what was saved. */
  private void unifyStorage() {
    if (fine.learns() && !fine.storesLike(leader())) {
      leader().storePostings();
      fine.storePostings();
    }
  }

  /** Takes the decisions that are due after an instance was learned from. */
  private void advance(FeatureVector x, double y, FeatureVector z, double weight) {
    if (phase == Phase.ESTIMATING) {
      store(x, y, weight);
      return;
    }
    tryForgetting(weight);
    if (phase == Phase.RACING) {
      SecondOrderEngine before = leader();
      race.learned(before.instances(), config.estimation(), weight);
      if (leader() != before) {
        trial.abandon();
      }
      phase = afterEstimation();
    }
    if (phase == Phase.SETTLED && isForFine()) {
      fine.gather(z, leader(), MemoryShares.engine(config));
    }
  }

  private void tryForgetting(double weight) {
    if (config.forgetting() != 0) {
      return;
    }
    @Nullable SecondOrderEngine better = trial.learned(leader(), leader().instances(), weight);
    if (better == null) {
      return;
    }
    if (trial.tried == Trial.FRESH) {
      race = Race.alone(better);
      intercept += trial.shift;
      fine = new FineTier(config.fine());
    } else {
      race.replaceLeader(better);
    }
  }

  private void spread(double[] columns, double[] scores) {
    Decision.spread(leader(), columns, leader().columns(), scores);
    double factor = temperature.factor();
    for (int j = 0; j < classes(); j++) {
      scores[j] *= factor;
    }
    if (intercept != 0) {
      scores[0] += intercept;
    }
  }

  private void observeTemperature(double[] columns, double y) {
    if (config.task() == Task.CLASSIFICATION) {
      int label = leader().labels.indexOf(y);
      if (label != Labels.UNKNOWN) {
        temperature.observe(columns, leader().columns(), label);
      }
    }
  }

  /** What the learners take for target y, the leader having predicted {@code prediction}. */
  private double target(double prediction, double y) {
    return config.task() == Task.CLASSIFICATION
        ? y
        : guard.cut(prediction, shifted(y), leader().instances());
  }

  /** A label as it is, a target less the intercept. */
  private double shifted(double y) {
    return config.task() == Task.CLASSIFICATION ? y : bounded(y - intercept);
  }

  /** A target whose squares can be summed. */
  public static double bounded(double target) {
    double largest = ExpansionEngine.LARGEST_TARGET;
    return Math.max(-largest, Math.min(largest, target));
  }

  /** Finds most of the wrong uses by two threads, at no cost; not a lock. */
  private void enter() {
    if (learning) {
      throw new ConcurrentModificationException(
          "two threads are in one learner: a learner is for one thread at a time; share its"
              + " snapshot()");
    }
    learning = true;
  }

  /**
   * Whether z is to be considered as a fine point: the learner has seen enough, and z surprised.
   */
  private boolean isForFine() {
    return !fine.over
        && !fine.learns()
        && leader().instances() > FINE_FROM * config.estimation()
        && !leader().hasSkipped();
  }

  private void store(FeatureVector x, double y, double weight) {
    long needed = stored.bytes() + StoredInstances.bytesOf(x);
    if (config.memory() > 0 && needed > MemoryShares.engine(config)) {
      settle();
      double target = shifted(y);
      race.runners().forEach(engine -> engine.learn(scaler.scale(x), target, weight));
      return;
    }
    stored.add(x.copy(), y, weight);
    if (stored.size() >= config.estimation()) {
      settle();
    } else if (stored.atRung()) {
      refit(false);
    }
  }

  /** Ends the estimation period with the instances stored. */
  private void settle() {
    refit(true);
    phase = afterEstimation();
    stored.clear();
  }

  /** Learns the stored instances again with what they say; leaves all as it was if that fails. */
  private void refit(boolean last) {
    Fitting fitting = new Fitting(config, stored, MemoryShares.rest(config) - AutoLimits.FIXED);
    race = fitting.race(last);
    guard = fitting.guard();
    use(fitting.scaling());
    intercept = fitting.intercept();
  }

  /** Gives every class another label; no two may become one. */
  public void rename(DoubleUnaryOperator renamed) {
    Set<Labels> all = Collections.newSetFromMap(new IdentityHashMap<>());
    race.runners().forEach(engine -> all.add(engine.labels));
    @Nullable SecondOrderEngine challenger = trial.challenger;
    if (challenger != null) {
      all.add(challenger.labels);
    }
    all.forEach(labels -> labels.rename(renamed));
    stored.relabel(renamed);
  }

  @Override
  public double predict(FeatureVector x) {
    return Decision.answer(leader(), columns(x), leader().columns()) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    double[] columns = columns(x);
    double winner = columns[Decision.argmax(columns, leader().columns())];
    return temperature.factor() * winner + intercept;
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    spread(columns(x), out);
  }

  private double[] columns(FeatureVector x) {
    FeatureVector z = scaler.scale(x);
    return fine.answer(z, leader().evaluate(z));
  }

  @Override
  public Task task() {
    return config.task();
  }

  @Override
  public int classes() {
    return leader().classes();
  }

  @Override
  public double label(int index) {
    return leader().label(index);
  }

  @Override
  public int size() {
    return leader().size() + fine.answering();
  }

  /** The configuration found so far. */
  @Override
  public LearnerConfig config() {
    return leader().config();
  }

  /** The scaling found so far. */
  public Scaling scaling() {
    return scaling;
  }

  /** How far it has come. */
  public Phase phase() {
    return phase;
  }

  /** Whether scaling and intercept may still change. */
  public boolean isEstimating() {
    return phase == Phase.ESTIMATING;
  }

  @Override
  public long instances() {
    return leader().instances();
  }

  @Override
  public long absorbed() {
    return leader().absorbed();
  }

  /** Bytes of heap it holds, at most: engines, stored instances, the scaling. */
  public long bytes() {
    return AutoLimits.heap(this);
  }

  @Override
  public Model snapshot() {
    Model model = fine.with(leader().snapshot(), leader());
    return model.times(temperature.factor()).with(scaling, intercept);
  }

  /** Bytes of its file after x was learned from, at most. */
  public long savedBytesWith(FeatureVector x) {
    return AutoLimits.file(this, x);
  }
}
