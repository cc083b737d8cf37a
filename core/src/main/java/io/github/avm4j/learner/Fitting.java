// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import java.util.Arrays;

/** What kept instances say of the scaling, the intercept and γ. One is alive for one fit. */
final class Fitting {
  /** From so many kept instances on, several γ are tried. */
  private static final int ENOUGH = 50;

  /** Larger values are never taken as they are: their squares would drown all others. */
  private static final double LARGEST_RAW = 1e9;

  private final AutoConfig config;
  private final KeptInstances kept;
  private final double intercept;
  private Scaling scaling = Scaling.none();
  private Scaling.Scaler scaler = new Scaling.Scaler(scaling);

  /**
   * Fits the scaling into so many bytes of room, if the configuration has a bound, and the rest.
   */
  Fitting(AutoConfig config, KeptInstances kept, long room) {
    this.config = config;
    this.kept = kept;
    this.intercept = config.task() == Task.REGRESSION ? kept.meanTarget() : 0;
    if (!kept.areMixed()) {
      int most = config.memory() == 0 ? Integer.MAX_VALUE : scalable(room);
      use(ScalingFitter.fit(kept.vectors(), config.scaling(), most));
    }
  }

  Scaling scaling() {
    return scaling;
  }

  double intercept() {
    return intercept;
  }

  private void use(Scaling found) {
    scaling = found;
    scaler = new Scaling.Scaler(found);
  }

  /** Learners taught the kept instances: one, or at the last fit those that are to race for γ. */
  Race race(boolean last) {
    double gamma = config.gamma() > 0 ? config.gamma() : kept.guessGamma(scaling);
    if (config.gamma() > 0 || (kept.size() < ENOUGH && !last)) {
      return Race.alone(taught(gamma).learner);
    }
    Race.Search search = Race.search(gamma, this::taught);
    return last
        ? Race.among(rawIfBetter(search), this::taught)
        : Race.alone(taught(search.found()).learner);
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
    Race.Search raw = Race.search(kept.guessGamma(scaling), this::taught);
    if (raw.loss() < scaled.loss()) {
      return raw;
    }
    use(found);
    return scaled;
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

  /** A learner of γ that has seen the kept instances, and its losses on them, at their sharpest. */
  private Race.Runner taught(double gamma) {
    SecondOrderLearner learner = new SecondOrderLearner(config.with(gamma));
    double[] losses = new double[Sharpness.FACTORS];
    for (KeptInstances.Kept instance : kept.list()) {
      double y = instance.y() - intercept;
      learner.learn(scaler.scale(instance.x()), y, instance.weight());
      learner.addLosses(y, losses);
    }
    return new Race.Runner(learner, Arrays.stream(losses).min().orElseThrow());
  }
}
