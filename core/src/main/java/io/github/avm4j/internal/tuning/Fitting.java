// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import static io.github.avm4j.internal.tuning.KernelFamily.GAUSSIAN;
import static io.github.avm4j.internal.tuning.KernelFamily.MATERN;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.expansion.Relevance;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What kept instances say of the scaling, the relevance of features, the intercept and the kernel.
 * One is alive for one fit.
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

  /** Core points of engines that are taught only to compare kernels. */
  private static final int SMALL_BUDGET = 256;

  private final AutoConfig config;
  private final double forgetting;
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
   *
   * @param forgetting factor of the engines, where the configuration does not set it
   */
  public Fitting(AutoConfig config, double forgetting, StoredInstances kept, long room) {
    this.config = config;
    this.forgetting = forgetting;
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
   * Learners taught the kept instances: one, or at the last fit those that are to race.
   *
   * @param last whether the estimation ends
   * @param ofCell whether it is for the engine of a cell, whose instances are too few to tell which
   *     features matter
   */
  public Race race(boolean last, boolean ofCell) {
    double gamma = config.gamma() > 0 ? config.gamma() : kept.guessGamma(scaling);
    Kernel guess = GAUSSIAN.of(gamma);
    if (config.task() == Task.REGRESSION && kept.size() > 2 * OutlierGuard.FIRST) {
      cutFirstTargets(guess);
    }
    if (config.gamma() > 0 || (kept.size() < ENOUGH && !last)) {
      return alone(taught(guess, Double.POSITIVE_INFINITY));
    }
    if (!last) {
      KernelSearch smooth = searched(GAUSSIAN, gamma, Double.POSITIVE_INFINITY);
      return alone(taught(smooth.kernel(), Double.POSITIVE_INFINITY));
    }
    Pair best = rawIfBetter(best(gamma, Double.POSITIVE_INFINITY, ofCell), ofCell);
    return ofCell
        ? Race.among(best.winner.entrants(Race.ENTRANTS_IN_CELL), this::leading)
        : Race.among(shrunkIfBetter(best).entrants(), this::leading);
  }

  /** What searches found in each family, for features as they are scaled. */
  private record Pair(KernelSearch winner, @Nullable KernelSearch rival) {
    /** The best two of one family, and the best of the other if that is allowed. */
    List<Kernel> entrants() {
      if (rival == null) {
        return winner.entrants(Race.ENTRANTS);
      }
      List<Kernel> all = new ArrayList<>(winner.entrants(Race.ENTRANTS - 1));
      all.add(rival.kernel());
      return all;
    }
  }

  /** Compares several γ by small engines: which is best, these tell as well. */
  private KernelSearch searched(KernelFamily family, double gamma, double bound) {
    AutoConfig small = config.toBuilder().budget(Math.min(SMALL_BUDGET, config.budget())).build();
    return KernelSearch.of(
        family,
        gamma,
        KernelSearch.LEAST_TRIED,
        bound,
        (tried, limit) -> taught(small, tried, limit, 0, targets.length));
  }

  /**
   * Searches in all families that are allowed.
   *
   * @param bound a loss that none of them can win with
   * @param ofCell whether the loser is of no use, as it does not enter the race
   */
  private Pair best(double gamma, double bound, boolean ofCell) {
    KernelSearch smooth = searched(GAUSSIAN, gamma, bound);
    if (config.kernel() == KernelChoice.GAUSSIAN) {
      return new Pair(smooth, null);
    }
    double most = ofCell ? Math.min(bound, smooth.loss()) : bound;
    KernelSearch edged = searched(MATERN, gamma, most);
    return edged.loss() < smooth.loss() ? new Pair(edged, smooth) : new Pair(smooth, edged);
  }

  /**
   * Searches without scaling, too, and keeps to that if the kept instances speak for it: where
   * features share a unit, their spread says what they are worth.
   */
  private Pair rawIfBetter(Pair scaled, boolean ofCell) {
    boolean tame = kept.largest() <= LARGEST_RAW;
    if (config.scaling() != ScalingMode.AUTOMATIC || scaling.isIdentity() || !tame) {
      return scaled;
    }
    Scaling found = scaling;
    use(Scaling.none());
    Pair raw = best(kept.guessGamma(scaling), scaled.winner.loss(), ofCell);
    if (raw.winner.loss() < scaled.winner.loss()) {
      return raw;
    }
    use(found);
    return scaled;
  }

  /**
   * Shrinks features that matter little, if that pays: which ones, the first half of the instances
   * tells, and whether it pays, the second. If so, all of them tell which.
   */
  private Pair shrunkIfBetter(Pair plain) {
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
    KernelSearch best = plain.winner;
    double loss = taught(config, best.kernel(), Double.POSITIVE_INFINITY, half, kept.size()).loss;
    Scaling ofHalf = shrunk(best.kernel(), half);
    use(ofHalf);
    double first = kept.guessGamma(ofHalf);
    KernelSearch search =
        KernelSearch.of(
            best.family(),
            first * best.found() / guess,
            1,
            Double.POSITIVE_INFINITY,
            (kernel, bound) -> taught(config, kernel, bound, half, kept.size()));
    use(before);
    if (ofHalf.equals(before) || search.loss() > CLEARLY * loss) {
      return plain;
    }
    use(shrunk(best.kernel(), kept.size()));
    double after = kept.guessGamma(scaling);
    KernelSearch rival = plain.rival;
    return new Pair(search.times(after / first), rival == null ? null : rival.times(after / guess));
  }

  /** The scaling, with features shrunk as a function of so many instances says. */
  private Scaling shrunk(Kernel kernel, int count) {
    SecondOrderEngine function = taught(config, kernel, Double.POSITIVE_INFINITY, 0, count).learner;
    List<FeatureVector> instances =
        kept.list().subList(0, count).stream().map(one -> scaler.scale(one.x()).copy()).toList();
    double[] squares = Relevance.squaredGradients(function, kernel, instances, kept.features());
    double unit = Scaling.LIMIT / Math.max(kept.largest(), Double.MIN_NORMAL);
    return Relevance.shrunk(scaling, unit, instances.get(0).isSparse(), squares);
  }

  private SecondOrderConfig settings(AutoConfig how, Kernel kernel) {
    return MemoryShares.settings(how, kernel, forgetting);
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
  private void cutFirstTargets(Kernel kernel) {
    SecondOrderEngine pilot = new SecondOrderEngine(settings(config, kernel));
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
  private Race.Runner leading(Kernel kernel) {
    Race.Runner runner = taught(kernel, Double.POSITIVE_INFINITY);
    guard = led ? guard : runner.guard;
    led = true;
    return runner;
  }

  /**
   * A learner with a kernel that has seen the kept instances, and its losses on them, at their
   * sharpest. It stops early where these reach the bound.
   */
  private Race.Runner taught(Kernel kernel, double bound) {
    return taught(config, kernel, bound, 0, targets.length);
  }

  /** The same of the instances before {@code end}, with the losses from {@code first} on. */
  private Race.Runner taught(AutoConfig how, Kernel kernel, double bound, int first, int end) {
    SecondOrderEngine learner = new SecondOrderEngine(settings(how, kernel));
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
