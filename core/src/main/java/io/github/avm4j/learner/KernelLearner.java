// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.coverage.Coverage.NONE;

import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.approximation.SplitMix64;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.Hyperrectangle;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.model.Shape;
import io.github.avm4j.solver.FirstOrder;

/**
 * Algorithms 1, 2 and 5: kernel SGD in which an instance may be replaced by the core point of its
 * cell. Regression, two classes and many classes are one path: a gradient for one column, or for
 * the label's column and its rival's.
 *
 * <p>A step costs one distance pass, O(S·d) dense or O(S·nnz) sparse, and allocates only when a
 * core point or a class is new. With the squared loss and λ ≤ 1 it costs a second pass.
 *
 * <p>Up to two classes share one column f, negative for the first label and positive for the second
 * (Algorithm 2). A third class turns it into columns −f/2 and f/2 and from then on Algorithm 5
 * applies; declare three or more labels to have it from the start.
 */
public final class KernelLearner implements Learner {
  private final AvmConfig config;
  private final Kernel kernel;
  private final Loss loss;
  private final Coverage coverage;
  private final Approximation approximation;
  private final boolean projects;
  private final CoreDistances distances = new CoreDistances();

  final Labels labels;
  final FirstOrder solver;
  final SplitMix64 random;
  CoreSet set;
  boolean started;
  long absorbed;
  long refused;
  double yMax;

  private double[] scores;
  private int column;
  private int rival = NONE;
  private double margin;

  /** A learner that has seen nothing. */
  public KernelLearner(AvmConfig config) {
    this(
        config,
        new Labels(config.labels().stream().mapToDouble(Double::doubleValue).toArray()),
        config.seed());
  }

  KernelLearner(AvmConfig config, Labels labels, long randomState) {
    this.config = config;
    this.kernel = config.kernel();
    this.loss = config.loss();
    this.coverage = config.coverage();
    this.approximation = config.approximation();
    this.projects = loss instanceof SquaredLoss && config.lambda() <= 1;
    this.labels = labels;
    this.solver = new FirstOrder(config.lambda(), config.output(), columns(labels.size()));
    this.scores = new double[solver.columns()];
    this.random = new SplitMix64(randomState);
    this.set = CoreSet.sparse(config.features());
    this.yMax = config.yMax();
  }

  /** Up to two classes, or a number, need one column; more need one each. */
  private static int columns(int classes) {
    return classes <= 2 ? 1 : classes;
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    check(x, y, weight);
    if (weight == 0) {
      return;
    }
    CoreSet points = started ? set : firstSet(x);
    distances.fill(points, x, kernel);
    start(points);
    double alpha = weight * gradient(y);
    double draw = approximation.isRandom() ? random.nextDouble() : 0;
    boolean approximate = approximation.approximate(solver.steps() + 1, margin, draw);
    int slot = place(x, alpha, approximate);
    double scoreAtCore = projects && slot != NONE ? scoreAtCore(slot) : 0;
    solver.beginStep();
    if (slot != NONE && alpha != 0) {
      solver.add(column, slot, alpha);
      if (rival != NONE) {
        solver.add(rival, slot, -alpha);
      }
    }
    if (projects && slot != NONE) {
      solver.project(alpha, scoreAtCore, yMax / Math.sqrt(config.lambda()));
    }
  }

  private void check(FeatureVector x, double y, double weight) {
    if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("weight must be >= 0 and finite, was " + weight);
    }
    if (!Double.isFinite(y)) {
      throw new IllegalArgumentException("y must be finite, was " + y);
    }
    if (config.yMax() > 0 && Math.abs(y) > config.yMax()) {
      throw new IllegalArgumentException("y must be within ±" + config.yMax() + ", was " + y);
    }
    Shape.check(x, dimension());
  }

  /** The number of features every vector must have, 0 if none is fixed yet. */
  private int dimension() {
    return started && !set.isOpenEnded() ? set.dimension() : config.features();
  }

  private CoreSet firstSet(FeatureVector x) {
    if (!x.isSparse()) {
      return CoreSet.dense(x.count());
    }
    if (coverage instanceof Hyperrectangle && config.features() == 0) {
      throw new IllegalArgumentException(
          "a hyperrectangle's side is delta/sqrt(d): set features(d) to learn from sparse vectors");
    }
    return CoreSet.sparse(config.features());
  }

  private void start(CoreSet points) {
    set = points;
    started = true;
  }

  /** α_t and, beside it, the margin, the column it belongs to and the rival column, if any. */
  private double gradient(double y) {
    column = 0;
    rival = NONE;
    if (config.task() == Task.REGRESSION) {
      yMax = Math.max(yMax, Math.abs(y));
      margin = 0;
      return loss.derivative(score(0), y);
    }
    int label = labels.indexOf(y);
    if (label == Labels.UNKNOWN) {
      label = addClass(y);
    }
    if (solver.columns() == 1) {
      double f = score(0);
      double target = label == 0 ? -1 : 1;
      margin = target * f;
      return loss.derivative(f, target);
    }
    column = label;
    for (int j = 0; j < solver.columns(); j++) {
      scores[j] = score(j);
      if (j != label && (rival == NONE || scores[j] > scores[rival])) {
        rival = j;
      }
    }
    margin = scores[label] - scores[rival];
    return loss.derivative(margin, 1);
  }

  private double score(int j) {
    return solver.score(j, distances.kernel(), distances.size());
  }

  /** Registers a class and gives it a column once there are more than two. */
  private int addClass(double label) {
    int index = labels.add(label);
    if (labels.size() > 2) {
      solver.addColumn();
      scores = new double[solver.columns()];
    }
    return index;
  }

  /** The core point that takes the gradient: the cell's, x itself, or none (Algorithm 2, 7–11). */
  private int place(FeatureVector x, double alpha, boolean approximate) {
    if (!approximation.usesCoverage()) {
      return alpha == 0 ? NONE : insert(x, false);
    }
    int cell = coverage.find(x, set, distances);
    if (cell == NONE) {
      return insert(x, true);
    }
    return approximate || alpha == 0 ? cell : insert(x, false);
  }

  private int insert(FeatureVector x, boolean centre) {
    if (config.budget() > 0 && set.size() >= config.budget()) {
      if (config.whenFull() == WhenFull.REFUSE) {
        refused++;
        return NONE;
      }
      absorbed++;
      return distances.nearest();
    }
    set = set.roomFor(x);
    int slot = set.append(x, centre);
    solver.reserve(slot);
    return slot;
  }

  /** w_tᵀΦ(c_slot); overwrites the distances unless c_slot is x itself. */
  private double scoreAtCore(int slot) {
    if (slot < distances.size()) {
      distances.fillFromPoint(set, slot, kernel);
    }
    return score(0);
  }

  @Override
  public double predict(FeatureVector x) {
    return Decision.answer(this, evaluate(x), solver.columns());
  }

  @Override
  public double score(FeatureVector x) {
    double[] columns = evaluate(x);
    return columns[Decision.argmax(columns, solver.columns())];
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    Decision.spread(this, evaluate(x), solver.columns(), out);
  }

  private double[] evaluate(FeatureVector x) {
    Shape.check(x, dimension());
    distances.fill(set, x, kernel);
    for (int j = 0; j < solver.columns(); j++) {
      scores[j] = solver.outputScore(j, distances.kernel(), distances.size());
    }
    return scores;
  }

  @Override
  public AvmConfig config() {
    return config;
  }

  @Override
  public Task task() {
    return config.task();
  }

  @Override
  public int classes() {
    return labels.size();
  }

  @Override
  public double label(int index) {
    return labels.label(index);
  }

  @Override
  public int size() {
    return set.size();
  }

  /** Number of cells, the paper's M_t: core points that are centres. */
  public int cells() {
    return set.size() - set.exactPoints();
  }

  @Override
  public long instances() {
    return solver.steps();
  }

  @Override
  public long absorbed() {
    return absorbed;
  }

  @Override
  public long refused() {
    return refused;
  }

  /** ‖w‖², kept only with the squared loss and λ ≤ 1. */
  public double squaredNorm() {
    if (!projects) {
      throw new IllegalStateException("the norm is kept only for the squared loss with λ ≤ 1");
    }
    return solver.squaredNorm();
  }

  @Override
  public Model snapshot() {
    return new Model(
        config,
        Provenance.here(instances()),
        labels.toArray(),
        set.copy(),
        solver.outputCoefficients(set.size()));
  }

  @Override
  public byte[] toBytes() {
    return LearnerFormat.write(this);
  }
}
