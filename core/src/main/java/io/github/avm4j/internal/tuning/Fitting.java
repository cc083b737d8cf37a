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

  /** The scaling of the whole space must lower the loss of a cell to so much. */
  private static final double OF_WHOLE = 0.99;

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
  private boolean shrunk;
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

  /** Whether the scaling shrinks features that matter little, as {@link #race} found. */
  boolean isShrunk() {
    return shrunk;
  }

  public double intercept() {
    return intercept;
  }

  /** Scales features in another way from now on. */
  void use(Scaling found) {
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
   */
  public Race race(boolean last) {
    double gamma = guess();
    if (config.gamma() > 0 || (kept.size() < ENOUGH && !last)) {
      return alone(taught(GAUSSIAN.of(gamma), Double.POSITIVE_INFINITY));
    }
    if (!last) {
      KernelSearch smooth = searched(GAUSSIAN, gamma, Double.POSITIVE_INFINITY);
      return alone(taught(smooth.kernel(), Double.POSITIVE_INFINITY));
    }
    Pair best = best(gamma, Double.POSITIVE_INFINITY, false);
    best = mayChoose() ? betterOf(best, Scaling.none(), best.winner.loss(), false) : best;
    boolean may = mayChoose() && kept.features() <= Math.min(scalable, Relevance.MOST_FEATURES);
    Pair found = may ? new Shrinking(this, kept, best).ifBetter() : best;
    shrunk = !found.equals(best);
    return Race.among(found.entrants(), this::leading);
  }

  /**
   * The same for the engine of a cell, at the end of its estimation. Its instances are too few to
   * tell which features matter; the scaling of the whole space may.
   *
   * @param ofWhole that scaling, if it shrinks features that matter little
   */
  public Race raceInCell(@Nullable Scaling ofWhole) {
    double gamma = guess();
    if (config.gamma() > 0) {
      return alone(taught(GAUSSIAN.of(gamma), Double.POSITIVE_INFINITY));
    }
    Pair best = best(gamma, Double.POSITIVE_INFINITY, true);
    if (mayChoose()) {
      best = betterOf(best, Scaling.none(), best.winner.loss(), true);
      double most = OF_WHOLE * best.winner.loss();
      best = ofWhole == null ? best : betterOf(best, ofWhole, most, true);
    }
    return Race.among(best.winner.entrants(Race.ENTRANTS_IN_CELL), this::leading);
  }

  /** A first γ, with which targets have been cut. */
  private double guess() {
    double gamma = config.gamma() > 0 ? config.gamma() : kept.guessGamma(scaling);
    if (config.task() == Task.REGRESSION && kept.size() > 2 * OutlierGuard.FIRST) {
      cutFirstTargets(GAUSSIAN.of(gamma));
    }
    return gamma;
  }

  /** What searches found in each family, for features as they are scaled. */
  record Pair(KernelSearch winner, @Nullable KernelSearch rival) {
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

  /** Whether another scaling may be taken. */
  private boolean mayChoose() {
    return config.scaling() == ScalingMode.AUTOMATIC
        && !kept.areMixed()
        && kept.largest() <= LARGEST_RAW;
  }

  /**
   * Searches with another scaling, too, and keeps to that if the kept instances speak for it. None
   * may be better: where features share a unit, their spread says what they are worth.
   *
   * @param most that its loss has to be below
   */
  private Pair betterOf(Pair best, Scaling other, double most, boolean ofCell) {
    Scaling found = scaling;
    if (other.equals(found)) {
      return best;
    }
    use(other);
    Pair tried = best(kept.guessGamma(other), most, ofCell);
    if (tried.winner.loss() < most) {
      return tried;
    }
    use(found);
    return best;
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
    return taught(kernel, bound, 0, targets.length);
  }

  /** The same of the instances before {@code end}, with the losses from {@code first} on. */
  Race.Runner taught(Kernel kernel, double bound, int first, int end) {
    return taught(config, kernel, bound, first, end);
  }

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
