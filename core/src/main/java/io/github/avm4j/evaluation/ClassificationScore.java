// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.internal.linear.CompensatedSum;
import io.github.avm4j.internal.newton.Labels;
import io.github.avm4j.model.Predictor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Mistakes, κ, log loss and area under the ROC curve of a classifier, beside the majority and the
 * no-change baseline. Classes may appear at any time. A prediction of NaN is a mistake.
 *
 * <p>An instance costs O(1), or O(classes) with scores. For one thread.
 */
public final class ClassificationScore implements Score {
  /** Probabilities below are taken for this. */
  public static final double LEAST_PROBABILITY = 1e-15;

  private static final int BY_MAJORITY = 1;
  private static final int BY_NO_CHANGE = 2;

  private final Labels labels = Labels.unlimited();
  private final Baselines baselines = new Baselines();
  private final Confusion confusion = new Confusion();
  private final CompensatedSum weights = new CompensatedSum();
  private final CompensatedSum right = new CompensatedSum();
  private final CompensatedSum byMajority = new CompensatedSum();
  private final CompensatedSum byNoChange = new CompensatedSum();
  private final CompensatedSum logLoss = new CompensatedSum();
  private final CompensatedSum logLossWeights = new CompensatedSum();
  private @Nullable RocHistogram roc;
  private boolean manyClasses;
  private long instances;

  private final int[] ringActual;
  private final int[] ringPrediction;
  private final byte[] ringBaseline;
  private final double[] ringWeight;

  /** A score with a window of {@link Score#DEFAULT_WINDOW}. */
  public ClassificationScore() {
    this(DEFAULT_WINDOW);
  }

  /**
   * A score that looks at the last {@code window} instances too.
   *
   * @param window number of last instances to look at, ≥ 1
   */
  public ClassificationScore(int window) {
    if (window < 1) {
      throw new IllegalArgumentException("window must be >= 1, was " + window);
    }
    ringActual = new int[window];
    ringPrediction = new int[window];
    ringBaseline = new byte[window];
    ringWeight = new double[window];
  }

  @Override
  public void add(double actual, double prediction, double weight) {
    checkLabel(actual);
    if (Score.counts(weight)) {
      count(actual, prediction, weight);
    }
  }

  private static void checkLabel(double actual) {
    if (Double.isNaN(actual)) {
      throw new IllegalArgumentException("the actual label must not be NaN");
    }
  }

  @Override
  public void add(
      double actual,
      double prediction,
      double weight,
      Predictor predictor,
      double[] scores,
      int known) {
    checkLabel(actual);
    if (!Score.counts(weight)) {
      return;
    }
    int index = 0;
    while (index < known && predictor.label(index) != actual) {
      index++;
    }
    if (index < known || labels.indexOf(actual) != Labels.UNKNOWN) {
      logLoss.add(weight * loss(scores, known, index));
      logLossWeights.add(weight);
    }
    manyClasses |= known > 2;
    if (known == 2 && index < 2 && !manyClasses) {
      if (roc == null) {
        roc = new RocHistogram();
      }
      roc.add(scores[1] - scores[0], index == 1, weight);
    }
    count(actual, prediction, weight);
  }

  /** −ln softmax(scores)[index]; an index beyond the known ones has probability 0. */
  private static double loss(double[] scores, int known, int index) {
    double most = -Math.log(LEAST_PROBABILITY);
    if (index >= known) {
      return most;
    }
    double largest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < known; j++) {
      largest = Math.max(largest, scores[j]);
    }
    double sum = 0;
    for (int j = 0; j < known; j++) {
      sum += Math.exp(scores[j] - largest);
    }
    double loss = Math.log(sum) + largest - scores[index];
    return Double.isNaN(loss) ? most : Math.min(most, loss);
  }

  private void count(double actual, double prediction, double weight) {
    int truth = labels.findOrAdd(actual);
    int predicted = Double.isNaN(prediction) ? Labels.UNKNOWN : labels.findOrAdd(prediction);
    int slot = (int) (instances % ringActual.length);
    instances++;
    ringActual[slot] = truth;
    ringPrediction[slot] = predicted;
    ringWeight[slot] = weight;
    ringBaseline[slot] = 0;
    weights.add(weight);
    confusion.add(truth, predicted, weight, labels.size());
    if (predicted == truth) {
      right.add(weight);
    }
    if (baselines.majority() == truth) {
      byMajority.add(weight);
      ringBaseline[slot] |= BY_MAJORITY;
    }
    if (baselines.previous() == truth) {
      byNoChange.add(weight);
      ringBaseline[slot] |= BY_NO_CHANGE;
    }
    baselines.learn(truth, weight);
  }

  @Override
  public void observe(double actual, double weight) {
    checkLabel(actual);
    if (Score.counts(weight)) {
      baselines.learn(labels.findOrAdd(actual), weight);
    }
  }

  @Override
  public void freeze() {
    baselines.freeze();
  }

  @Override
  public ClassificationFigures cumulative() {
    return ClassificationFigures.of(
        instances,
        weights.value(),
        right.value(),
        byMajority.value(),
        baselines.isFrozen() ? Double.NaN : byNoChange.value(),
        confusion.chance(labels.size()));
  }

  @Override
  public ClassificationFigures window() {
    int count = (int) Math.min(instances, ringActual.length);
    double[] actual = new double[labels.size()];
    double[] predicted = new double[labels.size()];
    double weight = 0;
    double hits = 0;
    double majorityHits = 0;
    double noChangeHits = 0;
    for (int i = 0; i < count; i++) {
      double w = ringWeight[i];
      weight += w;
      actual[ringActual[i]] += w;
      if (ringPrediction[i] != Labels.UNKNOWN) {
        predicted[ringPrediction[i]] += w;
      }
      hits += ringPrediction[i] == ringActual[i] ? w : 0;
      majorityHits += (ringBaseline[i] & BY_MAJORITY) != 0 ? w : 0;
      noChangeHits += (ringBaseline[i] & BY_NO_CHANGE) != 0 ? w : 0;
    }
    double chance = 0;
    for (int c = 0; c < actual.length; c++) {
      chance += actual[c] * predicted[c];
    }
    double previous = baselines.isFrozen() ? Double.NaN : noChangeHits;
    return ClassificationFigures.of(count, weight, hits, majorityHits, previous, chance);
  }

  /**
   * {@return the mean of −ln(probability of the actual class); NaN if no probabilities were given}
   * The first instance of a class that the predictor did not know is left out: nobody could have
   * named it.
   */
  public double logLoss() {
    return logLoss.value() / logLossWeights.value();
  }

  /**
   * {@return the area under the ROC curve for two classes, over the instances predicted when both
   * were known; NaN if there are more classes or no scores were given}
   */
  public double auc() {
    return roc == null || manyClasses || labels.size() > 2 ? Double.NaN : roc.area();
  }

  /**
   * {@return how far {@link #auc} can be from the exact area, because it is kept in bounded memory}
   */
  public double aucError() {
    return roc == null || manyClasses || labels.size() > 2 ? Double.NaN : roc.error();
  }

  /** {@return the number of labels seen, actual or predicted} */
  public int classes() {
    return labels.size();
  }

  /**
   * {@return the label of class {@code c}, in order of first appearance}
   *
   * @param c index of the class, from 0
   */
  public double label(int c) {
    return labels.label(c);
  }

  /**
   * {@return the weight of the instances of class {@code c}}
   *
   * @param c index of the class, from 0
   */
  public double weight(int c) {
    return confusion.actual(c);
  }

  /**
   * {@return the share of the instances of class {@code c} that were predicted so, in percent}
   *
   * @param c index of the class, from 0
   */
  public double recall(int c) {
    return 100 * confusion.recall(c);
  }

  /**
   * {@return the share of the predictions of class {@code c} that are right, in percent}
   *
   * @param c index of the class, from 0
   */
  public double precision(int c) {
    return 100 * confusion.precision(c);
  }

  /**
   * {@return the weights by actual class (row) and predicted class (column), a copy; predictions of
   * NaN are in no column} Empty if there were more than 1000 classes.
   */
  public double[][] confusion() {
    return confusion.toArray(labels.size());
  }

  /** Two baselines of a classifier: the most frequent label so far, and the previous label. */
  private static final class Baselines {
    private double[] weights = new double[8];
    private int majority = Labels.UNKNOWN;
    private int previous = Labels.UNKNOWN;
    private boolean frozen;

    int majority() {
      return majority;
    }

    int previous() {
      return previous;
    }

    void freeze() {
      frozen = true;
    }

    boolean isFrozen() {
      return frozen;
    }

    void learn(int label, double weight) {
      if (frozen) {
        return;
      }
      if (label >= weights.length) {
        weights = Arrays.copyOf(weights, Math.max(label + 1, 2 * weights.length));
      }
      weights[label] += weight;
      previous = label;
      if (majority == Labels.UNKNOWN || weights[label] > weights[majority]) {
        majority = label;
      }
    }
  }
}
