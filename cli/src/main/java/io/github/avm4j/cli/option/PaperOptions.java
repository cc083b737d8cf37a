// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.approximation.Bernoulli;
import io.github.avm4j.approximation.Confidence;
import io.github.avm4j.approximation.Never;
import io.github.avm4j.averaging.LastIterate;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.averaging.SuffixAverage;
import io.github.avm4j.averaging.UniformAverage;
import io.github.avm4j.averaging.WeightedAverage;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.Hyperrectangle;
import io.github.avm4j.coverage.Hypersphere;
import io.github.avm4j.coverage.WhenFull;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The knobs that only the paper's algorithm has. */
public final class PaperOptions {
  /** What --coverage takes. */
  enum Cells {
    sphere,
    rectangle
  }

  /** What --policy takes. */
  enum Policy {
    always,
    never,
    bernoulli,
    confidence
  }

  /** What --output takes. */
  enum Answer {
    last,
    average,
    suffix,
    weighted
  }

  @Option(
      names = "--delta",
      paramLabel = "D",
      description =
          "Diameter of a cell; by default 2(m - s), m and s the mean and deviation of distances"
              + " between the first rows: the lower end of the range in the paper's Section 9.")
  @Nullable Double delta;

  @Option(
      names = "--coverage",
      paramLabel = "CELLS",
      description = "${COMPLETION-CANDIDATES}; sphere by default.")
  Cells cells = Cells.sphere;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "When a row is replaced by its core point: ${COMPLETION-CANDIDATES}.")
  Policy policy = Policy.always;

  @Option(
      names = "--beta",
      paramLabel = "B",
      description = "Of bernoulli, 1 - B/t^R; 1 by default.")
  @Nullable Double beta;

  @Option(names = "--rho", paramLabel = "R", description = "Of bernoulli; 1 by default.")
  @Nullable Double rho;

  @Option(
      names = "--output",
      paramLabel = "WHICH",
      description = "What predicts: ${COMPLETION-CANDIDATES}; last by default.")
  Answer answer = Answer.last;

  @Option(
      names = "--alpha",
      paramLabel = "A",
      description = "Share of the last iterates that suffix averages; 0.5 by default.")
  @Nullable Double alpha;

  @Option(
      names = "--horizon",
      paramLabel = "T",
      description = "Rows that suffix is planned for; 0, the default, if unknown.")
  @Nullable Long horizon;

  @Option(
      names = "--when-full",
      paramLabel = "absorb|refuse",
      description = "A row beyond the budget goes to the nearest core point, or is not learned.")
  WhenFull whenFull = WhenFull.ABSORB;

  PaperOptions() {}

  /** Z_t. */
  Approximation approximation() {
    return switch (policy) {
      case always -> new Always();
      case never -> new Never();
      case bernoulli -> new Bernoulli(beta == null ? 1 : beta, rho == null ? 1 : rho);
      case confidence -> new Confidence();
    };
  }

  /** What answers. */
  Output output() {
    return switch (answer) {
      case last -> new LastIterate();
      case average -> new UniformAverage();
      case suffix -> new SuffixAverage(alpha == null ? 0.5 : alpha, horizon == null ? 0 : horizon);
      case weighted -> new WeightedAverage();
    };
  }

  /** The cells of a diameter. */
  Coverage coverage(double diameter) {
    return cells == Cells.sphere ? new Hypersphere(diameter) : new Hyperrectangle(diameter);
  }
}
