// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import static io.github.avm4j.internal.coreset.CellSearch.NONE;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CellSearch;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.coreset.GreedyCover;
import io.github.avm4j.internal.newton.Columns;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.internal.newton.SavedSize;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Shape;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.SplitMix64;
import io.github.avm4j.paper.WhenFull;
import java.util.List;

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
public final class FirstOrderEngine extends ExpansionEngine {
  private final AvmConfig config;
  private final Loss loss;
  private final Coverage coverage;
  private final Approximation approximation;

  public final boolean projects;
  public final FirstOrder solver;
  public final SplitMix64 random;
  private long absorbed;
  private long refused;
  private double yMax;

  private int column;
  private int rival = NONE;
  private double margin;

  /** A learner that has seen nothing. */
  public FirstOrderEngine(AvmConfig config) {
    this(config, new Labels(), config.seed());
    addClasses(config.labels());
  }

  public FirstOrderEngine(AvmConfig config, Labels labels, long randomState) {
    super(config, labels);
    this.config = config;
    this.loss = config.loss();
    this.coverage = config.coverage();
    this.approximation = config.approximation();
    this.projects = loss instanceof SquaredLoss && config.lambda() <= 1;
    this.solver = new FirstOrder(config.lambda(), config.output(), 1);
    this.random = new SplitMix64(randomState);
    this.yMax = config.yMax();
  }

  @Override
  public void step(FeatureVector x, double y, double weight) {
    double alpha = weight * gradient(y);
    yMax = Math.max(yMax, Math.sqrt(weight) * Math.max(config.yMax(), Math.abs(y)));
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

  @Override
  public void check(FeatureVector x, double y, double weight) {
    super.check(x, y, weight);
    if (task() == Task.REGRESSION && config.yMax() > 0 && Math.abs(y) > config.yMax()) {
      throw new IllegalArgumentException("y must be within ±" + config.yMax() + ", was " + y);
    }
  }

  @Override
  public void checkFirst(FeatureVector x) {
    if (x.isSparse() && coverage instanceof Hyperrectangle && config.features() == 0) {
      throw new IllegalArgumentException(
          "a hyperrectangle's side is delta/sqrt(d): set features(d) to learn from sparse vectors");
    }
  }

  /** α_t and, beside it, the margin, the column it belongs to and the rival column, if any. */
  private double gradient(double y) {
    column = 0;
    rival = NONE;
    if (config.task() == Task.REGRESSION) {
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

  /** The core point that takes the gradient: the cell's, x itself, or none (Algorithm 2, 7–11). */
  private int place(FeatureVector x, double alpha, boolean approximate) {
    if (!approximation.usesCoverage()) {
      return alpha == 0 ? NONE : insert(x, false);
    }
    int cell = CellSearch.find(coverage, x, set, distances);
    if (cell == NONE) {
      return insert(x, true);
    }
    return approximate || alpha == 0 ? cell : insert(x, false);
  }

  /** Core points of a coverage made in advance; before anything was learned. */
  public void cover(List<FeatureVector> sample) {
    if (started || sample.isEmpty() || sample.size() > GreedyCover.MOST) {
      throw new IllegalStateException(
          started
              ? "the coverage grows with the stream now: cover a sample before the first instance"
              : "a sample must have 1 to " + GreedyCover.MOST + " instances, was " + sample.size());
    }
    CoreSet empty = firstSet(sample.get(0));
    for (FeatureVector x : sample) {
      CoreDistances.requireFinite(x);
      Shape.check(x, empty.isOpenEnded() ? config.features() : empty.dimension());
      checkFirst(x);
    }
    List<FeatureVector> chosen = GreedyCover.of(coverage, sample, empty);
    if (config.budget() > 0 && chosen.size() > config.budget()) {
      throw new IllegalArgumentException(
          "the sample needs %d cells, the budget is %d: raise the budget or delta"
              .formatted(chosen.size(), config.budget()));
    }
    set = empty;
    started = true;
    for (FeatureVector c : chosen) {
      insert(c, true);
    }
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
  public int columns() {
    return solver.columns();
  }

  @Override
  public void setColumns(int columns) {
    solver.setColumns(columns);
  }

  @Override
  public double outputScore(int j) {
    return solver.outputScore(j, distances.kernel(), distances.size());
  }

  @Override
  public double[][] outputCoefficients() {
    return solver.outputCoefficients(set.size());
  }

  @Override
  public AvmConfig config() {
    return config;
  }

  /** Number of cells, the paper's M_t: core points that are centres. */
  public int cells() {
    return set.size() - set.exactPoints();
  }

  @Override
  public long instances() {
    return solver.steps();
  }

  /** The largest target, weighted, or the one that was set. */
  public double yMax() {
    return yMax;
  }

  /** Goes on with saved numbers. */
  public void restore(long savedAbsorbed, long savedRefused, double savedYMax) {
    absorbed = savedAbsorbed;
    refused = savedRefused;
    yMax = savedYMax;
  }

  @Override
  public long absorbed() {
    return absorbed;
  }

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
  public long savedBytesWith(FeatureVector x) {
    long columns = Columns.count(classes() + 1);
    long perPoint = 8 * columns * (2 + solver.average().windowCount());
    return SavedSize.points(this, x) + (size() + 1) * perPoint;
  }
}
