// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Fits a model to a stream that ended within the estimation period, from all its instances at once:
 * a {@link RidgeFit} with the scaling, γ and λ of the smallest leave-one-out error. Every instance
 * becomes a core point.
 */
public final class ShortStream {
  /** More take too long, and are for the learner to learn from. */
  private static final int MOST = 1000;

  /** Fewer instances say too little to choose by. */
  private static final int LEAST = 20;

  private final TunedEngine engine;
  private final AutoConfig config;
  private final StoredInstances stored;
  private final double intercept;
  private final double[] weights;
  private final double[][] targets;
  private final int[] labels;

  private ShortStream(TunedEngine engine) {
    SecondOrderEngine leader = engine.leader();
    boolean regression = engine.task() == Task.REGRESSION;
    this.engine = engine;
    this.config = engine.config;
    this.stored = engine.stored;
    this.weights = stored.list().stream().mapToDouble(StoredInstances.Kept::weight).toArray();
    this.intercept = regression ? stored.meanTarget() : 0;
    this.labels =
        regression
            ? new int[0]
            : stored.list().stream().mapToInt(one -> leader.labels.indexOf(one.y())).toArray();
    this.targets =
        regression
            ? new double[][] {stored.targets(intercept)}
            : targets(labels, Columns.count(leader.classes()));
  }

  private static double[][] targets(int[] labels, int columns) {
    double[][] targets = new double[columns][labels.length];
    for (int c = 0; c < columns; c++) {
      int positive = columns == 1 ? 1 : c;
      for (int i = 0; i < labels.length; i++) {
        targets[c][i] = labels[i] == positive ? 1 : -1;
      }
    }
    return targets;
  }

  /**
   * The model; null where an engine has ended its estimation or has too few instances, more than
   * its budget, a bound of bytes, a loss that least squares do not stand for, or nothing to tell
   * apart.
   */
  public static @Nullable Model fit(TunedEngine engine) {
    AutoConfig config = engine.config;
    StoredInstances stored = engine.stored;
    boolean squares = config.loss() instanceof SquaredLoss || config.loss() instanceof Logistic;
    boolean fits =
        engine.isEstimating()
            && stored.size() >= LEAST
            && stored.size() <= Math.min(MOST, config.budget())
            && config.memory() == 0
            && squares
            && !stored.areMixed()
            && (engine.task() == Task.REGRESSION || engine.classes() > 1);
    return fits ? new ShortStream(engine).fit() : null;
  }

  private @Nullable Model fit() {
    Scaling scaling = ScalingFitter.fit(stored.vectors(), config.scaling(), Integer.MAX_VALUE);
    CoreSet set = scaled(scaling);
    RidgeFit best = fit(set, scaling);
    boolean tame = stored.largest() <= Fitting.LARGEST_RAW;
    if (config.scaling() == ScalingMode.AUTOMATIC && !scaling.isIdentity() && tame) {
      CoreSet asTheyAre = scaled(Scaling.none());
      RidgeFit raw = fit(asTheyAre, Scaling.none());
      if (raw.loss < best.loss) {
        return model(raw, asTheyAre, Scaling.none());
      }
    }
    return model(best, set, scaling);
  }

  private CoreSet scaled(Scaling scaling) {
    Scaling.Scaler scaler = new Scaling.Scaler(scaling);
    CoreSet set = engine.leader().set.empty();
    for (StoredInstances.Kept instance : stored.list()) {
      FeatureVector z = scaler.scale(instance.x());
      set = set.roomFor(z);
      set.append(z, true);
    }
    return set;
  }

  private RidgeFit fit(CoreSet set, Scaling scaling) {
    RidgeFit fit = new RidgeFit(set, weights, targets, labels);
    if (config.gamma() > 0) {
      fit.searchLambda(config.gamma());
    } else {
      fit.search(stored.guessGamma(scaling));
    }
    return fit;
  }

  private @Nullable Model model(RidgeFit fit, CoreSet set, Scaling scaling) {
    boolean finite =
        Arrays.stream(fit.coefficients).flatMapToDouble(Arrays::stream).allMatch(Double::isFinite);
    if (fit.coefficients.length == 0 || !finite) {
      return null;
    }
    SecondOrderEngine leader = engine.leader();
    return new Model(
            leader.config().toBuilder().kernel(new Gaussian(fit.gamma)).lambda(fit.lambda).build(),
            Provenance.here(leader.instances()),
            leader.labels.toArray(),
            set,
            fit.coefficients,
            scaling,
            intercept)
        .times(labels.length == 0 ? 1 : fit.temperature());
  }
}
