// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.expansion.SavedSize;
import io.github.avm4j.internal.secondorder.CertificateState;
import io.github.avm4j.internal.secondorder.Footprint;
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
 * The learner that needs no parameter: it finds the scaling of the features, γ, the rate of
 * forgetting and, for numbers, the intercept, and hands everything to {@link SecondOrderEngine}.
 *
 * <p>It answers and learns from the first instance on. After 2, 10, 50, 250 … instances and at the
 * end of the estimation period it fits anew to what it has seen and learns that again from the
 * start; then scaling and intercept are fixed and the kept instances are let go. γ begins as
 * 1/(mean squared distance between two instances) and is then found by a {@link Race}; the rate of
 * forgetting by a {@link Trial} now and then. When the race is over, fine points are gathered
 * ({@link FineTier}) and answer with the core points where that is better; {@link Sharpness} makes
 * probabilities as sure as they deserve. An answer depends only on instances learned before it, and
 * the mistakes made while choosing count.
 *
 * <p>Targets of a regression may have any unit and origin: predictions change as they do. Outliers
 * are cut ({@link OutlierGuard}), a change of scale is answered by a fresh start ({@link Trial}).
 *
 * <p>Cost of finding: at most 40 times the learning of the estimation period; then two learners
 * beside it to three times that period, one to ten times; a fifth of the learning for trials; and
 * O(F·d) an instance for F fine points, given up where they do not pay: at most 40,000 surprises
 * are considered, and 40,000 instances learned from after that.
 */
public final class AutoEngine implements Engine {
  /** Bytes of objects, and of arrays that do not grow. */
  private static final int FIXED = 2048;

  /** Fine points are gathered after so many times the estimation period. */
  private static final long FINE_FROM = 10;

  private static final double[] NO_SCORES = {};

  public final AutoConfig config;
  public final StoredInstances kept = new StoredInstances();
  public Race race;
  public Trial trial;
  public FineTier fine;
  public Sharpness sharpness = new Sharpness();
  public OutlierGuard guard = new OutlierGuard();
  public Scaling scaling = Scaling.none();
  public double intercept;
  public boolean estimating;
  public Origins origins = Origins.NONE;

  /** Most bytes of its file. */
  public long mostSaved = SavedSize.MOST;

  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);
  private boolean learning;

  /**
   * A learner that has seen nothing.
   *
   * @throws IllegalArgumentException if the memory has no room for the declared labels
   */
  public AutoEngine(AutoConfig config) {
    this.config = config;
    requireRoom(config, config.labels().size());
    this.race = Race.alone(fresh(config.gamma() > 0 ? config.gamma() : 1));
    this.trial = new Trial(config.task(), config.estimation());
    this.fine = new FineTier(config.fine());
    this.estimating = true;
  }

  public AutoEngine(
      AutoConfig config,
      Race race,
      Trial trial,
      FineTier fine,
      Scaling scaling,
      double intercept,
      boolean estimating) {
    this.config = config;
    this.estimating = estimating;
    this.race = race;
    this.trial = trial;
    this.fine = fine;
    this.intercept = intercept;
    use(scaling);
  }

  public static void requireRoom(AutoConfig config, int classes) {
    long least = Footprint.least(Columns.count(classes));
    if (config.memory() > 0 && least > config.learnerMemory()) {
      throw Footprint.refusal(classes, config.memory(), AutoConfig.memoryFor(least));
    }
  }

  /** Refuses, before any learner has changed, what the bound on bytes can never make room for. */
  private void requireRoom(FeatureVector x, double y) {
    if (config.memory() > 0) {
      long least = Footprint.least(leader(), x, y);
      if (least > config.learnerMemory()) {
        throw Footprint.refusal(leader(), x, y, config.memory(), AutoConfig.memoryFor(least));
      }
    }
  }

  private SecondOrderEngine fresh(double gamma) {
    return new SecondOrderEngine(config.with(gamma));
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
      FeatureVector z = scaler.scale(x);
      requireFinite(x, y);
      requireRoom(x, y);
      if (weight > 0) {
        SavedSize.require(savedBytesWith(x), mostSaved, "budget(n), fine(n) or memory(bytes)");
      }
      SecondOrderEngine leader = leader();
      double[] columns = leader.ask(z, shifted(y), weight);
      double target = weight > 0 ? target(columns[0], y) : y;
      boolean corrected = fine.learns();
      if (corrected) {
        columns = fine.meet(z, columns);
      }
      if (scores.length > 0) {
        spread(columns, scores);
      }
      if (weight > 0 && config.task() == Task.CLASSIFICATION) {
        sharpen(columns, leader.labels.indexOf(y));
      }
      double prediction = Decision.answer(leader, columns, leader.columns()) + intercept;
      if (weight > 0) {
        double worth = leader.worth(weight);
        if (corrected) {
          fine.learn(leader, target, worth);
        }
        leader.step(z, target, worth);
        if (corrected) {
          fine.judge(leader, config.learnerMemory());
        }
        othersLearn(z, target, weight);
        if (estimating) {
          keep(x, y, weight);
        }
      }
      return prediction;
    } finally {
      learning = false;
    }
  }

  private void spread(double[] columns, double[] scores) {
    Decision.spread(leader(), columns, leader().columns(), scores);
    double factor = sharpness.factor();
    for (int j = 0; j < classes(); j++) {
      scores[j] *= factor;
    }
    if (intercept != 0) {
      scores[0] += intercept;
    }
  }

  private void sharpen(double[] columns, int label) {
    if (label != Labels.UNKNOWN) {
      sharpness.met(columns, leader().columns(), label);
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

  /** Refuses what scaling would hide. */
  private void requireFinite(FeatureVector x, double y) {
    CoreDistances.requireFinite(x);
    if (config.task() == Task.REGRESSION && Math.abs(y) > CoreDistances.LARGEST) {
      throw new IllegalArgumentException("y must be within ±1e150, was " + y);
    }
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

  private void othersLearn(FeatureVector z, double target, double weight) {
    SecondOrderEngine leader = leader();
    for (int i = 0; i < race.runners.size(); i++) {
      if (i != race.leader) {
        SecondOrderEngine other = race.runners.get(i).learner;
        other.learn(z, target, other.worth(weight));
      }
    }
    trial.learn(z, target, weight);
    if (!estimating) {
      choose(leader, weight);
      if (isForFine()) {
        fine.gather(z, leader(), config.learnerMemory());
      }
    }
  }

  private void choose(SecondOrderEngine leader, double weight) {
    if (config.forgetting() == 0) {
      SecondOrderEngine better = trial.learned(leader, leader.instances(), weight);
      if (better != leader) {
        takeOver(better);
      }
    }
    SecondOrderEngine before = leader();
    race.learned(before.instances(), config.estimation(), weight);
    if (leader() != before) {
      trial.abandon();
    }
  }

  private void takeOver(SecondOrderEngine better) {
    if (trial.tried == Trial.FRESH) {
      race = Race.alone(better);
      intercept += trial.shift;
      fine = new FineTier(config.fine());
    } else {
      race.replaceLeader(better);
    }
  }

  /** Whether z is to be considered as a fine point: the race is over, and z surprised. */
  private boolean isForFine() {
    return !fine.over
        && !fine.learns()
        && race.runners.size() == 1
        && leader().instances() > FINE_FROM * config.estimation()
        && !leader().hasSkipped();
  }

  private void keep(FeatureVector x, double y, double weight) {
    long needed = kept.bytes() + StoredInstances.bytesOf(x);
    if (config.memory() > 0 && needed > config.learnerMemory()) {
      settle();
      double target = shifted(y);
      race.runners.forEach(runner -> runner.learner.learn(scaler.scale(x), target, weight));
      return;
    }
    kept.add(x.copy(), y, weight);
    if (kept.size() >= config.estimation()) {
      settle();
    } else if (kept.atRung()) {
      refit(false);
    }
  }

  /** Ends the estimation period with the instances kept. */
  private void settle() {
    refit(true);
    estimating = false;
    kept.clear();
  }

  /** Learns the kept instances again with what they say; leaves all as it was if that fails. */
  private void refit(boolean last) {
    Fitting fitting = new Fitting(config, kept, config.otherMemory() - FIXED);
    race = fitting.race(last);
    guard = race.runners.get(race.leader).guard;
    use(fitting.scaling());
    intercept = fitting.intercept();
  }

  /** Gives every class another label; no two may become one. */
  public void rename(DoubleUnaryOperator renamed) {
    Set<Labels> all = Collections.newSetFromMap(new IdentityHashMap<>());
    race.runners.forEach(runner -> all.add(runner.learner.labels));
    @Nullable SecondOrderEngine challenger = trial.challenger;
    if (challenger != null) {
      all.add(challenger.labels);
    }
    all.forEach(labels -> labels.rename(renamed));
    kept.relabel(renamed);
  }

  @Override
  public double predict(FeatureVector x) {
    return Decision.answer(leader(), columns(x), leader().columns()) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    double[] columns = columns(x);
    double winner = columns[Decision.argmax(columns, leader().columns())];
    return sharpness.factor() * winner + intercept;
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

  /** How many of its core points are fine ones. */
  public int fine() {
    return fine.answering();
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

  /** Whether scaling and intercept may still change. */
  public boolean isEstimating() {
    return estimating;
  }

  @Override
  public long instances() {
    return leader().instances();
  }

  /** Instances that changed the model; the others were already known. */
  public long learned() {
    return leader().learned();
  }

  @Override
  public long absorbed() {
    return leader().absorbed();
  }

  /** Core points that gave their place to a better one. */
  public long replaced() {
    return leader().replaced();
  }

  /** What the bound on the core points has cost so far, distances being after scaling. */
  public CertificateState certificate() {
    return leader().certificate();
  }

  @Override
  public long refused() {
    return 0;
  }

  /** Bytes of heap it holds, at most: all learners that run, the kept instances, the scaling. */
  public long bytes() {
    long bytes = FIXED + 24L * config.labels().size() + kept.bytes();
    bytes += Scaling.bytes(scaling.dimension());
    for (Race.Runner runner : race.runners) {
      bytes += runner.learner.bytes();
    }
    @Nullable SecondOrderEngine challenger = trial.challenger;
    return bytes + fine.bytes() + (challenger == null ? 0 : challenger.bytes());
  }

  @Override
  public Model snapshot() {
    Model model = fine.with(leader().snapshot(), leader());
    return model.times(sharpness.factor()).with(scaling, intercept);
  }

  /**
   * Bytes of its file after x was learned from, at most. It counts as many engines as may run at a
   * time, whether they do or not: a contest begins at any time.
   */
  public long savedBytesWith(FeatureVector x) {
    long largest = 0;
    for (Race.Runner runner : race.runners) {
      largest = Math.max(largest, runner.learner.savedBytesWith(x));
    }
    @Nullable SecondOrderEngine challenger = trial.challenger;
    if (challenger != null) {
      largest = Math.max(largest, challenger.savedBytesWith(x));
    }
    long stored = estimating ? kept.bytes() + StoredInstances.bytesOf(x) : 0;
    int features = Math.max(kept.features(), x.dimension());
    long scaled = 17L * Math.max(scaling.dimension(), features);
    return AutoConfig.MOST_LEARNERS * largest + stored + scaled + fine.savedBytesWith(x, classes());
  }
}
