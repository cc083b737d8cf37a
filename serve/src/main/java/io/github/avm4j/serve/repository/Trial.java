// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

/**
 * Compares the losses of a challenger and the champion on the labelled rows. Both predicted each of
 * these rows, whichever prediction the client got, so their losses are compared pair by pair.
 * Thread-safe.
 *
 * <ol>
 *   <li>The decision is made once, after at most {@code labels} labels.
 *   <li>A challenger that is worse beyond chance is reverted before that: when its mean excess loss
 *       exceeds three standard errors, from {@link #FEWEST} labels on.
 * </ol>
 */
final class Trial {
  /** No decision is made on fewer labels. */
  static final int FEWEST = 30;

  private static final double ERRORS = 3;

  private final long champion;
  private final long challenger;
  private final int labels;
  private final double tolerance;
  private int count;
  private double sum;
  private double squares;
  private double championLoss;
  private double challengerLoss;
  private boolean over;

  /** The decision. */
  enum Decision {
    /** More labels are needed, or it was decided before. */
    WAIT,
    /** The challenger takes over. */
    PROMOTE,
    /** The champion stays. */
    REVERT
  }

  /**
   * A trial.
   *
   * @param labels after so many it is decided
   * @param tolerance the challenger's loss may exceed the champion's by this share of it
   */
  Trial(long champion, long challenger, int labels, double tolerance) {
    this.champion = champion;
    this.challenger = challenger;
    this.labels = labels;
    this.tolerance = tolerance;
  }

  /** Whether it is a trial of these two versions. */
  boolean isOf(long first, long second) {
    return first == champion && second == challenger;
  }

  /** Adds the losses of both on one row. */
  synchronized Decision judge(double ofChampion, double ofChallenger) {
    if (over) {
      return Decision.WAIT;
    }
    count++;
    championLoss += ofChampion;
    challengerLoss += ofChallenger;
    double excess = ofChallenger - ofChampion;
    sum += excess;
    squares += excess * excess;
    Decision decision = decide();
    over = decision != Decision.WAIT;
    return decision;
  }

  private Decision decide() {
    if (count >= labels) {
      return challengerLoss <= (1 + tolerance) * championLoss ? Decision.PROMOTE : Decision.REVERT;
    }
    if (count < Math.min(FEWEST, labels)) {
      return Decision.WAIT;
    }
    double mean = sum / count;
    double error = Math.sqrt(Math.max(0, squares / count - mean * mean) / count);
    boolean worse = mean > ERRORS * error && challengerLoss > (1 + tolerance) * championLoss;
    return worse ? Decision.REVERT : Decision.WAIT;
  }

  /** The evidence, as text for the log. */
  @Override
  public synchronized String toString() {
    return "after "
        + count
        + " labels the loss of version "
        + challenger
        + " is "
        + challengerLoss / Math.max(1, count)
        + ", that of "
        + champion
        + " "
        + championLoss / Math.max(1, count);
  }

  /** Labels so far. */
  synchronized int count() {
    return count;
  }
}
