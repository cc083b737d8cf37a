// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One kernel expansion that configures itself: it finds the scaling of the features, the kernel and
 * its γ, the forgetting factor and, for regression, the intercept, and learns with {@link
 * SecondOrderEngine}. The default learner has one for the whole space and one for each cell.
 *
 * <p>It goes through three {@link Phase}s. While ESTIMATING it stores instances; after 2, 10, 50,
 * 250 … of them and at the end of the period it fits everything anew and learns the stored ones
 * again. While RACING, engines of different kernels compete ({@link Race}). Once SETTLED, one
 * engine is left. From the end of the estimation on, other forgetting factors are tried ({@link
 * Trial}). Every choice is made by a {@link io.github.avm4j.internal.contest.Contest} on losses of
 * instances before they were learned from.
 *
 * <p>Components return decisions; only this class changes the leader, the phase, the scaling and
 * the intercept.
 */
public final class TunedEngine implements Engine {
  private static final double[] NO_SCORES = {};

  public AutoConfig config;

  /** Instances of the estimation; its owner clears them when it has ended. */
  public final StoredInstances stored = new StoredInstances();

  public Race race;
  public Trial trial;
  public Temperature temperature = new Temperature();
  public OutlierGuard guard = new OutlierGuard();
  public Scaling scaling = Scaling.none();
  public double intercept;

  /** Whether the scaling shrinks features that matter little. */
  public boolean shrunk;

  /** Whether it is the engine of a cell, whose race is for few and ends early. */
  public boolean ofCell;

  private Phase phase;
  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);

  /**
   * An engine that has seen nothing.
   *
   * @throws IllegalArgumentException if the memory has no room for the declared labels
   */
  public TunedEngine(AutoConfig config) {
    this(config, Trial.NONE);
  }

  /**
   * The same with a forgetting factor to begin with.
   *
   * @param rate number of the factor, if the configuration does not set one
   */
  public TunedEngine(AutoConfig config, int rate) {
    this.config = config;
    TuningLimits.requireRoom(config, config.labels().size());
    Kernel first = KernelFamily.GAUSSIAN.of(config.gamma() > 0 ? config.gamma() : 1);
    this.trial = new Trial(config.task(), config.estimation());
    this.trial.beginWith(rate);
    this.race =
        Race.alone(new SecondOrderEngine(MemoryShares.settings(config, first, trial.factor())));
    this.phase = Phase.ESTIMATING;
  }

  /** Goes on with parts that were saved. */
  public TunedEngine(
      AutoConfig config,
      Race race,
      Trial trial,
      Scaling scaling,
      double intercept,
      boolean estimating) {
    this.config = config;
    this.race = race;
    this.trial = trial;
    this.intercept = intercept;
    this.phase = estimating ? Phase.ESTIMATING : afterEstimation();
    use(scaling);
  }

  /**
   * The engine of a cell, at the end of its estimation with these instances.
   *
   * @param whole the engine of the whole space
   */
  public static TunedEngine ofCell(
      AutoConfig config, StoredInstances instances, TunedEngine whole) {
    TunedEngine engine = new TunedEngine(config);
    engine.ofCell = true;
    engine.trial.next = Trial.first(config.estimation(), true);
    Fitting fitting = engine.fitting(instances);
    engine.use(fitting, fitting.raceInCell(whole.shrunk ? whole.scaling : null));
    engine.phase = engine.afterEstimation();
    return engine;
  }

  private Phase afterEstimation() {
    return race.isOver() ? Phase.SETTLED : Phase.RACING;
  }

  private void use(Scaling found) {
    scaling = found;
    scaler = new Scaling.Scaler(found);
  }

  /** The engine that predicts. */
  public SecondOrderEngine leader() {
    return race.leader();
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    predictThenLearn(x, y, weight, NO_SCORES);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    return predictThenLearn(x, admit(x, y, weight), y, weight, scores);
  }

  /** Checks an instance before anything changes, and scales it. */
  public FeatureVector admit(FeatureVector x, double y, double weight) {
    FeatureVector z = scaler.scale(x);
    TuningLimits.requireFinite(config.task(), x, y);
    TuningLimits.requireRoom(this, x, y);
    leader().check(z, shifted(y), weight);
    return z;
  }

  /** Predicts for x and learns from it, z being what {@link #admit} made of it. */
  public double predictThenLearn(
      FeatureVector x, FeatureVector z, double y, double weight, double[] scores) {
    double[] columns = leader().ask(z, shifted(y), weight);
    double target = weight > 0 ? target(columns[0], y) : y;
    if (scores.length > 0) {
      spread(columns, scores);
    }
    double prediction = Decision.predict(leader(), columns, leader().columns()) + intercept;
    if (weight > 0) {
      observeTemperature(columns, y);
      leader().step(z, target, leader().worth(weight));
      race.othersLearn(z, target, weight);
      trial.learn(z, target, weight);
      advance(x, y, weight);
    }
    return prediction;
  }

  /** Takes the decisions that are due after an instance was learned from. */
  private void advance(FeatureVector x, double y, double weight) {
    if (phase == Phase.ESTIMATING) {
      store(x, y, weight);
      return;
    }
    tryForgetting(weight);
    if (phase == Phase.RACING) {
      SecondOrderEngine before = leader();
      race.learned(before.instances(), config.estimation(), weight, ofCell);
      if (leader() != before) {
        trial.abandon();
      }
      phase = afterEstimation();
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
    return config.task() == Task.CLASSIFICATION ? y : ExpansionEngine.bounded(y - intercept);
  }

  private void store(FeatureVector x, double y, double weight) {
    long needed = stored.bytes() + StoredInstances.bytesOf(x);
    if (config.memory() > 0 && needed > MemoryShares.engine(config)) {
      refit(true);
      double target = shifted(y);
      race.runners().forEach(engine -> engine.learn(scaler.scale(x), target, weight));
      return;
    }
    stored.add(x.copy(), y, weight);
    boolean last = stored.size() >= config.estimation();
    if (last || stored.atRung()) {
      refit(last);
    }
  }

  /** Learns the stored instances again with what they say; leaves all as it was if that fails. */
  private void refit(boolean last) {
    Fitting fitting = fitting(stored);
    use(fitting, fitting.race(last));
    phase = last ? afterEstimation() : phase;
  }

  private Fitting fitting(StoredInstances instances) {
    long room = MemoryShares.rest(config) - TuningLimits.FIXED;
    return new Fitting(config, trial.factor(), instances, room);
  }

  private void use(Fitting fitting, Race found) {
    race = found;
    guard = fitting.guard();
    use(fitting.scaling());
    shrunk = fitting.isShrunk();
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
    double[] columns = leader().evaluate(scaler.scale(x));
    return Decision.predict(leader(), columns, leader().columns()) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    double[] columns = leader().evaluate(scaler.scale(x));
    double winner = columns[Decision.argmax(columns, leader().columns())];
    return temperature.factor() * winner + intercept;
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    spread(leader().evaluate(scaler.scale(x)), out);
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
    return leader().size();
  }

  /** The configuration found so far. */
  @Override
  public LearnerConfig config() {
    return leader().config();
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

  @Override
  public Model snapshot() {
    return leader().snapshot().times(temperature.factor()).with(scaling, intercept);
  }
}
