// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.paper.SplitMix64;

/**
 * Decides which instances to ask a label for, so that at most a given share of a stream needs one:
 * active learning.
 *
 * <pre>{@code
 * LabelBudget budget = LabelBudget.of(0.2);
 * double prediction = learner.predict(x);
 * if (budget.wants(learner, x)) {
 *   learner.learn(x, labelOf(x)); // now or later
 * }
 * }</pre>
 *
 * <p>Of a classifier a label is wanted where the prediction is least certain: where the
 * <em>margin</em> is small, the largest score less the second. One threshold is tracked so that the
 * wanted share follows the budget: it falls a little with every label wanted and rises with every
 * other instance. One label in twenty is asked for at random, so that a change is seen also where
 * predictions are certain. Regressions ask for all labels at random.
 *
 * <p>A stream begins with labels for all of the first instances, min(300, 1500·share) of them.
 * Afterwards 85 % of the share is asked for until this advance is paid back. With n instances at
 * the beginning and t in all, the number asked for is never above
 *
 * <pre>max(n + 0.85·share·(t − n), share·t)</pre>
 *
 * <p>whatever the stream, which is at most {@code share·t} from 10,000 instances on.
 *
 * <p>Not part of the learner, and not saved with it: {@link #state()} is all there is to save. For
 * one thread at a time.
 */
public final class LabelBudget {
  /** Labels asked for at the beginning: at most so many, and at most so many times the share. */
  private static final int MOST_AT_FIRST = 300;

  private static final int AT_FIRST = 1500;

  /** Part of the share that is asked for until the labels of the beginning are paid back. */
  private static final double PAYING = 0.85;

  /** Share of the labels that is asked for at random. */
  private static final double RANDOM = 0.05;

  /** Step of the threshold, a logarithm; at least 1/√t at instance t. */
  private static final double STEP = 0.05;

  /** Largest logarithm of a certainty; that of the threshold, which may be above any. */
  private static final double LARGEST_LOG = 20;

  private static final double LARGEST_THRESHOLD = LARGEST_LOG + 1;

  /**
   * All that a budget remembers.
   *
   * @param share share of the instances that may be asked about, in (0, 1]
   * @param seen instances seen
   * @param asked labels asked for
   * @param threshold logarithm of the certainty below which a label is wanted
   * @param random state of the random numbers, or their seed
   */
  public record State(double share, long seen, long asked, double threshold, long random) {
    /**
     * Checks the ranges.
     *
     * @param share in (0, 1]
     * @param seen ≥ 0
     * @param asked from 0 to {@code seen}
     * @param threshold within ±21
     * @param random any
     */
    public State {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("share must be in (0, 1], was " + share);
      }
      if (asked < 0 || asked > seen) {
        throw new IllegalArgumentException(
            "asked must be from 0 to seen, was " + asked + " of " + seen);
      }
      if (!(Math.abs(threshold) <= LARGEST_THRESHOLD)) {
        throw new IllegalArgumentException("threshold must be within ±21, was " + threshold);
      }
    }
  }

  private final double share;
  private final long first;
  private final SplitMix64 random;
  private long seen;
  private long asked;
  private double threshold;
  private double[] scores = new double[8];

  /**
   * Goes on from a state.
   *
   * @param state what {@link #state()} returned
   */
  public LabelBudget(State state) {
    share = state.share;
    first = (long) Math.ceil(Math.min(MOST_AT_FIRST, AT_FIRST * share));
    seen = state.seen;
    asked = state.asked;
    threshold = state.threshold;
    random = new SplitMix64(state.random);
  }

  /**
   * {@return a budget that has seen nothing}
   *
   * @param share largest share of the instances to ask a label for, in (0, 1]
   * @throws IllegalArgumentException if the share is outside of this range
   */
  public static LabelBudget of(double share) {
    return of(share, 1);
  }

  /**
   * {@return a budget that has seen nothing}
   *
   * @param share largest share of the instances to ask a label for, in (0, 1]
   * @param seed of the labels that are asked for at random
   * @throws IllegalArgumentException if the share is outside of this range
   */
  public static LabelBudget of(double share, long seed) {
    return new LabelBudget(new State(share, 0, 0, 0, seed));
  }

  /**
   * Counts an instance and decides whether to ask for its label. To be called once per instance,
   * before the predictor learns from it.
   *
   * @param predictor the learner, or a model of it
   * @param x features of the instance; read during the call and not kept
   * @return whether a label is wanted
   * @throws IllegalArgumentException if x does not fit or is not finite; nothing was counted then
   */
  public boolean wants(Predictor predictor, FeatureVector x) {
    return count(certainty(predictor, x));
  }

  /**
   * {@link #wants(Predictor, FeatureVector)} of a dense vector.
   *
   * @param predictor the learner, or a model of it
   * @param x features of the instance; read during the call and not kept
   * @return whether a label is wanted
   */
  public boolean wants(Predictor predictor, double... x) {
    return wants(predictor, FeatureVector.dense(x));
  }

  /**
   * Counts an instance whose prediction is known and decides whether to ask for its label. With the
   * {@linkplain Decision#margin margin} of a classifier's scores it decides as {@link
   * #wants(Predictor, FeatureVector)} does, without a second prediction.
   *
   * @param certainty the margin, or any other number that is larger where the prediction is more
   *     certain, ≥ 0; NaN where nothing is known of it, to ask at random
   * @return whether a label is wanted
   * @throws IllegalArgumentException if the certainty is below 0; nothing was counted then
   */
  public boolean wants(double certainty) {
    if (certainty < 0) {
      throw new IllegalArgumentException("certainty must be >= 0 or NaN, was " + certainty);
    }
    return count(logarithm(certainty));
  }

  private boolean count(double certainty) {
    boolean wanted = share == 1 || decides(certainty);
    seen++;
    asked += wanted ? 1 : 0;
    return wanted;
  }

  private boolean decides(double certainty) {
    if (seen < first) {
      threshold = seen == first - 1 ? certainty : threshold;
      return true;
    }
    double rate = asked > share * seen ? PAYING * share : share;
    boolean drawn = random.nextDouble() < RANDOM * rate;
    // At equality, as of rows that are all alike, the threshold goes to and fro.
    boolean below = certainty < threshold;
    double step = Math.max(STEP, 1 / Math.sqrt(seen - first + 1.0));
    threshold += step * ((1 - RANDOM) * rate - (below ? 1 : 0));
    threshold = Math.max(-LARGEST_THRESHOLD, Math.min(LARGEST_THRESHOLD, threshold));
    return (below || drawn) && asked + 1 <= most(seen + 1);
  }

  /** Labels that may have been asked for after so many instances. */
  private double most(long instances) {
    return Math.max(first + PAYING * share * (instances - first), share * instances);
  }

  /** The logarithm of the margin; of a regression a random one. */
  private double certainty(Predictor predictor, FeatureVector x) {
    if (predictor.task() == Task.CLASSIFICATION) {
      int classes = predictor.classes();
      if (scores.length < classes) {
        scores = new double[2 * classes];
      }
      predictor.scores(x, scores);
      return logarithm(Decision.margin(scores, classes));
    }
    predictor.predict(x); // refuses what does not fit
    return logarithm(Double.NaN);
  }

  /** A random one for NaN. */
  private double logarithm(double certainty) {
    return bounded(Math.log(Double.isNaN(certainty) ? random.nextDouble() : certainty));
  }

  private static double bounded(double log) {
    return Math.max(-LARGEST_LOG, Math.min(LARGEST_LOG, log));
  }

  /** {@return the number of instances seen} */
  public long seen() {
    return seen;
  }

  /** {@return the number of labels asked for} */
  public long asked() {
    return asked;
  }

  /** {@return all that it remembers, to go on from as if it had not stopped} */
  public State state() {
    return new State(share, seen, asked, threshold, random.state());
  }
}
