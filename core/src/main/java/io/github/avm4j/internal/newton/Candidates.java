// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Kernel;
import java.util.Arrays;

/**
 * Instances that ask for a place in a full core set, and the evidence for each.
 *
 * <p>What candidate c could add is g(x) = k(c, x) − aᵀk(x), the part of k(c, ·) that the core
 * points lack. Over the instances learned from, with gradients α and curvature h, G = Σ α·g says
 * how the loss falls along g and H = λ·r + Σ h·g² how it bends, so the gain would be G²/(2H). Under
 * noise E[G²] = V = Σ α²·g²: a candidate counts only if G² &gt; 9·V, three deviations, and then
 * without the part that noise explains. One surprise proves nothing, which is why replacing on
 * every surprise ruins noisy streams.
 *
 * <p>Cost: O(C·(d + S)) an instance learned from, C = 16.
 */
public final class Candidates {
  /** How many are watched at a time. */
  public static final int MOST = 16;

  /** Instances learned from before a candidate may be judged, and after which it has to go. */
  private static final int YOUTH = 50;

  private static final int LIFE = 2000;

  /** Bytes of objects, and of arrays that do not grow. */
  private static final int FIXED = 2048;

  private static final double SIGNIFICANT = 9;
  private static final double[] NONE = {};
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final CoreDistances distances = new CoreDistances();
  private CoreSet points;
  private final double[][] projections = new double[MOST][];
  private final double[][] gradients = new double[MOST][];
  private final double[] residuals = new double[MOST];
  private final double[] information = new double[MOST];
  private final double[] noise = new double[MOST];

  /** Instances each was judged on; −1 for a free place. */
  private final int[] ages = new int[MOST];

  /** None yet; they are stored as the core points are. */
  public Candidates(CoreSet like) {
    points =
        like.isOpenEnded() ? CoreSet.sparse(like.dimension()) : CoreSet.dense(like.dimension());
    Arrays.fill(ages, -1);
    Arrays.fill(projections, NONE);
    Arrays.fill(gradients, NONE);
  }

  /** Whether a set like this, given these candidates again, would be stored in tiles. */
  public boolean isRestoredInTiles(CoreSet like) {
    boolean tiles = !new Candidates(like).points.storesPostings();
    for (int c = 0; c < points.size(); c++) {
      tiles &= points.point(c).dimension() <= CoreSet.TILED_DIMENSION_LIMIT;
    }
    return tiles;
  }

  /** Stores them as an inverted index from now on. */
  public void storePostings() {
    points = points.asPostings();
  }

  /**
   * Whether they are stored as an inverted index: one of them, here or gone, had a feature beyond
   * {@link CoreSet#TILED_DIMENSION_LIMIT}. Sums of distances are rounded differently then.
   */
  public boolean storesPostings() {
    return points.storesPostings();
  }

  private Candidates(Candidates other) {
    points = other.points.copy();
    System.arraycopy(other.ages, 0, ages, 0, MOST);
    for (int c = 0; c < MOST; c++) {
      projections[c] = ages[c] < 0 ? NONE : other.projections[c].clone();
      gradients[c] = ages[c] < 0 ? NONE : other.gradients[c].clone();
      residuals[c] = other.residuals[c];
      information[c] = other.information[c];
      noise[c] = other.noise[c];
    }
  }

  /** Equal candidates that share nothing with these. */
  public Candidates copy() {
    return new Candidates(this);
  }

  /**
   * Equal candidates that watch x as well, as {@link #admit} does, in arrays that hold nothing
   * else: their bytes depend on the candidates alone, not on those that were there before.
   */
  public Candidates with(
      int place,
      FeatureVector x,
      double[] projection,
      int size,
      double residual,
      int columns,
      CoreSet like) {
    Candidates more = copy();
    more.points = new Candidates(like).points;
    for (int c = 0; c < Math.max(points.size(), place + 1); c++) {
      FeatureVector point = c == place ? x : points.point(c);
      more.points = more.points.roomFor(point);
      more.points.append(point, true);
    }
    more.watch(place, projection, size, residual, columns);
    return more;
  }

  /** A free place, or −1. */
  public int freePlace() {
    for (int c = 0; c < MOST; c++) {
      if (ages[c] < 0) {
        return c;
      }
    }
    return -1;
  }

  /** Begins to watch x, given K⁻¹k and the residual of its kernel values k. */
  public void admit(
      int place, FeatureVector x, double[] projection, int size, double residual, int columns) {
    points = points.roomFor(x);
    if (place == points.size()) {
      points.append(x, true);
    } else {
      points.replace(place, x, true);
    }
    watch(place, projection, size, residual, columns);
  }

  private void watch(int place, double[] projection, int size, double residual, int columns) {
    forget(place);
    ages[place] = 0;
    if (gradients[place].length != columns) {
      gradients[place] = new double[columns];
    }
    Arrays.fill(gradients[place], 0);
    project(place, projection, size, residual);
  }

  private void project(int place, double[] projection, int size, double residual) {
    if (projections[place].length != size) {
      projections[place] = new double[size];
    }
    System.arraycopy(projection, 0, projections[place], 0, size);
    residuals[place] = residual;
  }

  private void forget(int place) {
    ages[place] = -1;
    information[place] = 0;
    noise[place] = 0;
  }

  /** Takes in an instance that is learned from: its kernel values, gradients and curvature. */
  public void observe(
      FeatureVector x, Kernel k, double[] kernel, double[] alphas, double curvature) {
    distances.fill(points, x, k);
    for (int c = 0; c < points.size(); c++) {
      if (ages[c] < 0) {
        continue;
      }
      double[] a = projections[c];
      double g = distances.kernel()[c] - OPS.dot(a, kernel, a.length);
      information[c] += curvature * g * g;
      for (int j = 0; j < gradients[c].length; j++) {
        double pull = alphas[j] * g;
        gradients[c][j] += pull;
        noise[c] += pull * pull;
      }
      ages[c]++;
    }
  }

  /** The candidate whose evidence counts and whose gain an instance is largest, or −1. */
  public int best(double lambda) {
    int best = -1;
    for (int c = 0; c < MOST; c++) {
      boolean judged = ages[c] >= YOUTH && squares(c) > SIGNIFICANT * noise[c];
      if (judged && (best < 0 || gain(c, lambda) > gain(best, lambda))) {
        best = c;
      }
    }
    return best;
  }

  /** The fall of the loss an instance, beyond what noise explains, if candidate c were taken. */
  public double gain(int c, double lambda) {
    return (squares(c) - noise[c]) / (2 * bend(c, lambda) * ages[c]);
  }

  private double squares(int c) {
    double sum = 0;
    for (double g : gradients[c]) {
      sum += g * g;
    }
    return sum;
  }

  private double bend(int c, double lambda) {
    return lambda * residuals[c] + information[c];
  }

  /** Σ h·g² of candidate c. */
  public double information(int c) {
    return information[c];
  }

  /** The step along g that its evidence asks for, shrunk by the share that noise explains. */
  public double[] change(int c, double lambda) {
    double share = 1 - noise[c] / squares(c);
    double[] change = new double[gradients[c].length];
    for (int j = 0; j < change.length; j++) {
      change[j] = -share * gradients[c][j] / bend(c, lambda);
    }
    return change;
  }

  /** A copy of candidate c. */
  public FeatureVector point(int c) {
    return points.point(c);
  }

  /** Whether place c has a candidate. */
  public boolean isTaken(int c) {
    return ages[c] >= 0;
  }

  /** Lets candidate c go. */
  public void dismiss(int c) {
    forget(c);
  }

  /** Lets those go that had their time. */
  public void dismissOld() {
    for (int c = 0; c < MOST; c++) {
      if (ages[c] >= LIFE) {
        forget(c);
      }
    }
  }

  /** Takes in that the core set changed: what candidate c lacks now. Its evidence stays. */
  public void changed(int c, double[] projection, int size, double residual) {
    project(c, projection, size, residual);
  }

  /** Number of places that were ever used. */
  public int places() {
    return points.size();
  }

  /** The numbers of place c, for saving: age, residual, information, noise. */
  public double[] numbers(int c) {
    return new double[] {ages[c], residuals[c], information[c], noise[c]};
  }

  /** Σ α·g of candidate c, one a column; the state itself. */
  public double[] gradients(int c) {
    return gradients[c];
  }

  /** K⁻¹k of candidate c; the state itself. */
  public double[] projection(int c) {
    return projections[c];
  }

  /** Puts back a saved candidate. */
  public void restore(
      int c, FeatureVector x, double[] numbers, double[] savedGradients, double[] projection) {
    admit(c, x, projection, projection.length, numbers[1], savedGradients.length);
    ages[c] = (int) numbers[0];
    information[c] = numbers[2];
    noise[c] = numbers[3];
    System.arraycopy(savedGradients, 0, gradients[c], 0, savedGradients.length);
  }

  /** Bytes that they and x take in a file, at most, but for their evidence. */
  public long savedBytesWith(FeatureVector x) {
    return points.savedBytesWith(x);
  }

  /** Bytes of heap they hold, at most, with so many core points and columns. */
  public long bytes(int size, int columns) {
    return points.bytes() + FIXED + points.size() * (8L * (size + columns) + 32);
  }
}
