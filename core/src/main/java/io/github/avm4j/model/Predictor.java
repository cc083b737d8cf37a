// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.stream.IntStream;

/**
 * Predicts for instances: what a {@link Model} and a learner have in common.
 *
 * <p>Whatever the number of classes, {@code scores} holds one value per class, {@code predict} is
 * their largest (the earliest class on ties) and {@code probabilities} is their softmax, so the
 * most probable class and the predicted one never differ.
 */
public interface Predictor {
  /** {@return the task: classification or regression} */
  Task task();

  /** {@return the number of classes known so far; 0 for regression} */
  int classes();

  /**
   * {@return the label of class {@code index}, in order of declaration and then of first
   * appearance}
   *
   * @param index index of the class, from 0
   */
  double label(int index);

  /** {@return the number of core points S} */
  int size();

  /**
   * The label or number predicted for {@code x}. Before anything was learned: 0 for regression, the
   * first declared label for classification, NaN if none was declared.
   *
   * @param x features of the instance
   * @return the prediction
   * @throws IllegalArgumentException if x does not fit or is not finite
   */
  double predict(FeatureVector x);

  /**
   * f(x): the number itself for regression; for two classes the margin, positive for the second
   * label; for more the largest of {@link #scores}.
   *
   * @param x features of the instance
   * @return the score
   */
  double score(FeatureVector x);

  /**
   * One score per class: for two classes −f/2 and f/2; for regression the one number.
   *
   * @param x features of the instance
   * @param out receives one score per class, or the prediction of a regression
   */
  void scores(FeatureVector x, double[] out);

  /**
   * {@link #scores(FeatureVector, double[])} of several instances, with the same bits as one by
   * one.
   *
   * @param rows the instances
   * @param n how many of them; those from n on are not looked at
   * @param out one array per instance
   * @throws IllegalArgumentException if one does not fit or is not finite; the content of {@code
   *     out} is then undefined
   */
  default void scores(FeatureVector[] rows, int n, double[][] out) {
    for (int r = 0; r < n; r++) {
      scores(rows[r], out[r]);
    }
  }

  /**
   * Softmax of {@link #scores}. Meant as probabilities where the loss is logistic: for two classes,
   * and for more with the second-order learner; otherwise only their order means something.
   *
   * @param x features of the instance
   * @param out receives one probability per class
   */
  default void probabilities(FeatureVector x, double[] out) {
    if (task() == Task.REGRESSION) {
      throw new IllegalStateException("a regression model has no probabilities");
    }
    scores(x, out);
    Decision.softmax(out, classes());
  }

  /**
   * {@return one probability per class, in the order of {@link #label}; a new array}
   *
   * @param x features of the instance
   */
  default double[] probabilities(FeatureVector x) {
    double[] out = new double[classes()];
    probabilities(x, out);
    return out;
  }

  /** {@return how far off predictions have been; without levels for a method that keeps none} */
  default Calibration calibration() {
    return Calibration.NONE;
  }

  /**
   * {@return the numbers that hold the target of {@code x} with a given coverage}
   *
   * @param x features of the instance
   * @param level the share of instances whose target it is to hold, one of the levels that the
   *     learner was built with
   * @throws IllegalArgumentException if there is no such level, or x does not fit
   * @throws IllegalStateException if this is a classifier
   */
  default Interval interval(FeatureVector x, double level) {
    return calibration().interval(predict(x), level);
  }

  /**
   * {@return the labels that hold that of {@code x} with a given coverage, in the order of {@link
   * #label}; the predicted one is always among them}
   *
   * @param x features of the instance
   * @param level the share of instances whose label it is to hold, one of the levels that the
   *     learner was built with
   * @throws IllegalArgumentException if there is no such level, or x does not fit
   * @throws IllegalStateException if this is a regression
   */
  default double[] predictionSet(FeatureVector x, double level) {
    double[] values = new double[Math.max(1, classes())];
    scores(x, values);
    int winner = Decision.argmax(values, classes());
    Decision.softmax(values, classes());
    boolean[] set = calibration().set(values, classes(), winner, level);
    return IntStream.range(0, classes()).filter(j -> set[j]).mapToDouble(this::label).toArray();
  }

  /**
   * {@link #predict(FeatureVector)} of a dense vector.
   *
   * @param x features of the instance
   * @return the prediction
   */
  default double predict(double... x) {
    return predict(FeatureVector.dense(x));
  }

  /**
   * {@link #score(FeatureVector)} of a dense vector.
   *
   * @param x features of the instance
   * @return the score
   */
  default double score(double... x) {
    return score(FeatureVector.dense(x));
  }

  /**
   * {@link #scores(FeatureVector, double[])} of a dense vector.
   *
   * @param x features of the instance
   * @param out receives one score per class, or the prediction of a regression
   */
  default void scores(double[] x, double[] out) {
    scores(FeatureVector.dense(x), out);
  }

  /**
   * {@link #probabilities(FeatureVector, double[])} of a dense vector.
   *
   * @param x features of the instance
   * @param out receives one probability per class
   */
  default void probabilities(double[] x, double[] out) {
    probabilities(FeatureVector.dense(x), out);
  }

  /**
   * {@link #probabilities(FeatureVector)} of a dense vector.
   *
   * @param x features of the instance
   * @return one probability per class, in the order of {@link #label}
   */
  default double[] probabilities(double... x) {
    return probabilities(FeatureVector.dense(x));
  }

  /**
   * {@link #interval(FeatureVector, double)} of a dense vector.
   *
   * @param x features of the instance
   * @param level one of the levels that the learner was built with
   * @return the numbers that hold the target with that coverage
   */
  default Interval interval(double[] x, double level) {
    return interval(FeatureVector.dense(x), level);
  }

  /**
   * {@link #predictionSet(FeatureVector, double)} of a dense vector.
   *
   * @param x features of the instance
   * @param level one of the levels that the learner was built with
   * @return the labels that hold that of x with that coverage
   */
  default double[] predictionSet(double[] x, double level) {
    return predictionSet(FeatureVector.dense(x), level);
  }
}
