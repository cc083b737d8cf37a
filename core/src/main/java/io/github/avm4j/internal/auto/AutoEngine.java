// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.calibration.Residuals;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.newton.Engine;
import io.github.avm4j.internal.newton.SavedSize;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The learner that finds its settings while it learns. On a page:
 *
 * <ol>
 *   <li><b>Row</b>: what cannot be learned is refused ({@link Setup#check}), labels become indices,
 *       features are cut to the ranges learned so far ({@link Ranges}).
 *   <li><b>Beginning</b>, 1,000 rows: four kernels, at fixed multiples of the median distance
 *       between rows, are taught all rows so far at 1, 2, 5, 25, 100 and 300; that of the smallest
 *       loss predicts. At the end features are weighed by their relevance ({@link Beginning}).
 *   <li><b>Whole</b>: the best expert goes on; up to two others challenge it, and one copy at a
 *       time that forgets at another speed ({@link Whole}).
 *   <li><b>Cells</b>: the space is divided at 3,000 rows, and again into four times as many cells
 *       whenever the stream is four times as long; not while it forgets fast. Each cell has an
 *       expert with a scaling of its own, which predicts where it is better ({@link Divisions},
 *       {@link Cell}).
 *   <li><b>Renewal</b>: when losses rise, a fresh {@link Space}, which is all but labels, ranges
 *       and intervals, learns beside ({@link Renewal}).
 * </ol>
 *
 * <p>After the beginning every change of what predicts is a {@link Challenge} by one of the rows of
 * {@link Rule}. Sums of losses on rows of before choose only who predicts in a beginning, and with
 * which expert a cell starts its challenge. Trials of forgetting together may cost at most as much
 * as what predicts: none begins while they have cost more.
 *
 * <p>With a bound on bytes nothing is divided or begun afresh; with a forgetting factor that is set
 * none is tried, and nothing is begun afresh. The package comment says where each number is.
 *
 * <p>Why no search for settings: the kernel is nearly settled by the distances between rows,
 * whether to forget outweighs it, and cells make up for the rest. A search for γ, races between
 * kernels in every cell and contests of exponents took five to fourteen times the work of learning;
 * without them the error over the development streams is the same.
 *
 * <p>Labels become indices of classes here, once. The errors of predictions set the widths of
 * intervals ({@link Calibrator}). A stream that ends within its beginning may be fitted at once
 * ({@link ShortStream}). For one thread.
 */
public final class AutoEngine implements Engine {
  private static final double[] NO_SCORES = {};

  /** Scalings in a file: of the model, and of views. */
  private static final long SCALINGS = 5;

  private final Setup setup;
  private final Renewal renewal;
  private final @Nullable Calibrator calibrator;
  private final Ranges ranges;
  private Space space;
  private @Nullable Model fit;
  private long instances;
  private double[] ownScores = NO_SCORES;
  private double[] probabilities = NO_SCORES;
  private boolean entered;
  private long mostSaved = SavedSize.MOST;

  /**
   * An engine that has learned nothing.
   *
   * @throws IllegalArgumentException if the memory has no room for the declared labels
   */
  public AutoEngine(AutoConfig config) {
    this.setup = new Setup(config);
    this.renewal = new Renewal(setup);
    this.ranges = new Ranges(setup);
    this.space = new Space(setup, setup.forgetting());
    double[] levels = config.levels().stream().mapToDouble(level -> level).toArray();
    this.calibrator =
        levels.length == 0
            ? null
            : new Calibrator(levels, setup.isRegression() ? new Residuals() : null);
  }

  private AutoEngine(
      Setup setup, Renewal renewal, Ranges ranges, @Nullable Calibrator calibrator, Space space) {
    this.setup = setup;
    this.renewal = renewal;
    this.ranges = ranges;
    this.calibrator = calibrator;
    this.space = space;
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    predictThenLearn(x, y, weight, NO_SCORES);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    enter();
    try {
      Objects.requireNonNull(x, "x is null");
      setup.check(x, y, weight);
      if (weight == 0) {
        if (scores.length > 0) {
          scores(x, scores);
        }
        return predict(x);
      }
      SavedSize.require(savedBytesWith(x), mostSaved, "budget(n), cells(n) or memory(bytes)");
      return step(x, y, weight, wanted(scores));
    } finally {
      entered = false;
    }
  }

  private double step(FeatureVector x, double y, double weight, double[] wanted) {
    int classesBefore = setup.labels().size();
    boolean known = setup.knows(y);
    double target = setup.target(y);
    FeatureVector unbounded = setup.formed(x);
    FeatureVector bounded = ranges.bounded(unbounded);
    setup.meet(bounded);
    double predicted = space.learn(bounded, target, weight, known, wanted.length > 0);
    double prediction =
        setup.isRegression() ? predicted : classesBefore == 0 ? Double.NaN : labelOf(predicted);
    if (wanted.length > 0) {
      spread(space.lastPredictor(), wanted, classesBefore);
    }
    fit = null;
    instances++;
    ranges.learned(unbounded);
    observe(prediction, y, wanted, classesBefore);
    space = renewal.learned(space, bounded, target, weight, known);
    return prediction;
  }

  private double labelOf(double index) {
    return setup.labels().label((int) index);
  }

  private void spread(@Nullable Expert expert, double[] out, int classes) {
    if (expert != null) {
      expert.spread(out, classes);
    } else {
      Arrays.fill(out, 0, setup.isRegression() ? 1 : classes, 0);
    }
  }

  /** Where scores go: into the caller's array, else into one of its own for the calibrator. */
  private double[] wanted(double[] scores) {
    if (scores.length > 0 || calibrator == null || setup.isRegression()) {
      return scores;
    }
    if (ownScores.length <= classes()) {
      ownScores = new double[2 * classes() + 2];
    }
    return ownScores;
  }

  /** Passes on to the calibrator how far off a prediction was. */
  private void observe(double prediction, double y, double[] scores, int known) {
    @Nullable Calibrator used = calibrator;
    if (used == null) {
      return;
    }
    if (setup.isRegression()) {
      used.observeNumber(prediction, y);
      return;
    }
    if (probabilities.length < known) {
      probabilities = new double[2 * known];
    }
    System.arraycopy(scores, 0, probabilities, 0, known);
    Decision.softmax(probabilities, known);
    int label = setup.labels().indexOf(y);
    used.observeLabel(label < known ? probabilities[label] : Double.NaN, prediction == y);
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

  @Override
  public double predict(FeatureVector x) {
    @Nullable Model fitted = fit;
    if (fitted != null) {
      return fitted.predict(x);
    }
    FeatureVector seen = seen(x);
    @Nullable Expert expert = space.expertFor(seen);
    if (expert == null) {
      return setup.door().predict(x);
    }
    double prediction = expert.predict(seen);
    return setup.isRegression() ? prediction : labelOf(prediction);
  }

  /** What the kernels see of a row to predict. */
  private FeatureVector seen(FeatureVector x) {
    setup.door().checkShape(x);
    return ranges.bounded(x);
  }

  @Override
  public double score(FeatureVector x) {
    @Nullable Model fitted = fit;
    if (fitted != null) {
      return fitted.score(x);
    }
    FeatureVector seen = seen(x);
    @Nullable Expert expert = space.expertFor(seen);
    return expert == null
        ? setup.door().score(x)
        : expert.score(seen, classes(), expert == space.leader());
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    @Nullable Model fitted = fit;
    if (fitted != null) {
      fitted.scores(x, out);
      return;
    }
    FeatureVector seen = seen(x);
    @Nullable Expert expert = space.expertFor(seen);
    if (expert == null) {
      setup.door().scores(x, out);
      return;
    }
    int needed = Math.max(classes(), setup.isRegression() ? 1 : 0);
    if (out.length < needed) {
      throw new IllegalArgumentException(
          "out must have room for " + needed + " scores, had " + out.length);
    }
    expert.score(seen);
    expert.spread(out, classes());
  }

  /** The stream has ended: if that was within the beginning, all its rows are fitted. */
  public void finish() {
    if (fit == null && renewal.count() == 0) {
      @Nullable Model fitted = ShortStream.fit(setup, space, instances);
      fit = fitted == null ? null : fitted.with(ranges.snapshot());
    }
  }

  /** Whether predictions come from a fit to all rows. */
  public boolean isFitted() {
    return fit != null;
  }

  /** Gives every class another label; no two may become one. */
  public void rename(DoubleUnaryOperator renamed) {
    fit = null;
    setup.labels().rename(renamed);
  }

  /** Elements of matrices and rows that it has passed over: its work, counted. */
  double elements() {
    return setup.elements();
  }

  Setup setup() {
    return setup;
  }

  /** The settings it was built with. */
  public AutoConfig settings() {
    return setup.config();
  }

  /** The engine that predicts where no cell does; one that has learned nothing at first. */
  public SecondOrderEngine leader() {
    @Nullable Expert leader = space.leader();
    return leader == null ? setup.door() : leader.engine();
  }

  /** The configuration in use, with what was found so far. */
  @Override
  public LearnerConfig config() {
    return leader().config().withLabels(setup.config().labels());
  }

  /** What is done to features where no cell predicts. */
  public Scaling scaling() {
    @Nullable Expert leader = space.leader();
    return leader == null ? Scaling.none() : leader.view().scaling();
  }

  /** The ranges of features, of what was learned so far. */
  public Bounds bounds() {
    return ranges.snapshot();
  }

  /** Whether it is in its beginning. */
  public boolean isBeginning() {
    return space.beginning() != null;
  }

  @Override
  public Task task() {
    return setup.task();
  }

  @Override
  public int classes() {
    return setup.labels().size();
  }

  @Override
  public double label(int index) {
    return setup.labels().label(index);
  }

  @Override
  public int size() {
    return fit != null ? fit.size() : space.corePoints();
  }

  @Override
  public long instances() {
    return instances;
  }

  @Override
  public long absorbed() {
    return leader().absorbed();
  }

  /** Number of cells of the newest division. */
  public int cells() {
    return space.cells();
  }

  /** Cells whose own expert predicts. */
  public int predictingCells() {
    return space.leadingCells();
  }

  /** How often all was begun afresh. */
  public long renewals() {
    return renewal.count();
  }

  /** How challenges stand. */
  public List<Evidence> evidence() {
    List<Evidence> all = new ArrayList<>(space.evidence());
    all.add(renewal.evidence());
    return all;
  }

  /** Bytes of its file after x was learned, at most. */
  public long savedBytesWith(FeatureVector x) {
    @Nullable Model fitted = fit;
    return (1 << 13)
        + 64L * (classes() + 1)
        + (fitted == null ? 0 : FileSize.of(fitted))
        + (SCALINGS * FileSize.SCALED_FEATURE + 2L * Ranges.BYTES) * features(x)
        + space.fileBytesWith(x)
        + renewal.fileBytesWith(x);
  }

  /** Features that a scaling has after x was learned, at most. */
  private int features(FeatureVector x) {
    @Nullable StoredInstances first = space.beginning();
    int met = Math.max(scaling().dimension(), first == null ? 0 : first.features());
    return Math.max(met, x.dimension());
  }

  /** Refuses rows once its file could take more. */
  public void limitFile(long bytes) {
    mostSaved = bytes;
  }

  /** About the bytes of its file. */
  public long fileBytes() {
    @Nullable Expert leader = space.leader();
    @Nullable Model fitted = fit;
    return FileSize.FIXED
        + (calibrator == null ? 0 : FileSize.CALIBRATION)
        + 16L * classes()
        + (long) Ranges.BYTES * ranges.dimension()
        + (fitted != null
            ? FileSize.of(fitted)
            : leader == null ? 0 : FileSize.ofModel(leader.engine(), leader.view().scaling()))
        + space.fileBytes()
        + renewal.fileBytes();
  }

  /** Bytes of heap, at most. */
  public long bytes() {
    @Nullable Model fitted = fit;
    return Setup.FIXED
        + setup.door().bytes()
        + ranges.bytes()
        + 24L * setup.config().labels().size()
        + 32L * (classes() + 1)
        + space.bytes()
        + renewal.bytes()
        + (fitted == null ? 0 : fitted.coreSet().bytes() + 16L * fitted.columns() * fitted.size());
  }

  @Override
  public Calibration calibration() {
    return calibrator == null ? Calibration.NONE : new Calibration(calibrator.copy());
  }

  @Override
  public Model snapshot() {
    @Nullable Model fitted = fit;
    Model model =
        fitted != null
            ? fitted
            : space.leader() == null ? setup.door().snapshot() : space.snapshot(instances);
    return model.with(ranges.snapshot()).with(calibration());
  }

  /** What was chosen, in words. */
  @Override
  public String toString() {
    return space + ", renewals " + renewal.count();
  }

  void write(StateWriter out) {
    out.i64(instances);
    out.flag(fit != null);
    ranges.write(out);
    space.write(out);
    renewal.write(out);
  }

  /**
   * Goes on with what was written.
   *
   * @param model of the same file
   */
  static AutoEngine read(StateReader in, Model model) throws InvalidModelException {
    Calibration saved = model.calibration();
    long instances = in.count("instances");
    boolean fitted = in.flag("fit");
    Ranges ranges = Ranges.read(in, model.bounds());
    Space space = Space.read(in);
    Renewal renewal = Renewal.read(in);
    @Nullable Calibrator calibrator = saved.levels().isEmpty() ? null : saved.copy();
    AutoEngine engine = new AutoEngine(in.setup(), renewal, ranges, calibrator, space);
    engine.instances = instances;
    engine.fit = fitted ? model : null;
    return engine;
  }
}
