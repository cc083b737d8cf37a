// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

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
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final LearnerConfig config;
  private final Provenance provenance;
  private final double[] labels;
  private final CoreSet set;

  /** One a column, with zeros up to {@link VectorOps#weightedExp}'s padding. */
  private final double[][] coefficients;

  private final Scaling scaling;
  private final double intercept;
  private final List<Cells> levels;

  /** By model of a cell, the index that each of its classes has here. */
  private final IdentityHashMap<Model, int[]> places = new IdentityHashMap<>();

  private final ScratchPool<Scratch> scratch;

  private static final class Scratch {
    final CoreDistances distances = new CoreDistances();
    final Scaling.Scaler scaler;
    final double[] columns;
    final double[] spread;

    Scratch(Scaling scaling, int columns, int classes) {
      this.scaler = new Scaling.Scaler(scaling);
      this.columns = new double[columns];
      this.spread = new double[classes];
    }
  }

  /**
   * A model of vectors as they are, without an intercept.
   *
   * @param config checked settings
   * @param provenance where it comes from
   * @param labels labels, one per class; empty for regression
   * @param set core points
   * @param coefficients coefficients, one array per column
   */
  public Model(
      LearnerConfig config,
      Provenance provenance,
      double[] labels,
      CoreSet set,
      double[][] coefficients) {
    this(config, provenance, labels, set, coefficients, Scaling.none(), 0);
  }

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
    this(config, provenance, labels, set, coefficients, scaling, intercept, List.of());
  }

  private Model(
      LearnerConfig config,
      Provenance provenance,
      double[] labels,
      CoreSet set,
      double[][] coefficients,
      Scaling scaling,
      double intercept,
      List<Cells> levels) {
    LearnerConfig.checkLabels(labels);
    if (config.task() != Task.REGRESSION && intercept != 0) {
      throw new IllegalArgumentException("only a number has an intercept, was " + intercept);
    }
    if (config.task() == Task.REGRESSION && labels.length > 0) {
      throw new IllegalArgumentException("a regression model has no labels, had " + labels.length);
    }
    int expected = config.task() == Task.REGRESSION || labels.length <= 2 ? 1 : labels.length;
    if (coefficients.length != expected) {
      throw new IllegalArgumentException(
          labels.length + " labels need " + expected + " columns, were " + coefficients.length);
    }
    for (double[] column : coefficients) {
      if (column.length != set.size()) {
        throw new IllegalArgumentException(
            set.size() + " core points need as many coefficients, were " + column.length);
      }
    }
    this.config = config;
    this.provenance = provenance;
    this.labels = labels;
    this.set = set;
    this.coefficients = new double[expected][];
    for (int c = 0; c < expected; c++) {
      this.coefficients[c] = Arrays.copyOf(coefficients[c], VectorOps.padded(set.size()));
    }
    this.scaling = scaling;
    this.intercept = intercept;
    this.levels = List.copyOf(levels);
    for (Cells cells : levels) {
      cells.models().forEach(model -> places.put(model, placesOf(model)));
    }
    this.scratch = new ScratchPool<>(() -> new Scratch(scaling, expected, labels.length));
  }

  /** The index here of each class of a cell's model, which must be of the same kind. */
  private int[] placesOf(Model model) {
    boolean fits =
        model.task() == task()
            && model.levels.isEmpty()
            && model.isOpenEnded() == isOpenEnded()
            && (isOpenEnded() || model.dimension() == dimension());
    int[] found = new int[model.classes()];
    for (int j = 0; j < found.length; j++) {
      found[j] = indexOf(model.label(j));
      fits &= found[j] >= 0;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "the model of a cell has another task, shape or class than the whole: " + model);
    }
    return found;
  }

  /**
   * {@return the same expansion for vectors that are to be scaled first, plus an intercept}
   *
   * @param newScaling what is done to features first
   * @param newIntercept what is added, finite; 0 for classification
   */
  public Model with(Scaling newScaling, double newIntercept) {
    double[][] columns = columnsCopy();
    return new Model(config, provenance, labels, set, columns, newScaling, newIntercept, levels);
  }

  /**
   * The same expansion with other levels of cells.
   *
   * @param newLevels the levels, oldest first
   * @return a new model
   * @throws IllegalArgumentException if the model of a cell has another task or shape, or a class
   *     that this model has not
   */
  public Model with(List<Cells> newLevels) {
    double[][] columns = columnsCopy();
    return new Model(config, provenance, labels, set, columns, scaling, intercept, newLevels);
  }

  /**
   * The same model of so many instances.
   *
   * @param instances number of instances learned
   * @return a new model
   */
  public Model withInstances(long instances) {
    double[][] columns = columnsCopy();
    Provenance here = Provenance.here(instances);
    return new Model(config, here, labels, set, columns, scaling, intercept, levels);
  }

  /**
   * {@return the same expansion with scores multiplied by a factor; a regression's intercept stays}
   *
   * @param factor positive and finite
   */
  public Model times(double factor) {
    if (factor == 1) {
      return this;
    }
    double[][] columns = columnsCopy();
    for (double[] column : columns) {
      for (int i = 0; i < column.length; i++) {
        column[i] *= factor;
      }
    }
    return new Model(config, provenance, labels, set, columns, scaling, intercept, levels);
  }

  /**
   * {@return the same model with labels 0, 1, 2 … in place of its own, those known in advance
   * included}
   *
   * @throws IllegalArgumentException if one known in advance is not a class
   */
  public Model relabelled() {
    return relabelled(this);
  }

  /** The same model with labels replaced by the index that they have in {@code whole}. */
  private Model relabelled(Model whole) {
    double[] numbers = Arrays.stream(labels).map(whole::requireIndexOf).toArray();
    List<Double> known = config.labels().stream().map(whole::requireIndexOf).toList();
    return new Model(
        config.withLabels(known),
        provenance,
        numbers,
        set,
        columnsCopy(),
        scaling,
        intercept,
        levels.stream().map(cells -> cells.map(model -> model.relabelled(whole))).toList());
  }

  private double requireIndexOf(double label) {
    int index = indexOf(label);
    if (index < 0) {
      throw new IllegalArgumentException(
          "label " + label + " was known in advance and is not a class");
    }
    return index;
  }

  private int indexOf(double label) {
    for (int j = 0; j < labels.length; j++) {
      if (labels[j] == label) {
        return j;
      }
    }
    return -1;
  }

  private double[][] columnsCopy() {
    double[][] copy = new double[coefficients.length][];
    Arrays.setAll(copy, c -> Arrays.copyOf(coefficients[c], set.size()));
    return copy;
  }

  /** {@return the divisions of the space into cells, oldest first; empty if it is not divided} */
  public List<Cells> levels() {
    return levels;
  }

  /** {@return the models that cells have, of all levels} */
  public List<Model> parts() {
    return levels.stream().flatMap(cells -> cells.models().stream()).toList();
  }

  /**
   * {@return the model whose expansion predicts x: that of its cell in the newest level where that
   * has one, or this one} O(d) for each centre.
   *
   * @param x features of the instance
   */
  public Model answering(FeatureVector x) {
    if (levels.isEmpty()) {
      return this;
    }
    checkShape(x);
    for (int i = levels.size() - 1; i >= 0; i--) {
      Cells cells = levels.get(i);
      Model model = cells.model(cells.indexOf(x));
      if (model != null) {
        return model;
      }
    }
    return this;
  }

  /** {@return the scaling of features before distances are taken} */
  public Scaling scaling() {
    return scaling;
  }

  /** {@return the constant added to the expansion; 0 for classification} */
  public double intercept() {
    return intercept;
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
    int sum = set.size();
    for (Cells cells : levels) {
      for (int i = 0; i < cells.size(); i++) {
        Model model = cells.model(i);
        sum += model == null ? 0 : model.set.size();
      }
    }
    return sum;
  }

  /** {@return the number of core points of this model's expansion, those of cells not counted} */
  public int expansionSize() {
    return set.size();
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
    return set.dimension();
  }

  /**
   * {@return whether vectors may name features that were never seen: it was learned from sparse
   * ones}
   */
  public boolean isOpenEnded() {
    return set.isOpenEnded();
  }

  /** {@return the number of coefficient columns} */
  public int columns() {
    return coefficients.length;
  }

  /**
   * {@return w_i of one column}
   *
   * @param column index of the column, from 0
   * @param i index of the core point, from 0
   */
  public double coefficient(int column, int i) {
    Objects.checkIndex(i, set.size());
    return coefficients[column][i];
  }

  /**
   * {@return a copy of core point i}
   *
   * @param i index of the core point, from 0
   */
  public FeatureVector corePoint(int i) {
    return set.point(i);
  }

  /** {@return the core points, not a copy: they must not be changed} */
  public CoreSet coreSet() {
    return set;
  }

  /** {@return a copy of the core points for a learner that starts from this model} */
  public CoreSet coreSetCopy() {
    return set.copy();
  }

  @Override
  public double predict(FeatureVector x) {
    Model model = answering(x);
    Scratch mine = model.scratch.take();
    try {
      return Decision.answer(model, model.evaluate(x, mine), model.columns());
    } finally {
      model.scratch.give(mine);
    }
  }

  @Override
  public double score(FeatureVector x) {
    Model model = answering(x);
    Scratch mine = model.scratch.take();
    try {
      double[] columns = model.evaluate(x, mine);
      if (model == this || task() == Task.REGRESSION) {
        return columns[Decision.argmax(columns, columns.length)];
      }
      Decision.spread(model, columns, columns.length, mine.spread);
      return Decision.score(mine.spread, places(model), classes());
    } finally {
      model.scratch.give(mine);
    }
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    Model model = answering(x);
    Scratch mine = model.scratch.take();
    try {
      double[] columns = model.evaluate(x, mine);
      if (model == this || task() == Task.REGRESSION) {
        Decision.spread(this, columns, columns.length, out);
      } else {
        Decision.spread(model, columns, columns.length, mine.spread);
        Decision.place(mine.spread, places(model), classes(), out);
      }
    } finally {
      model.scratch.give(mine);
    }
  }

  /** The index here of each class of a cell's model. */
  int[] places(Model model) {
    return Objects.requireNonNull(places.get(model));
  }

  void checkShape(FeatureVector x) {
    Shape.check(x, set.isOpenEnded() ? config.features() : set.dimension());
  }

  private double[] evaluate(FeatureVector x, Scratch mine) {
    checkShape(x);
    mine.distances.measure(set, mine.scaler.scale(x));
    if (coefficients.length == 1 && config.kernel() instanceof Gaussian gaussian) {
      mine.columns[0] =
          OPS.weightedExp(
              mine.distances.squared(),
              -gaussian.gamma(),
              coefficients[0],
              mine.distances.kernel(),
              set.size());
      mine.columns[0] += intercept;
      return mine.columns;
    }
    mine.distances.applyKernel(config.kernel());
    for (int c = 0; c < coefficients.length; c++) {
      mine.columns[c] = OPS.dot(coefficients[c], mine.distances.kernel(), set.size());
    }
    mine.columns[0] += intercept;
    return mine.columns;
  }

  @Override
  public String toString() {
    return "Model["
        + task()
        + ", "
        + size()
        + " core points, "
        + (levels.isEmpty() ? "" : parts().size() + " cells with a model, ")
        + dimension()
        + " features, "
        + config.kernel()
        + "]";
  }
}
