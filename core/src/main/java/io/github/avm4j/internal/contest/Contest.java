// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.contest;

import java.util.Arrays;

/**
 * Decides which of several entrants predicts best, from their losses on the same instances, each
 * taken before the entrant learned from the instance.
 *
 * <p>One entrant, the incumbent, is in use. For every other entrant the contest keeps the mean and
 * the mean square of its <em>gain</em>, the incumbent's loss less its own. Losses of one instance
 * are paired, so what is hard for all of them cancels. Means are over all instances, or over an
 * exponential window.
 *
 * <p>Two questions can be asked at any time: who leads by so many standard errors ({@link #best}),
 * and who is worse by so many ({@link #isWorse}). Only the caller changes the incumbent ({@link
 * #lead}) or drops an entrant ({@link #remove}). O(entrants) per instance, without allocation.
 */
public final class Contest {
  /** Losses beyond this count as this, so that they can be squared and summed. */
  public static final double LARGEST = 1e140;

  private final int window;
  private int incumbent;
  private long seen;
  private double loss;
  private double[] gains;
  private double[] squares;

  /**
   * A contest of which entrant 0 is the incumbent.
   *
   * @param window instances that means are taken over, 0 for all
   */
  public Contest(int entrants, int window) {
    this.window = window;
    this.gains = new double[entrants];
    this.squares = new double[entrants];
  }

  /** Puts back what a file holds. */
  public void restore(
      int savedIncumbent,
      long savedSeen,
      double savedLoss,
      double[] savedGains,
      double[] savedSquares) {
    incumbent = savedIncumbent;
    seen = savedSeen;
    loss = savedLoss;
    gains = savedGains.clone();
    squares = savedSquares.clone();
  }

  /** Forgets all evidence; the incumbent stays. */
  public void restart() {
    seen = 0;
    loss = 0;
    Arrays.fill(gains, 0);
    Arrays.fill(squares, 0);
  }

  /** Takes in the losses of all entrants on one instance. */
  public void observe(double[] losses) {
    seen++;
    double rate = window == 0 ? 1.0 / seen : Math.max(1.0 / seen, 1.0 / window);
    double own = bounded(losses[incumbent]);
    loss += rate * (own - loss);
    for (int i = 0; i < gains.length; i++) {
      double gain = bounded(own - bounded(losses[i]));
      gains[i] += rate * (gain - gains[i]);
      squares[i] += rate * (gain * gain - squares[i]);
    }
  }

  private static double bounded(double value) {
    return Math.max(-LARGEST, Math.min(LARGEST, value));
  }

  /**
   * The entrant of the largest mean gain among those whose gain exceeds both bounds, or the
   * incumbent if there is none.
   *
   * @param standardErrors least gain, in standard errors
   * @param share least gain, as a share of the incumbent's loss
   */
  public int best(double standardErrors, double share) {
    int best = incumbent;
    for (int i = 0; i < gains.length; i++) {
      boolean proven = gains[i] > standardErrors * error(i) && gains[i] > share * loss;
      if (i != incumbent && proven && gains[i] > gains[best]) {
        best = i;
      }
    }
    return best;
  }

  /** Whether an entrant is worse than the incumbent by so many standard errors. */
  public boolean isWorse(int entrant, double standardErrors) {
    return gains[entrant] < -standardErrors * error(entrant);
  }

  /** The challenger of the smallest mean gain, the last of equals; the incumbent if alone. */
  public int worst() {
    int worst = incumbent;
    for (int i = 0; i < gains.length; i++) {
      if (i != incumbent && (worst == incumbent || gains[i] <= gains[worst])) {
        worst = i;
      }
    }
    return worst;
  }

  /** Standard error of a mean gain, were it 0. */
  private double error(int entrant) {
    // An exponential mean over n has the variance of a plain one over 2n − 1.
    long count = window == 0 ? seen : Math.min(seen, 2L * window - 1);
    return count == 0 ? 0 : Math.sqrt(squares[entrant] / count);
  }

  /**
   * Makes an entrant the incumbent. Evidence is kept: gains are restated against it, their mean
   * squares as if gains were independent.
   */
  public void lead(int entrant) {
    if (entrant == incumbent) {
      return;
    }
    double gain = gains[entrant];
    double square = squares[entrant];
    for (int i = 0; i < gains.length; i++) {
      gains[i] -= gain;
      squares[i] += square;
    }
    squares[incumbent] = square;
    gains[entrant] = 0;
    squares[entrant] = 0;
    loss -= gain;
    incumbent = entrant;
  }

  /** Drops an entrant that is not the incumbent; those after it move up. */
  public void remove(int entrant) {
    if (entrant == incumbent) {
      throw new IllegalArgumentException("entrant " + entrant + " is the incumbent");
    }
    gains = without(gains, entrant);
    squares = without(squares, entrant);
    incumbent -= incumbent > entrant ? 1 : 0;
  }

  private static double[] without(double[] values, int place) {
    double[] fewer = new double[values.length - 1];
    System.arraycopy(values, 0, fewer, 0, place);
    System.arraycopy(values, place + 1, fewer, place, fewer.length - place);
    return fewer;
  }

  /** Number of entrants. */
  public int entrants() {
    return gains.length;
  }

  /** The entrant in use. */
  public int incumbent() {
    return incumbent;
  }

  /** Instances observed. */
  public long seen() {
    return seen;
  }

  /** Mean loss of the incumbent. */
  public double loss() {
    return loss;
  }

  /** Mean gain of an entrant over the incumbent. */
  public double gain(int entrant) {
    return gains[entrant];
  }

  /** Mean gain of an entrant over the incumbent in standard errors; 0 without evidence. */
  public double standardErrors(int entrant) {
    double error = error(entrant);
    return error == 0 ? 0 : gains[entrant] / error;
  }

  /** Mean square of that gain. */
  public double square(int entrant) {
    return squares[entrant];
  }
}
