// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * The output of learning: f(x) = Σ_i w_i·K(x, c_i), one column of coefficients for a margin or a
 * number, or one a class.
 *
 * <p>Immutable. Any number of threads may predict at once: no lock, and no allocation after a
 * thread's first call. A prediction costs O(S·d) for dense and O(S·nnz) for sparse instances.
 */
public final class Model implements Predictor {
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final AvmConfig config;
  private final Provenance provenance;
  private final double[] labels;
  private final CoreSet set;
  private final double[][] coefficients;
  private final ThreadLocal<Scratch> scratch;

  private static final class Scratch {
    final CoreDistances distances = new CoreDistances();
    final double[] columns;

    Scratch(int columns) {
      this.columns = new double[columns];
    }
  }

  /**
   * Takes ownership of all arguments: the caller must not change them any more.
   *
   * @throws IllegalArgumentException if labels are not acceptable or sizes do not fit each other
   */
  public Model(
      AvmConfig config,
      Provenance provenance,
      double[] labels,
      CoreSet set,
      double[][] coefficients) {
    AvmConfig.checkLabels(labels);
    if (config.task() == Task.REGRESSION && labels.length > 0) {
      throw new IllegalArgumentException("a regression has no labels, were " + labels.length);
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
    this.coefficients = coefficients;
    this.scratch = ThreadLocal.withInitial(() -> new Scratch(coefficients.length));
  }

  /** How it was learned. */
  public AvmConfig config() {
    return config;
  }

  /** Where it comes from. */
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

  /** Number of features, or for an open-ended model one more than the largest seen. */
  public int dimension() {
    return set.dimension();
  }

  /** Number of coefficient columns. */
  public int columns() {
    return coefficients.length;
  }

  /** w_i of one column. */
  public double coefficient(int column, int i) {
    return coefficients[column][i];
  }

  /** A copy of core point i. */
  public FeatureVector corePoint(int i) {
    return set.point(i);
  }

  CoreSet coreSet() {
    return set;
  }

  /** A copy of the core points for a learner that starts from this model. */
  public CoreSet coreSetCopy() {
    return set.copy();
  }

  @Override
  public double predict(FeatureVector x) {
    return Decision.answer(this, evaluate(x), coefficients.length);
  }

  @Override
  public double score(FeatureVector x) {
    double[] columns = evaluate(x);
    return columns[Decision.argmax(columns, columns.length)];
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    Decision.spread(this, evaluate(x), coefficients.length, out);
  }

  private double[] evaluate(FeatureVector x) {
    Shape.check(x, set.isOpenEnded() ? config.features() : set.dimension());
    Scratch mine = scratch.get();
    mine.distances.fill(set, x, config.kernel());
    for (int c = 0; c < coefficients.length; c++) {
      mine.columns[c] = OPS.dot(coefficients[c], mine.distances.kernel(), set.size());
    }
    return mine.columns;
  }

  /** This model in the format of docs/format.md. */
  public byte[] toBytes() {
    return ModelFormat.write(this);
  }

  @Override
  public String toString() {
    return "Model["
        + task()
        + ", "
        + size()
        + " core points, "
        + dimension()
        + " features, "
        + config.kernel()
        + "]";
  }
}
