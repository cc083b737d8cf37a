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
import org.jspecify.annotations.Nullable;

/**
 * The learner that needs no parameter: it finds the scaling of the features, γ, the rate of
 * forgetting and, for numbers, the intercept, and hands everything to {@link SecondOrderLearner}.
 *
 * <p>It answers and learns from the first instance on. After 2, 10, 50, 250 … instances and at the
 * end of the estimation period it fits anew to what it has seen and learns that again from the
 * start; then scaling and intercept are fixed and the kept instances are let go. γ begins as
 * 1/(mean squared distance between two instances) and is then found by a {@link Race}; the rate of
 * forgetting by a {@link Trial} now and then. An answer depends only on instances learned before
 * it, and the mistakes made while choosing count.
 *
 * <p>Cost of finding: at most 20 times the learning of the estimation period, in practice 6 to 9;
 * then two learners beside it to three times that period, one to ten times; and a fifth of the
 * learning for trials.
 */
public final class AutoLearner implements Learner {
  private static final int PAIRS = 2000;
  private static final int FIRST_RUNG = 2;
  private static final int RUNG_FACTOR = 5;

  final AutoConfig config;
  final List<Kept> kept = new ArrayList<>();
  Race race;
  Trial trial;
  Scaling scaling = Scaling.none();
  double intercept;
  boolean estimating;

  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);

  /** An instance kept for replaying. */
  record Kept(FeatureVector x, double y, double weight) {}

  /** A learner that has seen nothing. */
  public AutoLearner(AutoConfig config) {
    this.config = config;
    this.race = Race.alone(fresh(config.gamma() > 0 ? config.gamma() : 1));
    this.trial = new Trial(config.estimation());
    this.estimating = true;
  }

  AutoLearner(
      AutoConfig config,
      Race race,
      Trial trial,
      Scaling scaling,
      double intercept,
      boolean estimating) {
    this.config = config;
    this.estimating = estimating;
    this.race = race;
    this.trial = trial;
    this.intercept = intercept;
    use(scaling);
  }

  private SecondOrderLearner fresh(double gamma) {
    return new SecondOrderLearner(config.with(gamma));
  }

  private void use(Scaling found) {
    scaling = found;
    scaler = new Scaling.Scaler(found);
  }

  /** The learner that answers. */
  SecondOrderLearner leader() {
    return race.leader();
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    FeatureVector z = scaler.scale(x);
    leader().learn(z, y - intercept, weight);
    othersLearn(x, z, y, weight);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    FeatureVector z = scaler.scale(x);
    double prediction = leader().predictThenLearn(z, y - intercept, weight, scores) + intercept;
    if (intercept != 0 && scores.length > 0) {
      scores[0] += intercept;
    }
    othersLearn(x, z, y, weight);
    return prediction;
  }

  private void othersLearn(FeatureVector x, FeatureVector z, double y, double weight) {
    if (weight == 0) {
      return;
    }
    SecondOrderLearner leader = leader();
    for (int i = 0; i < race.runners.size(); i++) {
      if (i != race.leader) {
        race.runners.get(i).learner.learn(z, y - intercept, weight);
      }
    }
    SecondOrderLearner challenger = trial.challenger;
    if (challenger != null) {
      challenger.learn(z, y - intercept, weight);
    }
    if (estimating) {
      keep(x, y, weight);
    } else {
      choose(leader);
    }
  }

  private void choose(SecondOrderLearner leader) {
    if (config.forgetting() == 0) {
      SecondOrderLearner better = trial.learned(leader, leader.instances());
      if (better != leader) {
        race.replaceLeader(better);
      }
    }
    SecondOrderLearner before = leader();
    race.learned(before.instances(), config.estimation());
    if (leader() != before) {
      trial.abandon();
    }
  }

  private void keep(FeatureVector x, double y, double weight) {
    kept.add(new Kept(x.copy(), y, weight));
    boolean last = kept.size() >= config.estimation();
    if (last || isRung(kept.size())) {
      refit(last);
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

  private void refit(boolean last) {
    List<FeatureVector> seen = kept.stream().map(Kept::x).toList();
    boolean mixed = seen.stream().anyMatch(x -> x.isSparse() != seen.get(0).isSparse());
    use(mixed ? Scaling.none() : ScalingFitter.fit(seen, config.scaling()));
    intercept = config.task() == Task.REGRESSION ? meanTarget() : 0;
    if (config.gamma() > 0) {
      race = Race.alone(taught(config.gamma()).learner);
    } else if (last) {
      race = Race.among(findGamma(seen), this::taught);
    } else {
      race = Race.alone(taught(findGamma(seen)).learner);
    }
  }

  /** A learner of γ that has seen the kept instances, and its losses on them. */
  private Race.Runner taught(double gamma) {
    Race.Runner runner = new Race.Runner(fresh(gamma), 0);
    for (Kept instance : kept) {
      runner.learner.learn(scaler.scale(instance.x), instance.y - intercept, instance.weight);
      runner.loss += runner.learner.lastLoss();
    }
    return runner;
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
    return leader().predict(scaler.scale(x)) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    return leader().score(scaler.scale(x)) + intercept;
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    leader().scores(scaler.scale(x), out);
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
    return leader().classes();
  }

  @Override
  public double label(int index) {
    return leader().label(index);
  }

  @Override
  public int size() {
    return leader().size();
  }

  /** The configuration found so far. */
  @Override
  public LearnerConfig config() {
    return leader().config();
  }

  /** What it was told. */
  public AutoConfig told() {
    return config;
  }

  /** The scaling found so far. */
  public Scaling scaling() {
    return scaling;
  }

  /** Whether scaling and intercept may still change. */
  public boolean isEstimating() {
    return estimating;
  }

  @Override
  public long instances() {
    return leader().instances();
  }

  /** Instances that changed the model; the others were already known. */
  public long learned() {
    return leader().learned();
  }

  @Override
  public long absorbed() {
    return leader().absorbed();
  }

  /** Core points that gave their place to a better one. */
  public long replaced() {
    return leader().replaced();
  }

  /** What the bound on the core points has cost so far, distances being after scaling. */
  public Certificate certificate() {
    return leader().certificate();
  }

  @Override
  public long refused() {
    return 0;
  }

  /** Bytes held by arrays, to within object headers, but for the instances kept at first. */
  public long bytes() {
    long bytes = 0;
    for (Race.Runner runner : race.runners) {
      bytes += runner.learner.bytes();
    }
    @Nullable SecondOrderLearner challenger = trial.challenger;
    return bytes + (challenger == null ? 0 : challenger.bytes());
  }

  @Override
  public Model snapshot() {
    return leader().snapshot().with(scaling, intercept);
  }

  @Override
  public byte[] toBytes() {
    return AutoFormat.write(this);
  }
}
