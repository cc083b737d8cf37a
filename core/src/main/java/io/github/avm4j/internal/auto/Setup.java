// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.newton.Candidates;
import io.github.avm4j.internal.newton.Columns;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.internal.newton.Footprint;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.internal.newton.SecondOrderEngine;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.kernel.Gaussian;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What all parts of a learner share: its settings, the classes met so far, the form of its rows and
 * how a bound on bytes is divided.
 *
 * <p>The door is an engine that learns nothing. It knows the labels and the form of rows, so it
 * refuses what any expert would refuse, before anything has changed.
 *
 * <p>Where bytes are bounded, each of five experts has 5/32 of them and the rows that are kept
 * 4/32; the rest is for scalings. The space is not divided and nothing begins afresh then.
 */
final class Setup {
  /** Experts at a time, while bytes are bounded. */
  static final int MOST_EXPERTS = 5;

  private static final int UNITS = 32;
  private static final int UNITS_PER_EXPERT = 5;
  private static final int UNITS_OF_ROWS = 4;

  /** Bytes of objects, and of arrays that do not grow. */
  static final int FIXED = 4096;

  /** Rows kept for divisions, and bytes of them. */
  private static final int KEPT = 50_000;

  private static final long KEPT_BYTES = 1 << 25;

  /** Scalings that views and experts have at a time, at most. */
  private static final int VIEWS = 5;

  /** Of the bytes that are left for scalings and ranges, those of ranges. */
  private static final double OF_RANGES = 0.25;

  private final AutoConfig config;
  private final SecondOrderConfig settings;
  private final SecondOrderEngine door;

  /**
   * Steps of an engine with all its core points that a row may take before the rest has to wait.
   */
  private static final int STEPS = 16;

  private double elements;
  private double limit;

  Setup(AutoConfig config) {
    this.config = config;
    long share = expertBytes(config);
    long least = Footprint.least(Columns.count(config.labels().size()));
    if (config.memory() > 0 && least > share) {
      throw Footprint.refusal(config.labels().size(), config.memory(), memoryFor(least));
    }
    this.settings =
        new SecondOrderConfig(
            config.task(),
            new Gaussian(config.gamma() > 0 ? config.gamma() : 1),
            config.loss(),
            config.lambda(),
            config.skip(),
            config.novelty(),
            config.forgetting() == 0 ? 1 : config.forgetting(),
            config.budget(),
            share,
            true,
            config.features(),
            config.labels());
    this.door = new SecondOrderEngine(settings);
  }

  private static long expertBytes(AutoConfig config) {
    return config.memory() / UNITS * UNITS_PER_EXPERT;
  }

  private static long memoryFor(long expertBytes) {
    return (expertBytes + UNITS_PER_EXPERT - 1) / UNITS_PER_EXPERT * UNITS;
  }

  /** Elements of matrices, rows and scores were passed over. */
  void pass(double more) {
    elements += more;
  }

  /** A row comes. What can wait is to be left to later rows once this one has taken its share. */
  void meet(FeatureVector x) {
    double budget = Math.max(Cell.BUDGET, config.budget());
    double columns = Columns.count(labels().size());
    limit = elements + STEPS * budget * (budget + x.count() + 2 * columns);
  }

  /**
   * Whether there is room with this row for one piece more of work that can wait. There always is
   * for two, so that who works through rows catches up with the stream.
   *
   * @param pieces done with this row
   */
  boolean mayGoOn(int pieces) {
    return pieces < 2 || elements < limit;
  }

  /** Elements that the learner has passed over, teaching and divisions included. */
  double elements() {
    return elements;
  }

  AutoConfig config() {
    return config;
  }

  Task task() {
    return config.task();
  }

  boolean isRegression() {
    return config.task() == Task.REGRESSION;
  }

  /** The labels met, in their order. */
  Labels labels() {
    return door.labels;
  }

  /** The door, which predicts until there is an expert. */
  SecondOrderEngine door() {
    return door;
  }

  /** Whether bytes are bounded. */
  boolean isBounded() {
    return config.memory() > 0;
  }

  /** Whether forgetting factors are tried, and fresh learners: none is set. */
  boolean mayForget() {
    return config.forgetting() == 0;
  }

  /** Settings of experts that know all classes met, but for the kernel. */
  SecondOrderConfig experts(double forgetting) {
    List<Double> indices =
        IntStream.range(0, isRegression() ? 0 : labels().size()).mapToObj(c -> (double) c).toList();
    return settings.toBuilder().forgetting(forgetting).build().withLabels(indices);
  }

  /** The forgetting factor to begin with. */
  double forgetting() {
    return settings.forgetting();
  }

  /** Whether γ is set. */
  boolean hasGamma() {
    return config.gamma() > 0;
  }

  /** Kernels to begin with. */
  List<Shape> prior() {
    if (config.gamma() > 0) {
      return List.of(Shape.ofGamma(config.gamma()));
    }
    return config.kernel() == KernelChoice.GAUSSIAN ? Shape.GAUSSIANS : Shape.PRIOR;
  }

  /** A kernel that may stand beside another: itself, or the nearest to it that may be chosen. */
  Shape allowed(Shape wanted, Shape beside) {
    boolean free = config.gamma() == 0;
    boolean any = config.kernel() == KernelChoice.AUTOMATIC || wanted.gaussian();
    return free && any ? wanted : beside;
  }

  /** Whether the scaling of features is for the learner to choose, and their weights. */
  boolean choosesScaling() {
    return config.scaling() == ScalingMode.AUTOMATIC;
  }

  /** The scaling of features by rows. */
  Scaling fitted(List<FeatureVector> rows) {
    Scaling scaling = ScalingFitter.fit(rows, config.scaling());
    double room = (1 - OF_RANGES) * restBytes();
    boolean fits = !isBounded() || VIEWS * Scaling.bytes(scaling.dimension()) <= room;
    return fits ? scaling : Scaling.none();
  }

  /** Most features that have a range. */
  int ranges() {
    double room = OF_RANGES * restBytes() / Ranges.BYTES;
    return isBounded() ? (int) Math.min(Integer.MAX_VALUE, room) : Integer.MAX_VALUE;
  }

  private long restBytes() {
    return Math.max(
        0,
        config.memory()
            - MOST_EXPERTS * expertBytes(config)
            - config.memory() / UNITS * UNITS_OF_ROWS
            - FIXED);
  }

  /** Most bytes of rows that are kept. */
  long rowBytes() {
    return isBounded() ? config.memory() / UNITS * UNITS_OF_ROWS : KEPT_BYTES;
  }

  /** Most rows that are kept. */
  int rows() {
    return KEPT;
  }

  /** An engine for rows as the learner gets them. */
  SecondOrderEngine engine(SecondOrderConfig changed) {
    SecondOrderEngine engine = new SecondOrderEngine(changed);
    engine.restore(door.emptySet(), door.isStarted());
    return engine;
  }

  /** Refuses what cannot be learned, before anything changes. */
  void check(FeatureVector x, double y, double weight) {
    CoreDistances.requireFinite(x);
    if (isBounded()) {
      long least = Footprint.least(door, x, y);
      if (least > expertBytes(config)) {
        throw Footprint.refusal(door, x, y, config.memory(), memoryFor(least));
      }
    }
    door.check(x, y, weight);
  }

  /**
   * A row to learn in the form of the first one, which decides it: what is sparse among dense rows
   * becomes dense, and what is dense among sparse rows becomes sparse.
   */
  FeatureVector formed(FeatureVector x) {
    if (!door.isStarted()) {
      door.restore(door.firstSet(x), true);
    }
    if (x.isSparse() == door.set().isOpenEnded()) {
      return x;
    }
    if (!x.isSparse()) {
      int[] met = IntStream.range(0, x.count()).filter(j -> x.values()[j] != 0).toArray();
      return FeatureVector.sparse(met, IntStream.of(met).mapToDouble(j -> x.values()[j]).toArray());
    }
    double[] values = new double[door.set().dimension()];
    for (int k = 0; k < x.count(); k++) {
      values[x.indices()[k]] = x.values()[k];
    }
    return FeatureVector.dense(values);
  }

  /** The index of a class, which is added if it is new; a number as it is. */
  double target(double y) {
    if (isRegression()) {
      return y;
    }
    int index = labels().indexOf(y);
    return index == Labels.UNKNOWN ? door.addClass(y) : index;
  }

  /** Whether a label was met, or is a number. */
  boolean knows(double y) {
    return isRegression() || labels().indexOf(y) != Labels.UNKNOWN;
  }

  /** A number whose square can be summed. */
  static double bounded(double y) {
    return ExpansionEngine.bounded(y);
  }

  /** The intercept that rows suggest. */
  double intercept(StoredInstances rows) {
    return isRegression() ? rows.meanTarget() : 0;
  }

  /** Bytes of an expert of so many core points in a file, at most; and once more as a model. */
  long fileBytes(FeatureVector x, int points) {
    long columns = Columns.count(labels().size() + 1);
    long values = Math.max(x.count(), door.set().dimension());
    long point = 12 * Math.min(values, CoreSet.TILED_DIMENSION_LIMIT) + 8 * columns + 32;
    long candidates = Candidates.MOST * (2 * point + 8L * points);
    return points * (2 * point + 8L * (points + 1)) + candidates + 2048 + 64L * values;
  }
}
