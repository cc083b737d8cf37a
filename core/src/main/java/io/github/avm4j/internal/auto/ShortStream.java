// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.newton.Columns;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Fits a model to a stream that ended within its beginning, from all its instances at once: a
 * {@link RidgeFit} with the scaling, γ and λ of the smallest leave-one-out error. Every instance
 * becomes a core point.
 */
final class ShortStream {
  /** More take too long, and are for the learner to learn from. */
  private static final int MOST = 1000;

  /** Fewer instances say too little to choose by. */
  private static final int LEAST = 20;

  private final Setup setup;
  private final StoredInstances stored;
  private final long instances;
  private final double intercept;
  private final double[] weights;
  private final double[][] targets;
  private final int[] labels;

  private ShortStream(Setup setup, StoredInstances stored, long instances) {
    this.setup = setup;
    this.stored = stored;
    this.instances = instances;
    this.weights = stored.list().stream().mapToDouble(StoredInstances.Kept::weight).toArray();
    this.intercept = setup.intercept(stored);
    this.labels =
        setup.isRegression()
            ? new int[0]
            : stored.list().stream().mapToInt(one -> (int) one.y()).toArray();
    this.targets =
        setup.isRegression()
            ? new double[][] {stored.targets(intercept)}
            : targets(labels, Columns.count(setup.labels().size()));
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
   * The model; null where the beginning is over or has too few rows, more than the budget, a bound
   * of bytes, a loss that least squares do not stand for, or nothing to tell apart.
   */
  static @Nullable Model fit(Setup setup, Space space, long instances) {
    AutoConfig config = setup.config();
    @Nullable StoredInstances stored = space.beginning();
    boolean squares = config.loss() instanceof SquaredLoss || config.loss() instanceof Logistic;
    if (stored == null) {
      return null;
    }
    boolean fits =
        stored.size() >= LEAST
            && stored.size() <= Math.min(MOST, config.budget())
            && !setup.isBounded()
            && squares
            && !stored.areMixed()
            && (setup.isRegression() || setup.labels().size() > 1);
    return fits ? new ShortStream(setup, stored, instances).fit() : null;
  }

  private @Nullable Model fit() {
    Scaling scaling = setup.fitted(stored.vectors());
    CoreSet set = scaled(scaling);
    RidgeFit best = fit(set, scaling);
    boolean tame = View.mayBeUnscaled(stored.vectors());
    if (setup.choosesScaling() && !scaling.isIdentity() && tame) {
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
    CoreSet set = setup.door().emptySet();
    for (StoredInstances.Kept instance : stored.list()) {
      FeatureVector z = scaler.scale(instance.x());
      set = set.roomFor(z);
      set.append(z, true);
    }
    return set;
  }

  private RidgeFit fit(CoreSet set, Scaling scaling) {
    RidgeFit fit = new RidgeFit(set, weights, targets, labels);
    if (setup.config().gamma() > 0) {
      fit.searchLambda(setup.config().gamma());
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
    return new Model(
            setup.door().config().toBuilder()
                .kernel(new Gaussian(fit.gamma))
                .lambda(fit.lambda)
                .build(),
            Provenance.here(instances),
            setup.labels().toArray(),
            set,
            fit.coefficients,
            scaling,
            intercept)
        .times(labels.length == 0 ? 1 : fit.temperature());
  }
}
