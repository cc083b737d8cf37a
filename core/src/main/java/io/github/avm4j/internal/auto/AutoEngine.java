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
  /** Bytes of objects, and of arrays that do not grow. */
  private static final int FIXED = 2048;

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
    requireRoom(config, config.labels().size());
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
        advance(x, y, z, target, weight);
      }
      return prediction;
    } finally {
      learning = false;
    }
  }

  /** Checks an instance before anything changes, and scales it. */
  private FeatureVector admit(FeatureVector x, double y, double weight) {
    FeatureVector z = scaler.scale(x);
    requireFinite(x, y);
    requireRoom(x, y);
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
      fine.judge(leader, config.learnerMemory());
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
  private void advance(FeatureVector x, double y, FeatureVector z, double target, double weight) {
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
      fine.gather(z, leader(), config.learnerMemory());
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
    if (config.memory() > 0 && needed > config.learnerMemory()) {
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
    Fitting fitting = new Fitting(config, stored, config.otherMemory() - FIXED);
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
    long bytes = FIXED + 24L * config.labels().size() + stored.bytes();
    bytes += Scaling.bytes(scaling.dimension());
    for (SecondOrderEngine engine : race.runners()) {
      bytes += engine.bytes();
    }
    @Nullable SecondOrderEngine challenger = trial.challenger;
    return bytes + fine.bytes() + (challenger == null ? 0 : challenger.bytes());
  }

  @Override
  public Model snapshot() {
    Model model = fine.with(leader().snapshot(), leader());
    return model.times(temperature.factor()).with(scaling, intercept);
  }

  /**
   * Bytes of its file after x was learned from, at most. It counts as many engines as may run at a
   * time, whether they do or not: a contest begins at any time.
   */
  public long savedBytesWith(FeatureVector x) {
    long largest = 0;
    for (SecondOrderEngine engine : race.runners()) {
      largest = Math.max(largest, engine.savedBytesWith(x));
    }
    @Nullable SecondOrderEngine challenger = trial.challenger;
    if (challenger != null) {
      largest = Math.max(largest, challenger.savedBytesWith(x));
    }
    long instances = isEstimating() ? stored.bytes() + StoredInstances.bytesOf(x) : 0;
    int features = Math.max(stored.features(), x.dimension());
    long scaled = 17L * Math.max(scaling.dimension(), features);
    return AutoConfig.MOST_LEARNERS * largest
        + instances
        + scaled
        + fine.savedBytesWith(x, classes());
  }
}
