// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the paper's algorithm only. */
public final class PaperOptions {
  /** Values of --coverage. */
  enum Cells {
    sphere,
    rectangle
  }

  /** Values of --policy. */
  enum Policy {
    always,
    never,
    bernoulli,
    confidence
  }

  /** Values of --output. */
  enum Iterate {
    last,
    average,
    suffix,
    weighted
  }

  @Option(
      names = "--delta",
      paramLabel = "D",
      description =
          "Diameter of a cell; by default 2(m - s) with m and s the mean and deviation of the"
              + " distances between the first rows, the lower end of the paper's range (Section"
              + " 9).")
  @Nullable Double delta;

  @Option(
      names = "--coverage",
      paramLabel = "CELLS",
      description = "${COMPLETION-CANDIDATES}; sphere by default.")
  Cells cells = Cells.sphere;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "When a row is approximated by its core point: ${COMPLETION-CANDIDATES}.")
  Policy policy = Policy.always;

  @Option(
      names = "--beta",
      paramLabel = "B",
      description = "Of bernoulli, 1 - B/t^R; 1 by default.")
  @Nullable Double beta;

  @Option(names = "--rho", paramLabel = "R", description = "Parameter of bernoulli; 1 by default.")
  @Nullable Double rho;

  @Option(
      names = "--output",
      paramLabel = "WHICH",
      description = "Iterate that predicts: ${COMPLETION-CANDIDATES}; last by default.")
  Iterate iterate = Iterate.last;

  @Option(
      names = "--alpha",
      paramLabel = "A",
      description = "Share of the iterates, from the end, that suffix averages; 0.5 by default.")
  @Nullable Double alpha;

  @Option(
      names = "--horizon",
      paramLabel = "T",
      description = "Expected number of rows for suffix; 0, the default, if unknown.")
  @Nullable Long horizon;

  @Option(
      names = "--when-full",
      paramLabel = "absorb|refuse",
      description =
          "Effect of a full budget: absorb the row into the nearest core point, or do not learn"
              + " it.")
  WhenFull whenFull = WhenFull.ABSORB;

  PaperOptions() {}

  /** Approximation policy, Z_t in the paper. */
  Approximation approximation() {
    return switch (policy) {
      case always -> new Always();
      case never -> new Never();
      case bernoulli -> new Bernoulli(beta == null ? 1 : beta, rho == null ? 1 : rho);
      case confidence -> new Confidence();
    };
  }

  /** Iterate that predicts. */
  Output output() {
    return switch (iterate) {
      case last -> new LastIterate();
      case average -> new UniformAverage();
      case suffix -> new SuffixAverage(alpha == null ? 0.5 : alpha, horizon == null ? 0 : horizon);
      case weighted -> new WeightedAverage();
    };
  }

  /** Coverage with cells of this diameter. */
  Coverage coverage(double diameter) {
    return cells == Cells.sphere ? new Hypersphere(diameter) : new Hyperrectangle(diameter);
  }
}
