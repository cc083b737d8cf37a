// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.model.Decision;
import java.util.Arrays;
import java.util.List;

/**
 * A second-order engine and the view through which it is fed. It knows classes by their indices in
 * the whole learner, and perhaps not all of them; targets of a regression less an intercept.
 *
 * <p>After each row it gives the losses that decisions need, and the work it took.
 */
final class Expert {
  private static final double[] NO_SCORES = {};

  /** Rows over which the best sharpness is followed. */
  private static final double SHARPNESS_WINDOW = 2000;

  /** What removing and adding a core point adds to a step, in steps. */
  private static final int SLIDE = 3;

  /** A row's share of a distance pass that does not depend on features, in features. */
  private static final int OVERHEAD = 10;

  private final Shape shape;
  private final View view;
  private final double median;
  private final double intercept;
  private final SecondOrderEngine engine;
  private final Scaling.Scaler scaler;
  private final double[] sharpened = new double[3];
  private final double[] means = new double[3];
  private long sharpenedRows;
  private double[] scores = NO_SCORES;
  private int[] places = {};
  private double target;
  private double weight;
  private double error;
  private double work;

  private Expert(
      Shape shape, View view, double median, double intercept, SecondOrderEngine engine) {
    this.shape = shape;
    this.view = view;
    this.median = median;
    this.intercept = intercept;
    this.engine = engine;
    this.scaler = new Scaling.Scaler(view.scaling());
  }

  /**
   * An expert that has learned nothing.
   *
   * @param settings all but the kernel
   * @param median of squared distances between rows in the view
   */
  static Expert of(
      Shape shape, View view, double median, double intercept, SecondOrderConfig settings) {
    SecondOrderConfig config = settings.toBuilder().kernel(shape.kernel(median)).build();
    return new Expert(shape, view, median, intercept, new SecondOrderEngine(config));
  }

  /** An equal expert that goes on with another forgetting factor. */
  Expert forgetting(double factor) {
    SecondOrderConfig config = engine.config().toBuilder().forgetting(factor).build();
    return new Expert(shape, view, median, intercept, engine.copy(config));
  }

  /** Learns rows; returns the sum of their sharpened losses. */
  double taught(List<StoredInstances.Kept> rows) {
    double sum = 0;
    for (StoredInstances.Kept row : rows) {
      learn(row.x(), row.y(), row.weight());
      sum += sharpLoss();
    }
    return sum;
  }

  /** Predicts a row, then learns it. */
  double learn(FeatureVector x, double y, double weight) {
    return learn(x, y, weight, NO_SCORES);
  }

  private double learn(FeatureVector x, double y, double rowWeight, double[] out) {
    FeatureVector z = scaler.scale(x);
    target = y - intercept;
    weight = rowWeight;
    int size = engine.size();
    double prediction = engine.predictThenLearn(z, target, engine.worth(weight), out);
    boolean numbers = engine.task() == Task.REGRESSION;
    double miss = prediction - target;
    error = weight * (numbers ? miss * miss : miss == 0 ? 0 : 1);
    work = (double) size * (x.count() + OVERHEAD);
    if (!engine.hasSkipped()) {
      work += (double) size * size * (engine.config().forgetting() < 1 ? SLIDE : 1);
    }
    return prediction + intercept;
  }

  /** The same, and the scores before, for {@link #spread}. */
  double scoreThenLearn(FeatureVector x, double y, double weight) {
    return learn(x, y, weight, scratch());
  }

  double predict(FeatureVector x) {
    return engine.predict(scaler.scale(x)) + intercept;
  }

  /** Computes the scores of a row, for {@link #spread}. */
  void score(FeatureVector x) {
    engine.scores(scaler.scale(x), scratch());
  }

  /** Room for scores, and the place of each; a row learned may bring a class more. */
  private double[] scratch() {
    int classes = engine.classes();
    if (scores.length < Math.max(1, classes)) {
      scores = new double[classes + 1];
    }
    if (places.length != classes) {
      places = new int[classes];
      for (int c = 0; c < classes; c++) {
        places[c] = (int) engine.label(c);
      }
    }
    return scores;
  }

  /** Writes the scores last computed, one for each class of the whole learner. */
  void spread(double[] out, int classes) {
    if (engine.task() == Task.REGRESSION) {
      out[0] = scores[0] + intercept;
      return;
    }
    Decision.place(scores, places, classes, out);
  }

  /** Of the row last learned: its weight for a mistake, or the weighted squared error. */
  double error() {
    return error;
  }

  /** Its weighted log loss, 0 where it was skipped, or squared error. */
  double regret() {
    return engine.task() == Task.REGRESSION ? error : weight * engine.lastRegret();
  }

  /**
   * Its weighted log loss of scores as they are, doubled or quadrupled, whichever has served best
   * so far; or the squared error. To be asked once for each row.
   */
  double sharpLoss() {
    if (engine.task() == Task.REGRESSION) {
      return error;
    }
    Arrays.fill(sharpened, 0);
    engine.addLosses(target, weight, sharpened);
    sharpenedRows++;
    double rate = Math.max(1.0 / sharpenedRows, 1 / SHARPNESS_WINDOW);
    int best = 0;
    for (int p = 0; p < means.length; p++) {
      means[p] += rate * (sharpened[p] - means[p]);
      best = means[p] < means[best] ? p : best;
    }
    return sharpened[best];
  }

  /** Matrix elements that the row last learned took. */
  double work() {
    return work;
  }

  Shape shape() {
    return shape;
  }

  View view() {
    return view;
  }

  /** The median of squared distances between rows that its kernel was made for. */
  double median() {
    return median;
  }

  double intercept() {
    return intercept;
  }

  SecondOrderEngine engine() {
    return engine;
  }

  /** The distance over which its kernel falls. */
  double width() {
    return Shape.width(engine.kernel);
  }
}
