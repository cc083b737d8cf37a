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
import java.util.Objects;

/**
 * The output of learning: f(x) = b + Σ_i w_i·K(g(x), c_i) with a fixed scaling g, one column of
 * coefficients for a margin or a number, or one a class.
 *
 * <pre>{@code
 * Model model = learner.snapshot();
 * double label = model.predict(x);
 * double[] probabilities = model.probabilities(x); // of model.label(0), model.label(1), …
 * }</pre>
 *
 * <p>Some of the last core points may be <em>fine</em> ones: squared distances to them count {@link
 * #stretch} times, so that their kernel is as much narrower. They correct the others near by.
 *
 * <p>Immutable. Any number of threads may predict at once: no lock, and no allocation once as many
 * have predicted at once before. A prediction costs O(S·d) for dense and O(S·nnz) for sparse
 * instances.
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
  private final int fine;
  private final double stretch;
  private final ScratchPool<Scratch> scratch;

  private static final class Scratch {
    final CoreDistances distances = new CoreDistances();
    final Scaling.Scaler scaler;
    final double[] columns;

    Scratch(Scaling scaling, int columns) {
      this.scaler = new Scaling.Scaler(scaling);
      this.columns = new double[columns];
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
    this(config, provenance, labels, set, coefficients, scaling, intercept, 0, 1);
  }

  private Model(
      LearnerConfig config,
      Provenance provenance,
      double[] labels,
      CoreSet set,
      double[][] coefficients,
      Scaling scaling,
      double intercept,
      int fine,
      double stretch) {
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
    this.fine = fine;
    this.stretch = stretch;
    this.scratch = new ScratchPool<>(() -> new Scratch(scaling, expected));
  }

  /**
   * {@return the same expansion for vectors that are to be scaled first, plus an intercept}
   *
   * @param newScaling what is done to features first
   * @param newIntercept what is added, finite; 0 for classification
   */
  public Model with(Scaling newScaling, double newIntercept) {
    double[][] columns = columnsCopy(set.size());
    return new Model(
        config, provenance, labels, set, columns, newScaling, newIntercept, fine, stretch);
  }

  /**
   * The same core points and coefficients, the last of them being fine ones.
   *
   * @param count how many
   * @param factor what squared distances to them are multiplied by
   * @return a new model
   * @throws IllegalArgumentException if there are not so many or the factor is not &gt; 0 and
   *     finite
   */
  public Model withFine(int count, double factor) {
    if (count < 0 || count > set.size()) {
      throw new IllegalArgumentException(
          "of %d core points %d cannot be fine ones".formatted(set.size(), count));
    }
    if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("stretch must be > 0 and finite, was " + factor);
    }
    double[][] columns = columnsCopy(set.size());
    return new Model(config, provenance, labels, set, columns, scaling, intercept, count, factor);
  }

  /**
   * The same model with fine points more.
   *
   * @param points copied
   * @param weights their coefficients, one array a column
   * @param factor what squared distances to them are multiplied by
   * @return a new model
   * @throws IllegalStateException if it has some already
   */
  public Model withFine(CoreSet points, double[][] weights, double factor) {
    if (fine > 0) {
      throw new IllegalStateException("a model has fine points of one width");
    }
    CoreSet united = set.copy();
    for (int i = 0; i < points.size(); i++) {
      FeatureVector point = points.point(i);
      united = united.roomFor(point);
      united.append(point, true);
    }
    double[][] columns = columnsCopy(united.size());
    for (int c = 0; c < columns.length; c++) {
      System.arraycopy(weights[c], 0, columns[c], set.size(), points.size());
    }
    return new Model(config, provenance, labels, united, columns, scaling, intercept)
        .withFine(points.size(), factor);
  }

  /**
   * {@return the same model with scores multiplied by a factor; a number's intercept stays}
   *
   * @param factor positive and finite
   */
  public Model times(double factor) {
    if (factor == 1) {
      return this;
    }
    double[][] columns = columnsCopy(set.size());
    for (double[] column : columns) {
      for (int i = 0; i < column.length; i++) {
        column[i] *= factor;
      }
    }
    return new Model(config, provenance, labels, set, columns, scaling, intercept, fine, stretch);
  }

  /**
   * The same model without its fine points.
   *
   * @return a new model
   */
  public Model withoutFine() {
    return withoutFine(set.dimension());
  }

  /**
   * The same.
   *
   * @param features of the core points that stay, if they are open-ended
   * @return a new model
   */
  public Model withoutFine(int features) {
    if (fine == 0) {
      return this;
    }
    CoreSet coarse = set.part(0, set.size() - fine, features);
    double[][] columns = columnsCopy(coarse.size());
    return new Model(config, provenance, labels, coarse, columns, scaling, intercept);
  }

  /**
   * {@return the same model with labels 0, 1, 2 … in place of its own, those known in advance
   * included}
   *
   * @throws IllegalArgumentException if one known in advance is not a class
   */
  public Model relabelled() {
    double[] numbers = new double[labels.length];
    Arrays.setAll(numbers, j -> j);
    double[][] columns = columnsCopy(set.size());
    return new Model(
        config.withLabels(config.labels().stream().map(this::indexOf).toList()),
        provenance,
        numbers,
        set,
        columns,
        scaling,
        intercept,
        fine,
        stretch);
  }

  private double indexOf(double label) {
    for (int j = 0; j < labels.length; j++) {
      if (labels[j] == label) {
        return j;
      }
    }
    throw new IllegalArgumentException(
        "label " + label + " was known in advance and is not a class");
  }

  private double[][] columnsCopy(int size) {
    double[][] copy = new double[coefficients.length][];
    Arrays.setAll(copy, c -> Arrays.copyOf(coefficients[c], size));
    return copy;
  }

  /** {@return the number of fine points, the last of the core points} */
  public int fine() {
    return fine;
  }

  /** {@return the factor of squared distances to fine points: γ of their kernel over γ} */
  public double stretch() {
    return stretch;
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

  @Override
  public int size() {
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

  /**
   * A copy of the fine points for a learner that goes on.
   *
   * @param features of them, if they are open-ended
   * @return the points
   */
  public CoreSet finePoints(int features) {
    return set.part(set.size() - fine, set.size(), features);
  }

  /** {@return a copy of the core points for a learner that starts from this model} */
  public CoreSet coreSetCopy() {
    return set.copy();
  }

  @Override
  public double predict(FeatureVector x) {
    Scratch mine = scratch.take();
    try {
      return Decision.answer(this, evaluate(x, mine), coefficients.length);
    } finally {
      scratch.give(mine);
    }
  }

  @Override
  public double score(FeatureVector x) {
    Scratch mine = scratch.take();
    try {
      double[] columns = evaluate(x, mine);
      return columns[Decision.argmax(columns, columns.length)];
    } finally {
      scratch.give(mine);
    }
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    Scratch mine = scratch.take();
    try {
      Decision.spread(this, evaluate(x, mine), coefficients.length, out);
    } finally {
      scratch.give(mine);
    }
  }

  void checkShape(FeatureVector x) {
    Shape.check(x, set.isOpenEnded() ? config.features() : set.dimension());
  }

  private double[] evaluate(FeatureVector x, Scratch mine) {
    checkShape(x);
    measure(mine.scaler.scale(x), mine.distances);
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

  /** Squared distances of a scaled instance, as the kernel counts them. */
  void measure(FeatureVector z, CoreDistances distances) {
    distances.measure(set, z);
    if (fine > 0) {
      distances.stretch(set.size() - fine, stretch);
    }
  }

  @Override
  public String toString() {
    return "Model["
        + task()
        + ", "
        + size()
        + " core points, "
        + (fine > 0 ? fine + " of them fine, " : "")
        + dimension()
        + " features, "
        + config.kernel()
        + "]";
  }
}
