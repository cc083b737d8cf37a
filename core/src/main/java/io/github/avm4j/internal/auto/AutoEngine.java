// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.calibration.Residuals;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.expansion.SavedSize;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.model.Calibration;
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
 * left. From the end of the estimation on, other forgetting factors are tried ({@link Trial}), and
 * the space is divided into cells that get engines of this kind ({@link Levels}). When losses rise,
 * a fresh engine may take its place ({@link Renewal}). Every choice is made by a {@link
 * io.github.avm4j.internal.contest.Contest} on losses of instances before they were learned from.
 *
 * <p>Components return decisions; only this class changes the leader, the phase, the scaling and
 * the intercept.
 */
public final class AutoEngine implements Engine {
  private static final double[] NO_SCORES = {};

  public AutoConfig config;
  public StoredInstances stored = new StoredInstances();
  public Race race;
  public Trial trial;
  public Levels<AutoEngine> levels;
  public Temperature temperature = new Temperature();
  public OutlierGuard guard = new OutlierGuard();
  public Scaling scaling = Scaling.none();
  public double intercept;
  public Origins origins = Origins.NONE;

  /**
   * Null where nothing may take its place: in cells, in challengers, and where bytes are bounded.
   */
  public @Nullable Renewal renewal;

  /** Null where nobody asks for intervals or prediction sets: in cells and challengers. */
  public @Nullable Calibrator calibrator;

  /** Whether it is the engine of a cell, whose race is for few and ends early. */
  public boolean ofCell;

  /** Most bytes of its file. */
  public long mostSaved = SavedSize.MOST;

  private Phase phase;
  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);
  private boolean learning;
  private double[] asked = NO_SCORES;
  private double[] probabilities = NO_SCORES;

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
    this.levels = Experts.whole(config);
    this.renewal = renewable(config);
    this.calibrator = calibrated(config);
    this.phase = Phase.ESTIMATING;
  }

  /** An engine of a cell, at the end of its estimation with these instances. */
  static AutoEngine fitted(AutoConfig config, StoredInstances instances) {
    AutoEngine engine = challenging(config);
    engine.ofCell = true;
    instances.list().forEach(one -> engine.stored.add(one.x(), one.y(), one.weight()));
    engine.settle();
    return engine;
  }

  /** An engine that has seen nothing and whose place nothing takes. */
  static AutoEngine challenging(AutoConfig config) {
    AutoEngine engine = new AutoEngine(config);
    engine.renewal = null;
    engine.calibrator = null;
    return engine;
  }

  private static @Nullable Calibrator calibrated(AutoConfig config) {
    double[] levels = config.coverage().stream().mapToDouble(level -> level).toArray();
    boolean regression = config.task() == Task.REGRESSION;
    return levels.length == 0 ? null : new Calibrator(levels, regression ? new Residuals() : null);
  }

  private static @Nullable Renewal renewable(AutoConfig config) {
    return config.memory() == 0 && config.forgetting() == 0 ? new Renewal() : null;
  }

  /** Goes on with parts that were saved or merged. */
  public AutoEngine(
      AutoConfig config,
      Race race,
      Trial trial,
      Levels<AutoEngine> levels,
      Scaling scaling,
      double intercept,
      boolean estimating) {
    this.config = config;
    this.race = race;
    this.trial = trial;
    this.levels = levels;
    this.renewal = renewable(config);
    this.calibrator = calibrated(config);
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
      boolean estimating = phase == Phase.ESTIMATING;
      double[] wanted = wanted(scores);
      int known = classes();
      double prediction = predictThenLearn(x, z, y, weight, wanted);
      if (weight > 0) {
        calibrate(prediction, y, wanted, known);
      }
      if (weight > 0 && !estimating && !isRenewed(x, y, weight, prediction)) {
        levels.keep(x, y, weight, leader().set);
        levels.advance(instances() - levels.before, scaling, AutoLimits.mostCells(this, x));
      }
      return prediction;
    } finally {
      learning = false;
    }
  }

  /** Where scores go: nowhere if nobody needs them. */
  private double[] wanted(double[] scores) {
    if (scores.length > 0 || calibrator == null || config.task() == Task.REGRESSION) {
      return scores;
    }
    if (asked.length <= classes()) {
      asked = new double[2 * classes() + 2];
      probabilities = new double[asked.length];
    }
    return asked;
  }

  /** Takes in how far off the prediction was, {@code known} classes being known before. */
  private void calibrate(double prediction, double y, double[] scores, int known) {
    @Nullable Calibrator mine = calibrator;
    if (mine == null) {
      return;
    }
    if (config.task() == Task.REGRESSION) {
      mine.observeNumber(prediction, y);
      return;
    }
    if (probabilities.length < known) {
      probabilities = new double[2 * known];
    }
    System.arraycopy(scores, 0, probabilities, 0, known);
    Decision.softmax(probabilities, known);
    int label = leader().labels.indexOf(y);
    boolean isKnown = label != Labels.UNKNOWN && label < known;
    mine.observeLabel(isKnown ? probabilities[label] : Double.NaN, prediction == y);
  }

  /** Whether a challenger has taken its place after an instance. */
  private boolean isRenewed(FeatureVector x, double y, double weight, double prediction) {
    @Nullable Renewal may = renewal;
    if (may == null || trial.next == Trial.NEVER) {
      return false;
    }
    @Nullable AutoEngine better = may.learned(this, x, y, weight, prediction);
    if (better != null) {
      become(better);
    }
    return better != null;
  }

  /** Goes on as another engine, which has learned from the newest instances only. */
  private void become(AutoEngine other) {
    other.levels.before = instances() - other.instances();
    config = other.config;
    stored = other.stored;
    race = other.race;
    trial = other.trial;
    levels = other.levels;
    temperature = other.temperature;
    guard = other.guard;
    intercept = other.intercept;
    phase = other.phase;
    use(other.scaling);
  }

  /** The same by the engine of the cell alone, or by that of the whole space and by cells. */
  private double predictThenLearn(
      FeatureVector x, FeatureVector z, double y, double weight, double[] scores) {
    @Nullable Cell<AutoEngine> cell = levels.find(x);
    if (cell == null) {
      return predictThenLearnHere(x, z, y, weight, scores);
    }
    if (weight > 0 && knows(y) && levels.leaves(cell)) {
      return levels.pass(cell, x, y, weight, scores, this);
    }
    double prediction = predictThenLearnHere(x, z, y, weight, scores);
    return levels.join(cell, x, y, weight, prediction, scores, this);
  }

  /** The same by the engine of the whole space. */
  private double predictThenLearnHere(
      FeatureVector x, FeatureVector z, double y, double weight, double[] scores) {
    double[] columns = leader().ask(z, shifted(y), weight);
    double target = weight > 0 ? target(columns[0], y) : y;
    if (scores.length > 0) {
      spread(columns, scores);
    }
    double prediction = Decision.answer(leader(), columns, leader().columns()) + intercept;
    if (weight > 0) {
      observeTemperature(columns, y);
      leader().step(z, target, leader().worth(weight));
      race.othersLearn(z, target, weight);
      trial.learn(z, target, weight);
      advance(x, y, weight);
    }
    return prediction;
  }

  /** Whether a cell may learn from an instance alone: its label, if it has one, is known here. */
  public boolean knows(double y) {
    return config.task() == Task.REGRESSION || leader().labels.indexOf(y) != Labels.UNKNOWN;
  }

  /** Checks an instance before anything changes, and scales it. */
  private FeatureVector admit(FeatureVector x, double y, double weight) {
    FeatureVector z = scaler.scale(x);
    AutoLimits.requireFinite(config.task(), x, y);
    AutoLimits.requireRoom(this, x, y);
    leader().check(z, shifted(y), weight);
    if (weight > 0) {
      SavedSize.require(savedBytesWith(x), mostSaved, "budget(n), cells(n) or memory(bytes)");
    }
    return z;
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

  /** Finds most of the wrong uses by two threads, at no cost; not a lock. */
  private void enter() {
    if (learning) {
      throw new ConcurrentModificationException(
          "two threads are in one learner: a learner is for one thread at a time; share its"
              + " snapshot()");
    }
    learning = true;
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
    levels.keepAll(stored, leader().set);
    stored.clear();
  }

  /** Learns the stored instances again with what they say; leaves all as it was if that fails. */
  private void refit(boolean last) {
    Fitting fitting = new Fitting(config, stored, MemoryShares.rest(config) - AutoLimits.FIXED);
    race = fitting.race(last, ofCell);
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
    if (renewal != null && renewal.challenger != null) {
      renewal.drop();
    }
    levels.relabel(renamed);
    levels.forEach(expert -> expert.rename(renamed));
  }

  @Override
  public double predict(FeatureVector x) {
    FeatureVector z = scaler.scale(x);
    @Nullable Cell<AutoEngine> cell = levels.leading(x);
    return cell != null
        ? cell.predict(x)
        : Decision.answer(leader(), leader().evaluate(z), leader().columns()) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    FeatureVector z = scaler.scale(x);
    @Nullable Cell<AutoEngine> cell = levels.leading(x);
    if (cell != null) {
      return cell.score(x, this);
    }
    double[] columns = leader().evaluate(z);
    double winner = columns[Decision.argmax(columns, leader().columns())];
    return temperature.factor() * winner + intercept;
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    FeatureVector z = scaler.scale(x);
    @Nullable Cell<AutoEngine> cell = levels.leading(x);
    if (cell != null) {
      cell.scores(x, out, this);
    } else {
      spread(leader().evaluate(z), out);
    }
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
    return leader().size() + levels.answering();
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
    return leader().instances() + levels.passed + levels.before;
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
    return leader()
        .snapshot()
        .withInstances(instances())
        .times(temperature.factor())
        .with(scaling, intercept)
        .with(levels.snapshot())
        .with(calibration());
  }

  @Override
  public Calibration calibration() {
    return calibrator == null ? Calibration.NONE : new Calibration(calibrator.copy());
  }

  /** Bytes of its file after x was learned from, at most. */
  public long savedBytesWith(FeatureVector x) {
    return AutoLimits.file(this, x);
  }
}
