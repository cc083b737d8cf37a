// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.paper.SplitMix64;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scores instances by how many recent ones are near, and learns them. The score is a soft distance
 * to the core points: the mean over {@link #WIDTHS} of −log f_w/w, where f_w = (1/S)·Σ exp(−w‖z −
 * c_i‖/s_i) on scaled features counts core points, each by its own {@linkplain Spreads spread}. For
 * w → 0 it would be the mean of these distances, for w → ∞ the least. The divisor w gives all of
 * them one unit, so that a narrow kernel does not outweigh a wide one.
 *
 * <p>An instance whose score is extreme is <em>held back</em>: neither learned nor calibrated on.
 * When that happens to most instances, the stream has changed, and they are learned; so is a
 * {@linkplain HeldBack kind} that comes again and again.
 */
public final class DetectorEngine {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** The kernels, as multiples of γ: the shape of the whole, and details. */
  static final double[] WIDTHS = {1, 4};

  /** Instances that the share held back is counted over. */
  private static final double WINDOW = 64;

  /** When a larger share was held back, the stream has changed. */
  private static final double CHANGED = 0.5;

  public final DetectorConfig config;
  public final SplitMix64 random;
  public final ReferenceScores reference;
  public final LabelledRows labelled = new LabelledRows();
  public final HeldBack before = new HeldBack();
  private @Nullable CoreSample sample;
  private long instances;
  private long learned;
  private double heldBack;

  private double[] dense = new double[0];
  private FeatureVector z = FeatureVector.dense();
  private double[] distances = new double[0];
  private double[] scratch = new double[0];
  private double[] ones = new double[0];
  private double plain;
  private double score;

  /** An engine that has seen nothing. */
  public DetectorEngine(DetectorConfig config, long state) {
    this.config = config;
    random = new SplitMix64(state);
    double epsilon = config.protection() ? config.alarm() / 10 : 0;
    reference = new ReferenceScores(config.calibration(), epsilon);
    if (config.features() > 0) {
      start(config.features());
    }
  }

  /** Gives the engine its features; once. */
  public CoreSample start(int features) {
    if ((long) features * config.budget() > DetectorConfig.MAX_VALUES) {
      throw new IllegalArgumentException(
          "%d features of %d core points are more than %d values: set a smaller budget"
              .formatted(features, config.budget(), DetectorConfig.MAX_VALUES));
    }
    CoreSample fresh = new CoreSample(features, config.budget(), config.gamma());
    dense = new double[features];
    z = FeatureVector.dense(new double[features]);
    sample = fresh;
    return fresh;
  }

  /** Its core points; null before the number of features is known. */
  public @Nullable CoreSample sample() {
    return sample;
  }

  /** Instances seen. */
  public long instances() {
    return instances;
  }

  /** Instances learned; the others were held back as extreme. */
  public long learned() {
    return learned;
  }

  /** Recent share of instances held back. */
  public double heldBack() {
    return heldBack;
  }

  /** Goes on with saved counts. */
  public void restore(long savedInstances, long savedLearned, double savedHeldBack) {
    instances = savedInstances;
    learned = savedLearned;
    heldBack = savedHeldBack;
  }

  /** P-value of x; then x is learned, unless it is held back. */
  public double detectThenLearn(FeatureVector x) {
    CoreSample core = admit(x);
    score = scoreDense(core);
    double p = reference.pValue(score);
    boolean extreme = score > reference.cut();
    instances++;
    heldBack += ((extreme ? 1 : 0) - heldBack) / WINDOW;
    if (isHeldBack(extreme, core)) {
      before.add(dense);
    } else {
      learned++;
      // Without what people said, which is relative to these.
      reference.add(plain);
      core.offer(dense, learned, 1 / (1 - config.forgetting()), random);
    }
    return p;
  }

  private boolean isHeldBack(boolean extreme, CoreSample core) {
    if (!extreme) {
      before.pass();
      return false;
    }
    return !before.isUsual(z.values(), core) && heldBack <= CHANGED;
  }

  /** The score that the last p-value was of. */
  public double lastScore() {
    return score;
  }

  /** P-value of x; nothing is learned. */
  public double pValue(FeatureVector x) {
    return reference.pValue(score(x));
  }

  /** Score of x; nothing is learned. */
  public double score(FeatureVector x) {
    CoreSample known = sample;
    score = scoreDense(admit(x));
    sample = known; // scoring does not fix the number of features
    return score;
  }

  /** Takes in what a person said of x. */
  public void feedback(FeatureVector x, boolean anomalous) {
    CoreSample core = admit(x);
    labelled.add(dense, anomalous);
    if (!anomalous) {
      core.take(dense, random);
    }
  }

  /** x scaled, valid until the next call. */
  public double[] scaled(FeatureVector x) {
    CoreSample core = admit(x);
    core.scale(dense, z.values());
    return z.values();
  }

  private CoreSample admit(FeatureVector x) {
    CoreSample core = sample;
    if (core != null) {
      core.marginals.read(x, dense);
      return core;
    }
    core = start(requireSome(x.dimension()));
    sample = null; // until the instance is known to be usable
    core.marginals.read(x, dense);
    sample = core;
    return core;
  }

  private static int requireSome(int features) {
    if (features == 0) {
      throw new IllegalArgumentException(
          "the first instance has no features: set features when the detector is built");
    }
    return features;
  }

  private double scoreDense(CoreSample core) {
    core.scale(dense, z.values());
    CoreSet set = core.scaled();
    int n = set.size();
    plain = 0;
    if (n > 0) {
      reserve(n);
      set.squaredDistances(z, distances);
      plain = softDistance(core, distances);
    }
    if (labelled.count() == 0) {
      return plain;
    }
    double opinion = labelled.opinion(z.values(), core.marginals, detail());
    return opinion >= 0
        ? plain + opinion * Math.max(0, reference.high() - plain)
        : plain + opinion * Math.max(0, plain - reference.middle());
  }

  /** 1/(mean distance of core points), or the γ that was set. */
  public double gamma() {
    return sample == null ? 1 : sample.gamma();
  }

  /** γ of what counts as similar: that of the narrowest kernel. */
  public double detail() {
    return WIDTHS[WIDTHS.length - 1] * gamma();
  }

  /**
   * The score by distances: finite, however far all core points are.
   *
   * @param squared squared distances to all core points, changed
   */
  public double softDistance(CoreSample core, double[] squared) {
    int n = core.size();
    double[] spreads = core.spreads.values;
    for (int i = 0; i < n; i++) {
      squared[i] = Math.sqrt(squared[i]) / spreads[i];
    }
    double nearest = squared[OPS.nearest(squared, n)];
    for (int i = 0; i < n; i++) {
      squared[i] -= nearest;
    }
    double sum = 0;
    for (double width : WIDTHS) {
      double kernels = OPS.weightedExp(squared, -width, ones, scratch, n);
      sum += nearest - Math.log(kernels / n) / width;
    }
    return sum / WIDTHS.length;
  }

  /** Makes room for the distances to n core points. */
  public void reserve(int n) {
    if (n > distances.length) {
      int room = (Math.min(config.budget(), 2 * n) + 31) & -32;
      distances = new double[room];
      scratch = new double[room];
      ones = new double[room];
    }
    // Padding beyond n counts nothing.
    if (ones[n - 1] == 0 || (n < ones.length && ones[n] != 0)) {
      Arrays.fill(ones, 0);
      Arrays.fill(ones, 0, n, 1);
    }
  }
}
