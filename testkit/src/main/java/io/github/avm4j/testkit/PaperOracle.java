// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SplitMix64;
import io.github.avm4j.paper.WhenFull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Algorithms 1 to 5 of the paper, line by line: slow, obvious and written apart from the library,
 * which must agree with it. Shares with it only the configuration, {@link FeatureVector} and the
 * random source.
 *
 * <p>Like the library it creates the cell of an instance whether or not the approximation is
 * performed (as the proof of the theorem on the model size counts), and adds what the paper leaves
 * open: instance weights, a cap, and classes that appear late.
 */
public final class PaperOracle {
  private static final int NONE = -1;

  private final AvmConfig config;
  private final SplitMix64 random;
  private final List<Double> labels = new ArrayList<>();
  private final List<FeatureVector> points = new ArrayList<>();
  private final List<Boolean> centres = new ArrayList<>();
  private final List<double[]> gram = new ArrayList<>();
  private final Map<Output, PaperAverage> averages = new LinkedHashMap<>();
  private final Coefficients w = new Coefficients(1);

  private long t;
  private long absorbed;
  private long refused;
  private double yMax;
  private int dimension;
  private double alpha;
  private int slot = NONE;

  /**
   * An oracle for one configuration that also keeps further outputs than the configured one.
   *
   * @param config checked settings
   * @param outputs further outputs
   */
  public PaperOracle(AvmConfig config, Output... outputs) {
    this.config = config;
    this.random = new SplitMix64(config.seed());
    this.yMax = config.yMax();
    this.dimension = config.features();
    averages.put(config.output(), new PaperAverage(config.output()));
    for (Output output : outputs) {
      averages.put(output, new PaperAverage(output));
    }
    config.labels().forEach(this::addClass);
  }

  /**
   * One step of Algorithm 1, 2 or 5.
   *
   * @param x features of the instance
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0
   */
  public void learn(FeatureVector x, double y, double weight) {
    if (weight == 0) {
      return;
    }
    if (dimension == 0 && !x.isSparse()) {
      dimension = x.count();
    }
    int column = 0;
    int rival = NONE;
    double margin;
    if (config.task() == Task.REGRESSION) {
      // A weighted loss weight·½(y−f)² is that of √weight·y and √weight·f: so is the ball.
      yMax = Math.max(yMax, Math.sqrt(weight) * Math.max(config.yMax(), Math.abs(y)));
      alpha = PaperLoss.derivative(config.loss(), w.scores(kernelRow(x))[0], y);
      margin = 0;
    } else {
      if (!labels.contains(y)) {
        addClass(y);
      }
      int label = labels.indexOf(y);
      double[] f = w.scores(kernelRow(x));
      if (w.columns() == 1) {
        double sign = label == 0 ? -1 : 1;
        margin = sign * f[0];
        alpha = PaperLoss.derivative(config.loss(), f[0], sign);
      } else {
        column = label;
        rival = rival(f, label);
        margin = f[label] - f[rival];
        alpha = PaperLoss.derivative(config.loss(), margin, 1);
      }
    }
    alpha *= weight;
    t++;
    for (PaperAverage average : averages.values()) {
      average.include(t, w);
    }
    boolean z = drawZ(margin);
    slot = place(x.copy(), z);
    double eta = 1 / (config.lambda() * t);
    w.scale((t - 1.0) / t);
    if (slot != NONE) {
      w.add(slot, column, -eta * alpha);
      if (rival != NONE) {
        w.add(slot, rival, eta * alpha);
      }
    }
    if (config.loss() instanceof SquaredLoss && config.lambda() <= 1) {
      project(yMax / Math.sqrt(config.lambda()));
    }
  }

  /** argmax_{j≠label} f_j; scores equal but for rounding are a tie, which the earliest wins. */
  private int rival(double[] f, int label) {
    int best = NONE;
    for (int j = 0; j < f.length; j++) {
      if (j != label && (best == NONE || f[j] > f[best] + 1e-13 * Math.abs(f[best]))) {
        best = j;
      }
    }
    return best;
  }

  private boolean drawZ(double margin) {
    if (config.approximation() instanceof Bernoulli bernoulli) {
      double p = Math.max(0, 1 - bernoulli.beta() / Math.pow((double) t, bernoulli.rho()));
      return random.nextDouble() < p;
    }
    if (config.approximation() instanceof Confidence) {
      return margin >= 1;
    }
    return config.approximation() instanceof Always;
  }

  private int place(FeatureVector x, boolean z) {
    if (config.approximation() instanceof Never) {
      return alpha == 0 ? NONE : append(x, false);
    }
    int cell = config.coverage() instanceof Hypersphere ? sphere(x) : rectangle(x);
    if (cell == NONE) {
      return append(x, true);
    }
    return z || alpha == 0 ? cell : append(x, false);
  }

  /** Algorithm 3. */
  private int sphere(FeatureVector x) {
    int nearest = NONE;
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < points.size(); k++) {
      double distance = PaperKernel.distance(x, points.get(k));
      if (centres.get(k) && distance < least) {
        nearest = k;
        least = distance;
      }
    }
    return least >= config.coverage().delta() / 2 ? NONE : nearest;
  }

  /** Algorithm 4. */
  private int rectangle(FeatureVector x) {
    double a = config.coverage().delta() / Math.sqrt(dimension);
    for (int i = 0; i < points.size(); i++) {
      if (centres.get(i) && PaperKernel.largestDifference(x, points.get(i)) < a) {
        return i;
      }
    }
    return NONE;
  }

  private int append(FeatureVector x, boolean centre) {
    if (config.budget() > 0 && points.size() >= config.budget()) {
      if (config.whenFull() == WhenFull.REFUSE) {
        refused++;
        return NONE;
      }
      absorbed++;
      int nearest = 0;
      for (int i = 1; i < points.size(); i++) {
        if (PaperKernel.distance(x, points.get(i)) < PaperKernel.distance(x, points.get(nearest))) {
          nearest = i;
        }
      }
      return nearest;
    }
    points.add(x);
    centres.add(centre);
    gram.add(kernelRow(x));
    return points.size() - 1;
  }

  private void project(double radius) {
    double norm = Math.sqrt(squaredNorm());
    if (norm > radius) {
      w.scale(radius / norm);
    }
  }

  private void addClass(double label) {
    labels.add(label);
    if (labels.size() > 2) {
      w.addClass();
      averages.values().forEach(PaperAverage::addClass);
    }
  }

  private double[] kernelRow(FeatureVector x) {
    double[] row = new double[points.size()];
    for (int i = 0; i < row.length; i++) {
      row[i] = PaperKernel.value(config.kernel(), x, points.get(i));
    }
    return row;
  }

  /**
   * {@return one score per class, or the one number, for each output in the order they were given,
   * the configured one first}
   *
   * @param x features of the instance
   */
  public List<double[]> scores(FeatureVector x) {
    double[] row = kernelRow(x);
    List<double[]> result = new ArrayList<>();
    for (PaperAverage average : averages.values()) {
      result.add(spread(average.value(w).scores(row)));
    }
    return result;
  }

  private double[] spread(double[] f) {
    if (config.task() == Task.REGRESSION || f.length > 1) {
      return f;
    }
    double[] both = {-f[0] / 2, f[0] / 2};
    return Arrays.copyOf(both, labels.size());
  }

  /** {@return Σ|coefficient| of the last iterate: the scale of its scores} */
  public double magnitude() {
    return w.magnitude();
  }

  /** {@return ‖w_{t+1}‖² by the whole Gram matrix} */
  public double squaredNorm() {
    return w.squaredNorm(gram);
  }

  /** {@return the last iterate's first column as a function} */
  public KernelFunction iterate() {
    double[] coefficients = new double[points.size()];
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] = w.get(i, 0);
    }
    return new KernelFunction(config.kernel(), List.copyOf(points), coefficients);
  }

  /** {@return the support vectors in order} */
  public List<FeatureVector> points() {
    return List.copyOf(points);
  }

  /** {@return the number of support vectors} */
  public int size() {
    return points.size();
  }

  /**
   * {@return whether support vector i is the core point of a cell}
   *
   * @param i index of the support vector, from 0
   */
  public boolean isCentre(int i) {
    return centres.get(i);
  }

  /** {@return α_t of the last step, the weight included} */
  public double lastAlpha() {
    return alpha;
  }

  /** {@return the support vector that took the last step's gradient, or −1} */
  public int lastSlot() {
    return slot;
  }

  /** {@return t, the number of steps} */
  public long instances() {
    return t;
  }

  /** {@return the number of instances beyond the cap that the nearest support vector took} */
  public long absorbed() {
    return absorbed;
  }

  /** {@return the number of instances beyond the cap that were dropped} */
  public long refused() {
    return refused;
  }
}
