// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.loss.Logistic;
import java.util.List;

/**
 * The output of learning: f(x) = b + Σ_i w_i·K(g(x), c_i) with a fixed scaling g, one column of
 * coefficients for a margin or a regression, or one per class.
 *
 * <pre>{@code
 * Model model = learner.snapshot();
 * double label = model.predict(x);
 * double[] probabilities = model.probabilities(x); // of model.label(0), model.label(1), …
 * }</pre>
 *
 * <p>The input space may be divided into cells, more than once ({@link #levels}), of which some
 * have a model of their own. An instance is predicted by the model of its cell in the newest level
 * where that has one, and by the expansion of this model where none has. Methods on core points and
 * coefficients are about the expansion of this model alone.
 *
 * <p>Immutable. Any number of threads may predict at once: no lock, and no allocation once as many
 * have predicted at once before. A prediction costs one distance per centre on its way and one per
 * core point of the expansion that predicts.
 */
public final class Model implements Predictor {
  private final LearnerConfig config;
  private final Provenance provenance;
  private final double[] labels;
  final Expansion expansion;
  private final Division division;
  private final Bounds bounds;

  /**
   * Takes ownership of all arguments: the caller must not change them any more.
   *
   * @param config checked settings
   * @param provenance where it comes from
   * @param labels labels, one per class; empty for regression
   * @param set core points
   * @param coefficients coefficients, one array per column
   * @param scaling what is done to features first
   * @param intercept what is added; 0 for classification
   * @throws IllegalArgumentException if labels are not acceptable or sizes do not fit each other
   */
  public Model(
      LearnerConfig config,
      Provenance provenance,
      double[] labels,
      CoreSet set,
      double[][] coefficients,
      Scaling scaling,
      double intercept) {
    this(
        config,
        provenance,
        labels,
        new Expansion(config.kernel(), set, coefficients, scaling, intercept),
        List.of(),
        Bounds.NONE);
  }

  Model(
      LearnerConfig config,
      Provenance provenance,
      double[] labels,
      Expansion expansion,
      List<Cells> levels,
      Bounds bounds) {
    expansion.checkFits(config, labels);
    this.config = config;
    this.provenance = provenance;
    this.labels = labels;
    this.expansion = expansion;
    this.division = new Division(this, levels);
    this.bounds = bounds;
  }

  private Model(Model same, Calibration calibration) {
    this.config = same.config;
    this.provenance = same.provenance;
    this.labels = same.labels;
    this.expansion = new Expansion(same.expansion, calibration);
    this.division = same.division;
    this.bounds = same.bounds;
  }

  /**
   * {@return the same expansion for vectors that are to be scaled first, plus an intercept}
   *
   * @param newScaling what is done to features first
   * @param newIntercept what is added, finite; 0 for classification
   */
  public Model with(Scaling newScaling, double newIntercept) {
    return new Model(
        config, provenance, labels, expansion.with(newScaling, newIntercept), levels(), bounds);
  }

  /**
   * {@return the same expansion with other levels of cells}
   *
   * @param newLevels the levels, oldest first
   * @throws IllegalArgumentException if the model of a cell has another task or shape, or a class
   *     that this model has not
   */
  public Model with(List<Cells> newLevels) {
    return new Model(config, provenance, labels, expansion, newLevels, bounds);
  }

  /**
   * {@return the same expansion with intervals or prediction sets}
   *
   * @param calibration how far off predictions have been
   */
  public Model with(Calibration calibration) {
    return new Model(this, calibration);
  }

  /**
   * {@return the same expansion for features that are bounded first}
   *
   * @param newBounds ranges of the features, before they are scaled
   */
  public Model with(Bounds newBounds) {
    return new Model(config, provenance, labels, expansion, levels(), newBounds);
  }

  /**
   * {@return the same model that comes from elsewhere}
   *
   * @param newProvenance where it comes from
   */
  public Model with(Provenance newProvenance) {
    return new Model(config, newProvenance, labels, expansion, levels(), bounds);
  }

  /**
   * {@return the same expansion with scores multiplied by a factor; a regression's intercept stays}
   *
   * @param factor positive and finite
   */
  public Model times(double factor) {
    return factor == 1
        ? this
        : new Model(config, provenance, labels, expansion.times(factor), levels(), bounds);
  }

  /**
   * {@return the same model with labels 0, 1, 2 … in place of its own, those known in advance
   * included}
   *
   * @throws IllegalArgumentException if one known in advance is not a class
   */
  public Model relabelled() {
    return Division.relabelled(this, this);
  }

  /** {@return the divisions of the space into cells, oldest first; empty if it is not divided} */
  public List<Cells> levels() {
    return division.levels();
  }

  /** {@return the models that cells have, of all levels} */
  public List<Model> parts() {
    return levels().stream().flatMap(cells -> cells.models().stream()).toList();
  }

  /**
   * {@return the model whose expansion predicts x: that of its cell in the newest level where that
   * has one, or this one} O(d) for each centre.
   *
   * @param x features of the instance
   */
  public Model local(FeatureVector x) {
    if (levels().isEmpty()) {
      return this;
    }
    checkShape(x);
    return localOf(bounds.apply(x));
  }

  private Model localOf(FeatureVector bounded) {
    if (levels().isEmpty()) {
      return this;
    }
    checkShape(bounded);
    Model model = division.model(bounded);
    return model == null ? this : model;
  }

  /** What a model predicts: the model of a cell may have been learned with bounds of its own. */
  private FeatureVector seenBy(Model model, FeatureVector x, FeatureVector bounded) {
    boolean own = model != this && model.bounds.dimension() > 0;
    return own ? model.bounds.apply(x) : bounded;
  }

  FeatureVector seenBy(Model model, FeatureVector x) {
    return seenBy(model, x, bounds.apply(x));
  }

  /** {@return the ranges that features are bounded to first; cells may have their own} */
  public Bounds bounds() {
    return bounds;
  }

  /** {@return the scaling of features before distances are taken} */
  public Scaling scaling() {
    return expansion.scaling();
  }

  /** {@return the constant added to the expansion; 0 for classification} */
  public double intercept() {
    return expansion.intercept();
  }

  /** {@return the configuration it was learned with} */
  public LearnerConfig config() {
    return config;
  }

  /** {@return where the model comes from} */
  public Provenance provenance() {
    return provenance;
  }

  @Override
  public Task task() {
    return config.task();
  }

  @Override
  public Calibration calibration() {
    return expansion.calibration();
  }

  @Override
  public int classes() {
    return labels.length;
  }

  @Override
  public double label(int index) {
    return labels[index];
  }

  /** Number of core points of all expansions. */
  @Override
  public int size() {
    return expansionSize() + division.size();
  }

  /** {@return the number of core points of this model's expansion, those of cells not counted} */
  public int expansionSize() {
    return coreSet().size();
  }

  /**
   * {@return whether {@link #probabilities} are meant as probabilities: the loss is logistic and,
   * for more than two classes, all classes were learned together}
   */
  public boolean hasProbabilities() {
    boolean together = labels.length <= 2 || config instanceof SecondOrderConfig;
    return task() == Task.CLASSIFICATION && config.loss() instanceof Logistic && together;
  }

  /** {@return the number of features, or for an open-ended model one more than the largest seen} */
  public int dimension() {
    return coreSet().dimension();
  }

  /** {@return whether vectors may name features never seen: it was learned from sparse ones} */
  public boolean isOpenEnded() {
    return coreSet().isOpenEnded();
  }

  /** {@return the number of coefficient columns} */
  public int columns() {
    return expansion.columns();
  }

  /**
   * {@return w_i of one column}
   *
   * @param column index of the column, from 0
   * @param i index of the core point, from 0
   */
  public double coefficient(int column, int i) {
    return expansion.coefficient(column, i);
  }

  /**
   * {@return a copy of core point i}
   *
   * @param i index of the core point, from 0
   */
  public FeatureVector corePoint(int i) {
    return coreSet().point(i);
  }

  /** {@return the core points, not a copy: they must not be changed} */
  public CoreSet coreSet() {
    return expansion.set();
  }

  @Override
  public double predict(FeatureVector x) {
    FeatureVector bounded = bounds.apply(x);
    Model model = localOf(bounded);
    Expansion.Scratch mine = model.expansion.take();
    try {
      return Decision.predict(
          model, model.evaluate(seenBy(model, x, bounded), mine), model.columns());
    } finally {
      model.expansion.give(mine);
    }
  }

  @Override
  public double score(FeatureVector x) {
    FeatureVector bounded = bounds.apply(x);
    Model model = localOf(bounded);
    Expansion.Scratch mine = model.expansion.take();
    try {
      double[] columns = model.evaluate(seenBy(model, x, bounded), mine);
      if (model == this || task() == Task.REGRESSION) {
        return columns[Decision.argmax(columns, columns.length)];
      }
      Decision.spread(model, columns, columns.length, mine.spread);
      return Decision.score(mine.spread, places(model), classes());
    } finally {
      model.expansion.give(mine);
    }
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    FeatureVector bounded = bounds.apply(x);
    Model model = localOf(bounded);
    Expansion.Scratch mine = model.expansion.take();
    try {
      double[] columns = model.evaluate(seenBy(model, x, bounded), mine);
      if (model == this || task() == Task.REGRESSION) {
        Decision.spread(this, columns, columns.length, out);
      } else {
        Decision.spread(model, columns, columns.length, mine.spread);
        Decision.place(mine.spread, places(model), classes(), out);
      }
    } finally {
      model.expansion.give(mine);
    }
  }

  @Override
  public void scores(FeatureVector[] rows, int n, double[][] out) {
    if (!levels().isEmpty()) {
      Predictor.super.scores(rows, n, out);
      return;
    }
    FeatureVector[] bounded = bounds.dimension() == 0 ? rows : new FeatureVector[n];
    for (int r = 0; r < n; r++) {
      checkShape(rows[r]);
      bounded[r] = bounds.apply(rows[r]);
    }
    expansion.scores(this, bounded, n, out);
  }

  /** The index here of each class of a cell's model. */
  int[] places(Model model) {
    return division.places(model);
  }

  void checkShape(FeatureVector x) {
    Shape.check(x, isOpenEnded() ? config.features() : dimension());
  }

  private double[] evaluate(FeatureVector x, Expansion.Scratch mine) {
    checkShape(x);
    return expansion.evaluate(x, mine);
  }

  @Override
  public String toString() {
    String cells = levels().isEmpty() ? "" : ", " + parts().size() + " cells with a model";
    return "Model[%s, %d core points%s, %d features, %s, %d instances]"
        .formatted(task(), size(), cells, dimension(), config.kernel(), provenance.instances());
  }
}
