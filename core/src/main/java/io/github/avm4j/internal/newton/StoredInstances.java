// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.paper.SplitMix64;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The instances of the estimation period, kept for replaying, and what is found on them. */
public final class StoredInstances {
  private static final int PAIRS = 2000;

  /** Fewer instances cannot tell an outlier. */
  private static final int ENOUGH = 10;

  private static final double USUAL = 10;

  /** Squared distances beyond so many times those of 99 of 100 pairs do not count. */
  private static final double FAR = 400;

  /** γ beyond its inverse, and below this, would overflow with the distances it is for. */
  private static final double SMALLEST_GAMMA = 1e-290;

  /** Objects and headers of one instance. */
  private static final int EACH = 128;

  private final List<Kept> list = new ArrayList<>();
  private long bytes;
  private int features;

  /** An instance kept for replaying; x is a copy. */
  public record Kept(FeatureVector x, double y, double weight) {}

  /** Bytes that keeping x takes, headers included. */
  public static long bytesOf(FeatureVector x) {
    return EACH + (x.isSparse() ? 12L : 8L) * x.count();
  }

  /** Takes ownership of the vector. */
  public void add(FeatureVector x, double y, double weight) {
    list.add(new Kept(x, y, weight));
    bytes += bytesOf(x);
    features = Math.max(features, x.dimension());
  }

  public List<Kept> list() {
    return list;
  }

  public int size() {
    return list.size();
  }

  /** Bytes of all of them, headers included. */
  public long bytes() {
    return bytes;
  }

  /** One more than the largest feature of any. */
  public int features() {
    return features;
  }

  public List<FeatureVector> vectors() {
    return list.stream().map(Kept::x).toList();
  }

  /** Whether some are dense and some sparse. */
  public boolean areMixed() {
    return list.stream().anyMatch(kept -> kept.x.isSparse() != list.get(0).x.isSparse());
  }

  public double[] labels() {
    return list.stream().mapToDouble(Kept::y).toArray();
  }

  /** The weighted mean of the targets, outliers cut. */
  public double meanTarget() {
    double[] targets = targets(0);
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < targets.length; i++) {
      sum += list.get(i).weight * targets[i];
      weights += list.get(i).weight;
    }
    return sum / weights;
  }

  /** The targets less an intercept, cut where they are far out of the range of the others. */
  public double[] targets(double intercept) {
    double[] sorted = labels();
    Arrays.sort(sorted);
    double median = sorted[sorted.length / 2];
    double limit = usualLimit(Arrays.stream(sorted).map(y -> Math.abs(y - median)).toArray());
    return list.stream()
        .mapToDouble(Kept::y)
        .map(y -> Math.max(median - limit, Math.min(median + limit, y)) - intercept)
        .map(ExpansionEngine::bounded)
        .toArray();
  }

  /**
   * Ten times the magnitude that 99 of 100 stay below, one at least left out of account; no limit
   * where that is 0 or they are few.
   */
  public static double usualLimit(double[] magnitudes) {
    double[] sorted = magnitudes.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double usual = sorted[Math.max(0, n - 2 - n / 100)];
    return n < ENOUGH || usual == 0 ? Double.MAX_VALUE : USUAL * usual;
  }

  /** 1/(mean ‖x−x′‖²) of scaled vectors over random pairs, the same pairs for the same count. */
  public double guessGamma(Scaling scaling) {
    SplitMix64 random = new SplitMix64(list.size());
    Scaling.Scaler one = new Scaling.Scaler(scaling);
    Scaling.Scaler other = new Scaling.Scaler(scaling);
    double[] squared = new double[PAIRS];
    for (int p = 0; p < PAIRS; p++) {
      FeatureVector a = one.scale(list.get((int) (random.nextDouble() * list.size())).x);
      FeatureVector b = other.scale(list.get((int) (random.nextDouble() * list.size())).x);
      squared[p] = squaredDistance(a, b);
    }
    double gamma = 1 / usualMean(squared);
    return gamma > 0 && gamma < Double.POSITIVE_INFINITY
        ? Math.max(SMALLEST_GAMMA, Math.min(1 / SMALLEST_GAMMA, gamma))
        : 1;
  }

  /** The mean, without the few that are out of all proportion. */
  private static double usualMean(double[] squared) {
    double[] sorted = squared.clone();
    Arrays.sort(sorted);
    double usual = sorted[PAIRS - 1 - PAIRS / 100];
    double most = usual > 0 ? FAR * usual : Double.POSITIVE_INFINITY;
    double sum = 0;
    int count = 0;
    for (double distance : squared) {
      if (distance <= most) {
        sum += distance;
        count++;
      }
    }
    return sum / count;
  }

  private static double squaredDistance(FeatureVector a, FeatureVector b) {
    double dot = 0;
    for (int k = 0; k < a.count(); k++) {
      dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
    }
    return Math.max(0, a.squaredNorm() + b.squaredNorm() - 2 * dot);
  }
}
