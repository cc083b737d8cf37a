// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Shape;
import java.util.Arrays;

/**
 * What all baselines share: checks at the door, classes and their columns of scores, predictions. A
 * subclass says how an instance is represented, how a column scores it and what a step does.
 *
 * <p>Up to two classes share one column f, negative for the first label. From the third class on
 * there is a column a class, and where the two-class method moves y·Φ(x), the many-class form moves
 * the label's column by +Φ(x) and the strongest rival's by −Φ(x) (Crammer and Singer 2001); y·f
 * becomes the difference of the two scores.
 */
public abstract class ColumnLearner implements OnlineLearner {
  /** No column, as of {@link #rival}. */
  protected static final int NONE = -1;

  /** Largest size of a feature: beyond it squared distances overflow. */
  private static final double LARGEST = 1e150;

  private int column;
  private int rival = NONE;
  private double sign = 1;
  private double margin;
  private final Task task;
  private final Classes classes = new Classes();
  private double[] scores = new double[1];
  private int columns = 1;
  private int dimension;
  private boolean started;
  private long instances;

  /**
   * One that has seen nothing.
   *
   * @param task classification or regression
   */
  protected ColumnLearner(Task task) {
    this.task = task;
  }

  /**
   * Called before the first instance is learned.
   *
   * @param first the instance
   */
  protected abstract void begin(FeatureVector first);

  /**
   * Computes what {@link #score(int)} needs of x. Keeps nothing that changes a prediction.
   *
   * @param x the instance
   */
  protected abstract void represent(FeatureVector x);

  /**
   * {@return the score of the represented instance in a column}
   *
   * @param j index of the column
   */
  protected abstract double score(int j);

  /**
   * Learns from x, which is represented and whose {@link #column}, {@link #rival}, {@link #sign}
   * and {@link #margin} are set.
   *
   * @param x the instance
   * @param y its target
   * @param weight its weight &gt; 0
   */
  protected abstract void step(FeatureVector x, double y, double weight);

  /**
   * One column a class, for three classes and more; a single column f becomes −f/2 and f/2.
   *
   * @param count number of classes
   */
  protected abstract void setColumns(int count);

  /**
   * Checks a subclass adds at the door.
   *
   * @param x the instance
   */
  protected void checkMore(FeatureVector x) {}

  /** {@return the column that the instance at hand pulls} */
  protected final int column() {
    return column;
  }

  /** {@return the column that the instance at hand pushes, or {@link #NONE}} */
  protected final int rival() {
    return rival;
  }

  /** {@return the direction in which the instance at hand pulls, −1 or 1} */
  protected final double sign() {
    return sign;
  }

  /**
   * {@return y·f of two classes, the lead over the strongest rival of many; for numbers the score}
   */
  protected final double margin() {
    return margin;
  }

  @Override
  public final void learn(FeatureVector x, double y, double weight) {
    check(x, y, weight);
    if (weight > 0) {
      start(x);
      evaluate(x);
      advance(x, y, weight);
    }
  }

  @Override
  public final double predictThenLearn(FeatureVector x, double y, double weight, double[] out) {
    check(x, y, weight);
    if (weight > 0) {
      start(x);
    }
    evaluate(x);
    if (out.length > 0) {
      Decision.spread(this, scores, columns, out);
    }
    double prediction = Decision.predict(this, scores, columns);
    if (weight > 0) {
      advance(x, y, weight);
    }
    return prediction;
  }

  private void check(FeatureVector x, double y, double weight) {
    if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("weight must be >= 0 and finite, was " + weight);
    }
    if (!Double.isFinite(y)) {
      throw new IllegalArgumentException("y must be finite, was " + y);
    }
    if (task == Task.CLASSIFICATION) {
      classes.check(y);
    }
    check(x);
  }

  private void check(FeatureVector x) {
    Shape.check(x, dimension);
    for (int k = 0; k < x.count(); k++) {
      if (!(Math.abs(x.values()[k]) <= LARGEST)) {
        throw new IllegalArgumentException(
            "feature "
                + (x.isSparse() ? x.indices()[k] : k)
                + " is "
                + x.values()[k]
                + "; features must be finite and within ±1e150 (impute, drop or scale it)");
      }
    }
    checkMore(x);
  }

  private void start(FeatureVector x) {
    if (!started) {
      started = true;
      dimension = x.isSparse() ? 0 : x.count();
      begin(x);
    }
  }

  private void evaluate(FeatureVector x) {
    represent(x);
    for (int j = 0; j < columns; j++) {
      scores[j] = score(j);
    }
  }

  private void advance(FeatureVector x, double y, double weight) {
    if (task == Task.REGRESSION) {
      margin = scores[0];
    } else {
      locate(y);
    }
    step(x, y, weight);
    instances++;
  }

  private void locate(double y) {
    int label = classes.indexOf(y);
    if (label == Classes.UNKNOWN) {
      label = classes.add(y);
      grow();
    }
    if (columns == 1) {
      sign = label == 0 ? -1 : 1;
      margin = sign * scores[0];
      return;
    }
    sign = 1;
    column = label;
    rival = NONE;
    for (int j = 0; j < columns; j++) {
      if (j != label && (rival == NONE || scores[j] > scores[rival])) {
        rival = j;
      }
    }
    margin = scores[label] - scores[rival];
  }

  private void grow() {
    int count = classes.size();
    if (count > 2) {
      setColumns(count);
      scores = new double[count];
      columns = count;
      for (int j = 0; j < count; j++) {
        scores[j] = score(j);
      }
    }
  }

  /** {@return ‖direction‖²: 1, or 2 where two columns move} */
  protected final double norm() {
    return rival == NONE ? 1 : 2;
  }

  /** {@return the number of columns} */
  protected final int columns() {
    return columns;
  }

  /**
   * {@return columns of zeros behind the old ones; a single column f is first split into −f/2 and
   * f/2}
   *
   * @param columns coefficients of each column; not kept, their arrays may be
   * @param count number of classes
   */
  public static double[][] grown(double[][] columns, int count) {
    double[][] grown = Arrays.copyOf(columns, count);
    for (int j = columns.length; j < count; j++) {
      grown[j] = new double[columns[0].length];
    }
    if (columns.length == 1) {
      for (int i = 0; i < grown[0].length; i++) {
        grown[1][i] = grown[0][i] / 2;
        grown[0][i] = -grown[1][i];
      }
    }
    return grown;
  }

  @Override
  public final double predict(FeatureVector x) {
    check(x);
    evaluate(x);
    return Decision.predict(this, scores, columns);
  }

  @Override
  public final double score(FeatureVector x) {
    check(x);
    evaluate(x);
    return scores[Decision.argmax(scores, columns)];
  }

  @Override
  public final void scores(FeatureVector x, double[] out) {
    check(x);
    evaluate(x);
    Decision.spread(this, scores, columns, out);
  }

  @Override
  public final Task task() {
    return task;
  }

  @Override
  public final int classes() {
    return classes.size();
  }

  @Override
  public final double label(int index) {
    return classes.label(index);
  }

  @Override
  public final long instances() {
    return instances;
  }
}
