// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.Relevance;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.kernel.Kernel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shrinks features that matter little, if that pays: which ones, the first half of the kept
 * instances tells, and whether it pays and how much to shrink them, the second. If it does, all of
 * them tell which ({@link Relevance}).
 */
final class Shrinking {
  /** Shrinking features must lower the loss to so much of what it was. */
  private static final double CLEARLY = 0.95;

  /** Shrinking them more must lower it to so much again. */
  private static final double BOLDLY = 0.97;

  private final Fitting fitting;
  private final StoredInstances kept;
  private final int half;
  private final Scaling before;
  private final double guess;
  private final Fitting.Pair plain;
  private final Kernel kernel;

  /** What a search found with features shrunk to an exponent, and the guess that it began with. */
  private record Attempt(double exponent, double guess, KernelSearch search) {}

  /**
   * Has not tried anything yet.
   *
   * @param plain the searches with features as they are scaled now
   */
  Shrinking(Fitting fitting, StoredInstances kept, Fitting.Pair plain) {
    this.fitting = fitting;
    this.kept = kept;
    this.half = kept.size() / 2;
    this.before = fitting.scaling();
    this.guess = kept.guessGamma(before);
    this.plain = plain;
    this.kernel = plain.winner().kernel();
  }

  /** The searches for the scaling that is then in use. */
  Fitting.Pair ifBetter() {
    double loss = fitting.taught(kernel, Double.POSITIVE_INFINITY, half, kept.size()).loss;
    double[] squares = squaredGradients(half);
    @Nullable Attempt best = null;
    double most = CLEARLY * loss;
    for (double exponent : Relevance.EXPONENTS) {
      Scaling shrunk = shrunk(squares, exponent);
      Attempt next = attempt(shrunk, exponent, best == null ? Double.POSITIVE_INFINITY : most);
      if (next.search.loss() < most && !shrunk.equals(before)) {
        best = next;
        most = BOLDLY * next.search.loss();
      }
    }
    fitting.use(before);
    return best == null ? plain : accepted(best);
  }

  /** Searches again, near the γ that was best before. */
  private Attempt attempt(Scaling shrunk, double exponent, double bound) {
    fitting.use(shrunk);
    double first = kept.guessGamma(shrunk);
    KernelSearch search =
        KernelSearch.of(
            plain.winner().family(),
            first * plain.winner().found() / guess,
            1,
            bound,
            (tried, limit) -> fitting.taught(tried, limit, half, kept.size()));
    return new Attempt(exponent, first, search);
  }

  /** All instances say which features; what was found is carried over to their scaling. */
  private Fitting.Pair accepted(Attempt best) {
    Scaling shrunk = shrunk(squaredGradients(kept.size()), best.exponent);
    fitting.use(shrunk);
    double after = kept.guessGamma(shrunk);
    @Nullable KernelSearch rival = plain.rival();
    return new Fitting.Pair(
        best.search.times(after / best.guess), rival == null ? null : rival.times(after / guess));
  }

  /** Of a function of so many instances, with features as they were. */
  private double[] squaredGradients(int count) {
    ExpansionEngine function = fitting.taught(kernel, Double.POSITIVE_INFINITY, 0, count).learner;
    Scaling.Scaler scaler = new Scaling.Scaler(before);
    List<FeatureVector> instances =
        kept.list().subList(0, count).stream().map(one -> scaler.scale(one.x()).copy()).toList();
    return Relevance.squaredGradients(function, kernel, instances, kept.features());
  }

  private Scaling shrunk(double[] squares, double exponent) {
    double unit = Scaling.LIMIT / Math.max(kept.largest(), Double.MIN_NORMAL);
    boolean sparse = kept.list().get(0).x().isSparse();
    return Relevance.shrunk(before, unit, sparse, squares, exponent);
  }
}
