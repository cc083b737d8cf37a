// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.model.Shape;
import java.util.List;

/**
 * What all learners of a kernel expansion share: checks at the door, the one distance pass, labels
 * and columns, predicts. A subclass is the step.
 *
 * <p>Up to two classes share one column f, negative for the first label and positive for the
 * second. A third class turns it into columns −f/2 and f/2.
 */
public abstract class ExpansionEngine implements Engine {
  /** Larger weights would leave nothing of the others in double precision. */
  public static final double LARGEST_WEIGHT = 1e12;

  /** Squares of larger targets could not be summed. */
  public static final double LARGEST_TARGET = 1e100;

  public final Kernel kernel;
  public final Labels labels;
  protected CoreDistances distances = new CoreDistances();
  protected CoreSet set;
  protected boolean started;
  protected double[] scores = new double[1];

  private long mostSaved = SavedSize.MOST;

  private final LearnerConfig config;

  /** Whether labels were declared, all of them whole numbers. */
  private final boolean wholeLabels;

  public ExpansionEngine(LearnerConfig config, Labels labels) {
    this.config = config;
    this.kernel = config.kernel();
    this.labels = labels;
    this.wholeLabels =
        !config.labels().isEmpty()
            && config.labels().stream().allMatch(label -> label == Math.rint(label));
    this.set = CoreSet.sparse(config.features());
  }

  /** Its core points. */
  public final CoreSet set() {
    return set;
  }

  /** Whether the form of its rows is known. */
  public final boolean isStarted() {
    return started;
  }

  /** Goes on with core points. */
  public final void restore(CoreSet points, boolean isStarted) {
    set = points;
    started = isStarted;
  }

  /** Number of coefficient columns. */
  public abstract int columns();

  /** One column a class, for three classes and more; a single column of margins is split. */
  public abstract void setColumns(int columns);

  /** The score of the output, from the distances last filled. */
  public abstract double outputScore(int column);

  /** Learns from x, whose distances are filled; weight &gt; 0. */
  public abstract void step(FeatureVector x, double y, double weight);

  /** A target whose squares can be summed. */
  public static double bounded(double target) {
    return Math.max(-LARGEST_TARGET, Math.min(LARGEST_TARGET, target));
  }

  /** The coefficients of the output, a copy. */
  public abstract double[][] outputCoefficients();

  /** Refuses rows once its file could take more. */
  public void limitFile(long bytes) {
    mostSaved = bytes;
  }

  /** Bytes of its file after x, perhaps of a new class, was learned from, at most. */
  public abstract long savedBytesWith(FeatureVector x);

  /** Checks a subclass adds at the door. */
  public void checkFirst(FeatureVector x) {}

  @Override
  public final void learn(FeatureVector x, double y, double weight) {
    check(x, y, weight);
    if (weight > 0) {
      measure(x);
      step(x, y, weight);
    }
  }

  @Override
  public final double predictThenLearn(
      FeatureVector x, double y, double weight, double[] scoresOut) {
    double[] columns = ask(x, y, weight);
    if (scoresOut.length > 0) {
      Decision.spread(this, columns, columns(), scoresOut);
    }
    double prediction = Decision.predict(this, columns, columns());
    if (weight > 0) {
      step(x, y, weight);
    }
    return prediction;
  }

  /**
   * The columns for x before {@link #step} learns from it, which must follow at once if it does;
   * the scratch itself.
   */
  public final double[] ask(FeatureVector x, double y, double weight) {
    check(x, y, weight);
    if (weight == 0) {
      return evaluate(x);
    }
    measure(x);
    return outputScores();
  }

  public void check(FeatureVector x, double y, double weight) {
    if (!(weight >= 0 && weight <= LARGEST_WEIGHT)) {
      throw new IllegalArgumentException("weight must be in [0, 1e12], was " + weight);
    }
    if (!Double.isFinite(y)) {
      throw new IllegalArgumentException("y must be finite, was " + y);
    }
    if (config.task() == Task.REGRESSION && Math.abs(y) > LARGEST_TARGET) {
      throw new IllegalArgumentException("y must be within ±1e100, was " + y);
    }
    if (wholeLabels && y != Math.rint(y)) {
      throw new IllegalArgumentException(
          "the label %s is not a whole number, as the declared ones are: for regression, build a regressor"
              .formatted(y));
    }
    checkShape(x);
    if (weight > 0) {
      SavedSize.require(savedBytesWith(x), mostSaved, "budget(n)");
    }
  }

  /** The one distance pass; the first instance decides how core points are stored. */
  private void measure(FeatureVector x) {
    CoreSet points = started ? set : checkedFirstSet(x);
    distances.fill(points, x, kernel);
    set = points;
    started = true;
  }

  /** Refuses a vector of another number of features than those learned. */
  public final void checkShape(FeatureVector x) {
    Shape.check(x, dimension());
  }

  /** The number of features every vector must have, 0 if none is fixed yet. */
  private int dimension() {
    return started && !set.isOpenEnded() ? set.dimension() : config.features();
  }

  private CoreSet checkedFirstSet(FeatureVector x) {
    checkFirst(x);
    return firstSet(x);
  }

  /** An empty set that stores points as x, the first instance, wants them. */
  public final CoreSet firstSet(FeatureVector x) {
    return x.isSparse() ? CoreSet.sparse(config.features()) : CoreSet.dense(x.count());
  }

  /** An empty set of the kind of this learner's core points. */
  public final CoreSet emptySet() {
    return set.isOpenEnded() ? CoreSet.sparse(config.features()) : CoreSet.dense(set.dimension());
  }

  /** Registers a class and gives it a column once there are more than two. */
  public final int addClass(double label) {
    addClasses(List.of(label));
    return labels.size() - 1;
  }

  public final void addClasses(List<Double> added) {
    added.forEach(labels::add);
    if (labels.size() > 2) {
      setColumns(labels.size());
      scores = new double[columns()];
    }
  }

  @Override
  public final double predict(FeatureVector x) {
    return Decision.predict(this, evaluate(x), columns());
  }

  @Override
  public final double score(FeatureVector x) {
    double[] values = evaluate(x);
    return values[Decision.argmax(values, columns())];
  }

  @Override
  public final void scores(FeatureVector x, double[] out) {
    Decision.spread(this, evaluate(x), columns(), out);
  }

  /** The columns for x; the scratch itself. */
  public final double[] evaluate(FeatureVector x) {
    checkShape(x);
    distances.fill(set, x, kernel);
    return outputScores();
  }

  private double[] outputScores() {
    for (int j = 0; j < columns(); j++) {
      scores[j] = outputScore(j);
    }
    return scores;
  }

  @Override
  public final Task task() {
    return config.task();
  }

  @Override
  public final int classes() {
    return labels.size();
  }

  @Override
  public final double label(int index) {
    return labels.label(index);
  }

  @Override
  public final int size() {
    return set.size();
  }

  @Override
  public final Model snapshot() {
    return new Model(
        config,
        Provenance.here(instances()),
        labels.toArray(),
        set.copy(),
        outputCoefficients(),
        Scaling.none(),
        0);
  }
}
