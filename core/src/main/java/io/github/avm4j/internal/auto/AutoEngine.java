// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.expansion.SavedSize;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.tuning.ShortStream;
import io.github.avm4j.internal.tuning.Trial;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import java.util.ConcurrentModificationException;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the default learner. A {@link TunedEngine} learns the whole space and finds its own
 * parameters; as the stream gets longer, the space is divided into cells that get engines of the
 * same kind ({@link Levels}). When losses rise, a fresh engine may take the place of all of them
 * ({@link Renewal}). Who predicts is decided by contests on losses of instances before they were
 * learned from. The errors of these predictions set the widths of intervals ({@link Calibrator}).
 */
public final class AutoEngine implements Engine {
  private static final double[] NO_SCORES = {};

  /** The engine of the whole space. */
  public TunedEngine whole;

  /** Its division into cells. */
  public Levels<TunedEngine> levels;

  /** Null where nothing may take its place: in challengers, and where bytes are bounded. */
  public @Nullable Renewal renewal;

  /** Null where nobody asks for intervals or prediction sets, and in challengers. */
  public @Nullable Calibrator calibrator;

  /** What predicts once a short stream has ended; null before, and as soon as learning goes on. */
  public @Nullable Model fit;

  /** Most bytes of its file. */
  public long mostSaved = SavedSize.MOST;

  private final CalibrationFeed feed = new CalibrationFeed();
  private boolean entered;

  /**
   * An engine that has seen nothing.
   *
   * @throws IllegalArgumentException if the memory has no room for the declared labels
   */
  public AutoEngine(AutoConfig config) {
    this(new TunedEngine(config));
  }

  /** Goes on with an engine that was saved; its space is not divided yet. */
  public AutoEngine(TunedEngine whole) {
    AutoConfig config = whole.config;
    this.whole = whole;
    this.levels = Experts.of(whole);
    this.renewal = config.memory() == 0 && config.forgetting() == 0 ? new Renewal() : null;
    this.calibrator = CalibrationFeed.calibrator(config);
  }

  /**
   * An engine that has seen nothing and whose place nothing takes.
   *
   * @param rate number of its forgetting factor, see {@link Trial}
   */
  static AutoEngine challenging(AutoConfig config, int rate) {
    AutoEngine engine = new AutoEngine(new TunedEngine(config, rate));
    engine.renewal = null;
    engine.calibrator = null;
    return engine;
  }

  /** The settings it was built with. */
  public AutoConfig settings() {
    return whole.config;
  }

  /** The engine that predicts where no cell does. */
  public SecondOrderEngine leader() {
    return whole.leader();
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
      double[] wanted = feed.wanted(scores, this);
      int known = classes();
      boolean estimating = isEstimating();
      double prediction = predictThenLearn(x, z, y, weight, wanted);
      if (weight > 0) {
        fit = null;
        feed.observe(this, prediction, y, wanted, known);
        if (!isRenewed(x, y, weight, prediction, estimating)) {
          divide(x, y, weight, estimating);
        }
      }
      return prediction;
    } finally {
      entered = false;
    }
  }

  /**
   * Checks an instance before anything changes, and scales it for the engine of the whole space.
   */
  private FeatureVector admit(FeatureVector x, double y, double weight) {
    FeatureVector z = whole.admit(x, y, weight);
    if (weight > 0) {
      SavedSize.require(savedBytesWith(x), mostSaved, "budget(n), cells(n) or memory(bytes)");
    }
    return z;
  }

  /** Predicts and learns: the engine of the whole space or a cell in its place, then cells. */
  private double predictThenLearn(
      FeatureVector x, FeatureVector z, double y, double weight, double[] scores) {
    int alone = levels.meet(x, weight > 0 && knows(y));
    double prediction =
        alone < 0
            ? whole.predictThenLearn(x, z, y, weight, scores)
            : levels.pass(alone, x, y, weight, scores, whole);
    return levels.join(alone + 1, x, y, weight, prediction, scores, whole);
  }

  /** Whether a cell may learn from an instance alone: its label, if it has one, is known here. */
  public boolean knows(double y) {
    return task() == Task.REGRESSION || leader().labels.indexOf(y) != Labels.UNKNOWN;
  }

  /** Whether a challenger has taken its place after an instance. */
  private boolean isRenewed(
      FeatureVector x, double y, double weight, double prediction, boolean estimating) {
    @Nullable Renewal may = renewal;
    if (may == null) {
      return false;
    }
    @Nullable AutoEngine better = may.learned(this, x, y, weight, prediction, estimating);
    if (better != null) {
      better.levels.before = instances() - better.instances();
      whole = better.whole;
      levels = better.levels;
    }
    return better != null;
  }

  /** Keeps an instance for the next division of the space, and divides it if it is time. */
  private void divide(FeatureVector x, double y, double weight, boolean estimated) {
    if (!estimated) {
      levels.keep(x, y, weight, leader().set);
      long seen = instances() - levels.before;
      levels.advance(seen, whole.scaling, leader().config(), AutoLimits.mostCells(this, x));
    } else if (!isEstimating()) {
      levels.keepAll(whole.stored, leader().set);
      whole.stored.clear();
    }
  }

  /** Finds most of the wrong uses by two threads, at no cost; not a lock. */
  private void enter() {
    if (entered) {
      throw new ConcurrentModificationException(
          "two threads are in one learner: a learner is for one thread at a time; share its"
              + " snapshot()");
    }
    entered = true;
  }

  /** The stream has ended: if that was within the estimation, all its instances are fitted. */
  public void finish() {
    if (fit == null && levels.before == 0 && AutoLimits.hasRoomForFit(this)) {
      fit = ShortStream.fit(whole);
    }
  }

  /** Gives every class another label; no two may become one. */
  public void rename(DoubleUnaryOperator renamed) {
    fit = null;
    whole.rename(renamed);
    if (renewal != null && renewal.challenger != null) {
      renewal.drop();
    }
    levels.relabel(renamed);
    levels.forEach(expert -> expert.rename(renamed));
  }

  @Override
  public double predict(FeatureVector x) {
    if (fit != null) {
      return fit.predict(x);
    }
    @Nullable Cell<TunedEngine> cell = levels.leading(x);
    return cell != null ? cell.predict(x) : whole.predict(x);
  }

  @Override
  public double score(FeatureVector x) {
    if (fit != null) {
      return fit.score(x);
    }
    @Nullable Cell<TunedEngine> cell = levels.leading(x);
    return cell != null ? cell.score(x, whole) : whole.score(x);
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    if (fit != null) {
      fit.scores(x, out);
      return;
    }
    @Nullable Cell<TunedEngine> cell = levels.leading(x);
    if (cell != null) {
      cell.scores(x, out, whole);
    } else {
      whole.scores(x, out);
    }
  }

  @Override
  public Task task() {
    return whole.task();
  }

  @Override
  public int classes() {
    return whole.classes();
  }

  @Override
  public double label(int index) {
    return whole.label(index);
  }

  @Override
  public int size() {
    return fit != null ? fit.size() : whole.size() + levels.predictingPoints();
  }

  /** The configuration found so far. */
  @Override
  public LearnerConfig config() {
    return whole.config();
  }

  /** Whether scaling and intercept may still change. */
  public boolean isEstimating() {
    return whole.isEstimating();
  }

  @Override
  public long instances() {
    return whole.instances() + levels.passed + levels.before;
  }

  @Override
  public long absorbed() {
    return whole.absorbed();
  }

  /** Bytes of heap it holds, at most: engines, stored instances, the scaling. */
  public long bytes() {
    return AutoLimits.heap(this);
  }

  @Override
  public Model snapshot() {
    return fit == null ? learning() : fit.with(calibration());
  }

  /** The model of what learns on. */
  public Model learning() {
    return whole
        .snapshot()
        .with(Provenance.here(instances()))
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
