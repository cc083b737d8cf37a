// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.approximation.SplitMix64;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;

/**
 * The learner that needs no parameter: it finds the scaling of the features, γ and, for numbers,
 * the intercept on the first instances, and hands everything to {@link SecondOrderLearner}.
 *
 * <p>It answers and learns from the first instance on. After 2, 10, 50, 250 … instances and at the
 * end of the estimation period it fits anew to what it has seen and learns that again from the
 * start; then the fit is fixed and the kept instances are let go. An answer depends only on
 * instances learned before it. Replaying costs at most 1.3 estimation periods in all.
 *
 * <p>γ is 1/(mean squared distance between two instances), after scaling.
 */
public final class AutoLearner implements Learner {
  private static final int PAIRS = 2000;
  private static final int FIRST_RUNG = 2;
  private static final int RUNG_FACTOR = 5;

  final AutoConfig config;
  final List<Kept> kept = new ArrayList<>();
  SecondOrderLearner learner;
  Scaling scaling = Scaling.none();
  double intercept;
  boolean estimating = true;

  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);

  /** An instance kept for replaying. */
  record Kept(FeatureVector x, double y, double weight) {}

  /** A learner that has seen nothing. */
  public AutoLearner(AutoConfig config) {
    this.config = config;
    this.learner = new SecondOrderLearner(config.with(config.gamma() > 0 ? config.gamma() : 1));
  }

  AutoLearner(AutoConfig config, SecondOrderLearner learner, Scaling scaling, double intercept) {
    this.config = config;
    this.learner = learner;
    this.intercept = intercept;
    use(scaling);
  }

  private void use(Scaling found) {
    scaling = found;
    scaler = new Scaling.Scaler(found);
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    learner.learn(scaler.scale(x), y - intercept, weight);
    keep(x, y, weight);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    double prediction =
        learner.predictThenLearn(scaler.scale(x), y - intercept, weight, scores) + intercept;
    if (intercept != 0 && scores.length > 0) {
      scores[0] += intercept;
    }
    keep(x, y, weight);
    return prediction;
  }

  private void keep(FeatureVector x, double y, double weight) {
    if (!estimating || weight == 0) {
      return;
    }
    kept.add(new Kept(x.copy(), y, weight));
    boolean last = kept.size() >= config.estimation();
    if (last || isRung(kept.size())) {
      refit();
    }
    if (last) {
      estimating = false;
      kept.clear();
    }
  }

  private static boolean isRung(int count) {
    int rung = FIRST_RUNG;
    while (rung < count) {
      rung *= RUNG_FACTOR;
    }
    return rung == count;
  }

  private void refit() {
    List<FeatureVector> seen = kept.stream().map(Kept::x).toList();
    boolean mixed = seen.stream().anyMatch(x -> x.isSparse() != seen.get(0).isSparse());
    use(mixed ? Scaling.none() : ScalingFitter.fit(seen, config.scaling()));
    intercept = config.task() == Task.REGRESSION ? meanTarget() : 0;
    double gamma = config.gamma() > 0 ? config.gamma() : findGamma(seen);
    SecondOrderLearner fresh = new SecondOrderLearner(config.with(gamma));
    for (Kept instance : kept) {
      fresh.learn(scaler.scale(instance.x), instance.y - intercept, instance.weight);
    }
    learner = fresh;
  }

  private double meanTarget() {
    double sum = 0;
    double weights = 0;
    for (Kept instance : kept) {
      sum += instance.weight * instance.y;
      weights += instance.weight;
    }
    return sum / weights;
  }

  /** 1/(mean ‖x−x′‖²) over random pairs, the same pairs for the same count. */
  private double findGamma(List<FeatureVector> seen) {
    SplitMix64 random = new SplitMix64(seen.size());
    Scaling.Scaler other = new Scaling.Scaler(scaling);
    double sum = 0;
    for (int p = 0; p < PAIRS; p++) {
      FeatureVector a = scaler.scale(seen.get((int) (random.nextDouble() * seen.size())));
      FeatureVector b = other.scale(seen.get((int) (random.nextDouble() * seen.size())));
      sum += squaredDistance(a, b);
    }
    return sum > 0 ? PAIRS / sum : 1;
  }

  private static double squaredDistance(FeatureVector a, FeatureVector b) {
    double dot = 0;
    for (int k = 0; k < a.count(); k++) {
      dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
    }
    return Math.max(0, a.squaredNorm() + b.squaredNorm() - 2 * dot);
  }

  @Override
  public double predict(FeatureVector x) {
    return learner.predict(scaler.scale(x)) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    return learner.score(scaler.scale(x)) + intercept;
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    learner.scores(scaler.scale(x), out);
    if (intercept != 0) {
      out[0] += intercept;
    }
  }

  @Override
  public Task task() {
    return config.task();
  }

  @Override
  public int classes() {
    return learner.classes();
  }

  @Override
  public double label(int index) {
    return learner.label(index);
  }

  @Override
  public int size() {
    return learner.size();
  }

  /** The configuration found so far. */
  @Override
  public LearnerConfig config() {
    return learner.config();
  }

  /** What it was told. */
  public AutoConfig told() {
    return config;
  }

  /** The scaling found so far. */
  public Scaling scaling() {
    return scaling;
  }

  /** Whether scaling and γ may still change. */
  public boolean isEstimating() {
    return estimating;
  }

  @Override
  public long instances() {
    return learner.instances();
  }

  /** Instances that changed the model; the others were already known. */
  public long learned() {
    return learner.learned();
  }

  @Override
  public long absorbed() {
    return learner.absorbed();
  }

  @Override
  public long refused() {
    return 0;
  }

  @Override
  public Model snapshot() {
    return learner.snapshot().with(scaling, intercept);
  }

  @Override
  public byte[] toBytes() {
    return AutoFormat.write(this);
  }
}
