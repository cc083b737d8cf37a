// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.expansion.Relevance;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import java.util.Arrays;
import java.util.List;

/**
 * What kept instances say of the scaling, the relevance of features, the intercept and γ. One is
 * alive for one fit.
 */
public final class Fitting {
  /** From so many kept instances on, several γ are tried. */
  private static final int ENOUGH = 50;

  /** Larger values are never taken as they are: their squares would drown all others. */
  static final double LARGEST_RAW = 1e9;

  /** Instances between two looks at whether a loss has reached its bound. */
  private static final int STRIDE = 16;

  /** Shrinking features must lower the loss to so much of what it was. */
  private static final double CLEARLY = 0.95;

  /** Core points of engines that are taught only to compare γ. */
  private static final int SMALL_BUDGET = 256;

  private final AutoConfig config;
  private final StoredInstances kept;
  private final double intercept;
  private final double[] targets;
  private final int scalable;
  private Scaling scaling = Scaling.none();
  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);
  private OutlierGuard guard = new OutlierGuard();
  private boolean led;

  /**
   * Fits the scaling into so many bytes of room, if the configuration has a bound, and the rest.
   */
  public Fitting(AutoConfig config, StoredInstances kept, long room) {
    this.config = config;
    this.kept = kept;
    this.intercept = config.task() == Task.REGRESSION ? kept.meanTarget() : 0;
    this.targets = config.task() == Task.REGRESSION ? kept.targets(intercept) : kept.labels();
    this.scalable = config.memory() == 0 ? Integer.MAX_VALUE : scalable(room);
    if (!kept.areMixed()) {
      use(ScalingFitter.fit(kept.vectors(), config.scaling(), scalable));
    }
  }

  public Scaling scaling() {
    return scaling;
  }

  public double intercept() {
    return intercept;
  }

  private void use(Scaling found) {
    scaling = found;
    scaler = new Scaling.Scaler(found);
  }

  /** The guard of the engine that leads the race. */
  OutlierGuard guard() {
    return guard;
  }

  private Race alone(Race.Runner runner) {
    guard = runner.guard;
    return Race.alone(runner.learner);
  }

  /**
   * Learners taught the kept instances: one, or at the last fit those that are to race for γ.
   *
   * @param last whether the estimation ends
   * @param ofCell whether it is for the engine of a cell, whose instances are too few to tell which
   *     features matter
   */
  public Race race(boolean last, boolean ofCell) {
    double gamma = config.gamma() > 0 ? config.gamma() : kept.guessGamma(scaling);
    if (config.task() == Task.REGRESSION && kept.size() > 2 * OutlierGuard.FIRST) {
      cutFirstTargets(gamma);
    }
    if (config.gamma() > 0 || (kept.size() < ENOUGH && !last)) {
      return alone(taught(gamma, Double.POSITIVE_INFINITY));
    }
    Race.Search search = searched(gamma);
    if (!last) {
      return alone(taught(search.found(), Double.POSITIVE_INFINITY));
    }
    search = rawIfBetter(search);
    return ofCell
        ? Race.among(search, Race.ENTRANTS_IN_CELL, this::leading)
        : Race.among(shrunkIfBetter(search), Race.ENTRANTS, this::leading);
  }

  /** Compares several γ by small engines: which is best, these tell as well. */
  private Race.Search searched(double gamma) {
    AutoConfig small = config.toBuilder().budget(Math.min(SMALL_BUDGET, config.budget())).build();
    return Race.search(
        gamma, Race.LEAST_TRIED, (tried, bound) -> taught(small, tried, bound, 0, targets.length));
  }

  /**
   * Searches γ without scaling, too, and keeps to that if the kept instances speak for it: where
   * features share a unit, their spread says what they are worth.
   */
  private Race.Search rawIfBetter(Race.Search scaled) {
    boolean tame = kept.largest() <= LARGEST_RAW;
    if (config.scaling() != ScalingMode.AUTOMATIC || scaling.isIdentity() || !tame) {
      return scaled;
    }
    Scaling found = scaling;
    use(Scaling.none());
    Race.Search raw = searched(kept.guessGamma(scaling));
    if (raw.loss() < scaled.loss()) {
      return raw;
    }
    use(found);
    return scaled;
  }

  /**
   * Shrinks features that matter little, if that pays: which ones, the first half of the instances
   * tells, and whether it pays, the second. If so, all of them tell which.
   */
  private Race.Search shrunkIfBetter(Race.Search plain) {
    int features = kept.features();
    if (config.scaling() != ScalingMode.AUTOMATIC
        || features > Math.min(scalable, Relevance.MOST_FEATURES)
        || kept.areMixed()
        || kept.largest() > LARGEST_RAW) {
      return plain;
    }
    int half = kept.size() / 2;
    Scaling before = scaling;
    double guess = kept.guessGamma(before);
    double loss = taught(config, plain.found(), Double.POSITIVE_INFINITY, half, kept.size()).loss;
    Scaling ofHalf = shrunk(plain.found(), half);
    use(ofHalf);
    double first = kept.guessGamma(ofHalf);
    Race.Search search =
        Race.search(
            first * plain.found() / guess,
            1,
            (gamma, bound) -> taught(config, gamma, bound, half, kept.size()));
    use(before);
    if (ofHalf.equals(before) || search.loss() > CLEARLY * loss) {
      return plain;
    }
    use(shrunk(plain.found(), kept.size()));
    return search.times(kept.guessGamma(scaling) / first);
  }

  /** The scaling, with features shrunk as a function of so many instances says. */
  private Scaling shrunk(double gamma, int count) {
    SecondOrderEngine function = taught(config, gamma, Double.POSITIVE_INFINITY, 0, count).learner;
    List<FeatureVector> instances =
        kept.list().subList(0, count).stream().map(one -> scaler.scale(one.x()).copy()).toList();
    double[] squares = Relevance.squaredGradients(function, gamma, instances, kept.features());
    double unit = Scaling.LIMIT / Math.max(kept.largest(), Double.MIN_NORMAL);
    return Relevance.shrunk(scaling, unit, instances.get(0).isSparse(), squares);
  }

  /** Sparse features of which a scaling has room. */
  private static int scalable(long room) {
    int most = 0;
    for (int step = 1 << 30; step > 0; step /= 2) {
      if (Scaling.bytes(most + step) <= room) {
        most += step;
      }
    }
    return most;
  }

  /**
   * Cuts outliers among the first targets, which a learner has too little to tell by: a pilot
   * learns from the last instance to the first. Otherwise one would make kernels look good that are
   * too narrow.
   */
  private void cutFirstTargets(double gamma) {
    SecondOrderEngine pilot = new SecondOrderEngine(MemoryShares.settings(config, gamma));
    OutlierGuard guard = new OutlierGuard();
    for (int i = targets.length - 1; i >= 0; i--) {
      StoredInstances.Kept instance = kept.list().get(i);
      FeatureVector z = scaler.scale(instance.x());
      double y = guard.cut(pilot.predict(z), targets[i], pilot.instances());
      pilot.learn(z, y, pilot.worth(instance.weight()));
      if (i < OutlierGuard.FIRST) {
        targets[i] = y;
      }
    }
  }

  /** The first that enters a race leads it. */
  private Race.Runner leading(double gamma) {
    Race.Runner runner = taught(gamma, Double.POSITIVE_INFINITY);
    guard = led ? guard : runner.guard;
    led = true;
    return runner;
  }

  /**
   * A learner of γ that has seen the kept instances, and its losses on them, at their sharpest. It
   * stops early where these reach the bound.
   */
  private Race.Runner taught(double gamma, double bound) {
    return taught(config, gamma, bound, 0, targets.length);
  }

  /** The same of the instances before {@code end}, with the losses from {@code first} on. */
  private Race.Runner taught(AutoConfig how, double gamma, double bound, int first, int end) {
    SecondOrderEngine learner = new SecondOrderEngine(MemoryShares.settings(how, gamma));
    OutlierGuard guard = new OutlierGuard();
    double[] losses = new double[Temperature.FACTORS];
    for (int i = 0; i < end; i++) {
      StoredInstances.Kept instance = kept.list().get(i);
      FeatureVector z = scaler.scale(instance.x());
      double y = targets[i];
      if (config.task() == Task.REGRESSION) {
        double prediction = learner.ask(z, y, instance.weight())[0];
        y = guard.cut(prediction, y, learner.instances());
        learner.step(z, y, learner.worth(instance.weight()));
      } else {
        learner.learn(z, y, learner.worth(instance.weight()));
      }
      if (i >= first) {
        learner.addLosses(y, instance.weight(), losses);
      }
      if (i % STRIDE == 0 && Arrays.stream(losses).min().orElseThrow() >= bound) {
        break;
      }
    }
    return new Race.Runner(learner, Arrays.stream(losses).min().orElseThrow(), guard);
  }
}
