// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.model.Interval;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.predictioninterval.AdaptivePredictionInterval;
import moa.classifiers.predictioninterval.MVEPredictionInterval;

/**
 * MOA's prediction intervals of one level around the predictions of a regression learner: MVE, a
 * number of standard deviations of the errors so far, and AdaPI, which adapts that number. They
 * need commons-math3 beside MOA's jar.
 */
final class MoaIntervals extends MoaLearner {
  private static final Interval UNKNOWN =
      new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  private final double level;

  /**
   * @param base command line of MOA for the learner; empty for the default of the method
   */
  MoaIntervals(boolean adaptive, String base, StreamHeader about, double level, long seed) {
    super(adaptive ? adapi(base, level) : mve(base, level), numeric(about), seed);
    this.level = level;
  }

  private static StreamHeader numeric(StreamHeader about) {
    if (about.task() != Task.REGRESSION) {
      throw new IllegalArgumentException("intervals are of a regression, was " + about.task());
    }
    return about;
  }

  private static AbstractClassifier adapi(String base, double level) {
    AdaptivePredictionInterval method = new AdaptivePredictionInterval();
    method.confidenceLevelOption.setValue(level);
    if (!base.isEmpty()) {
      method.learnerOption.setValueViaCLIString(base);
    }
    return method;
  }

  private static AbstractClassifier mve(String base, double level) {
    MVEPredictionInterval method = new MVEPredictionInterval();
    method.confidenceLevelOption.setValue(level);
    if (!base.isEmpty()) {
      method.learnerOption.setValueViaCLIString(base);
    }
    return method;
  }

  /** MOA makes the base learner when it is first asked, and cannot train before. */
  @Override
  public void learn(FeatureVector x, double y, double weight) {
    if (instances() == 0) {
      votes(x);
    }
    super.learn(x, y, weight);
  }

  /** Infinite before the first errors are known. */
  @Override
  public Interval interval(FeatureVector x, double asked) {
    if (asked != level) {
      throw new IllegalArgumentException("the level is " + level + ", not " + asked);
    }
    double[] votes = votes(x);
    boolean known = votes.length == 3 && votes[0] <= votes[2];
    return known ? new Interval(votes[0], votes[2]) : UNKNOWN;
  }
}
