// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

/**
 * The last {@value #MOST} instances that were held back. A kind of instance that did not exist
 * before is extreme, and so is an anomaly; but anomalies are rare or unlike each other. When more
 * than one instance in twenty is extreme and like those held back before it, the kind is normal.
 */
public final class HeldBack {
  /** Most instances that are kept. */
  public static final int MOST = 64;

  /** Like those before: near to one in so many of them. */
  private static final int PART = 4;

  /** Instances that the share of alike ones is counted over. */
  private static final double WINDOW = 2000;

  /** A kind with a larger share is normal. */
  private static final double RARE = 0.05;

  /** The instances, as they were given. */
  public final double[][] rows = new double[MOST][];

  /** Instances held back so far; the newest replaces the oldest. */
  private long count;

  /** Recent share of instances that were extreme and like those held back before. */
  private double alike;

  /** None yet. */
  public HeldBack() {}

  /** Number of instances that are kept. */
  public int size() {
    return (int) Math.min(count, MOST);
  }

  /** Instances held back so far. */
  public long count() {
    return count;
  }

  /** Recent share of instances that were extreme and like those held back before. */
  public double alike() {
    return alike;
  }

  /** Goes on with so many, of which the last have been added. */
  public void restore(long savedCount, double savedAlike) {
    count = savedCount;
    alike = savedAlike;
  }

  /** Takes in a copy of x. */
  public void add(double[] x) {
    int slot = (int) (count % MOST);
    if (rows[slot] == null) {
      rows[slot] = new double[x.length];
    }
    System.arraycopy(x, 0, rows[slot], 0, x.length);
    count++;
  }

  /** An instance was not extreme. */
  void pass() {
    alike -= alike / WINDOW;
  }

  /**
   * An instance is extreme: is it of a kind that is no longer rare?
   *
   * @param z the instance, scaled
   */
  boolean isUsual(double[] z, CoreSample core) {
    boolean like = near(z, core) > MOST / PART;
    alike += ((like ? 1 : 0) - alike) / WINDOW;
    return like && alike > RARE;
  }

  /** Number of instances that are nearer than core points are to each other on average. */
  private int near(double[] z, CoreSample core) {
    double radius = 1 / core.gamma();
    int near = 0;
    for (int i = 0; i < size(); i++) {
      double squared = 0;
      for (int j = 0; j < z.length; j++) {
        double difference = z[j] - core.marginals.apply(j, rows[i][j]);
        squared += difference * difference;
      }
      near += squared < radius * radius ? 1 : 0;
    }
    return near;
  }
}
