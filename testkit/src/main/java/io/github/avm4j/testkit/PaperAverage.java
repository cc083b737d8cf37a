// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.WeightedAverage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** One output kept by adding up whole iterates. */
final class PaperAverage {
  private final Output output;
  private final Coefficients sum = new Coefficients(1);
  private double weights;
  private long steps;

  /** For a streaming suffix: the rungs passed and, for each, the sum of the iterates up to it. */
  private final List<Long> rungs = new ArrayList<>(List.of(0L));

  private final List<Coefficients> sumsAtRungs = new ArrayList<>(List.of(new Coefficients(1)));

  PaperAverage(Output output) {
    this.output = output;
  }

  void addClass() {
    sum.addClass();
    sumsAtRungs.forEach(Coefficients::addClass);
  }

  /** Takes w_t. */
  void include(long t, Coefficients w) {
    if (output instanceof LastIterate) {
      return;
    }
    if (output instanceof SuffixAverage suffix && suffix.isStreaming()) {
      long rung = rungs.get(rungs.size() - 1);
      long next = Math.max(rung + 1, nextRung(rung, suffix.alpha()));
      if (t - 1 >= next) {
        rungs.add(next);
        sumsAtRungs.add(sum.copy());
      }
    }
    double omega = weight(t);
    sum.plus(omega, w);
    weights += omega;
    steps = t;
  }

  /** ⌈rung/(1−α)⌉ in decimal arithmetic. */
  private static long nextRung(long rung, double alpha) {
    BigDecimal rest = BigDecimal.ONE.subtract(BigDecimal.valueOf(alpha));
    return BigDecimal.valueOf(rung).divide(rest, 0, RoundingMode.CEILING).longValueExact();
  }

  private double weight(long t) {
    if (output instanceof SuffixAverage suffix && !suffix.isStreaming()) {
      BigDecimal start =
          BigDecimal.ONE
              .subtract(BigDecimal.valueOf(suffix.alpha()))
              .multiply(BigDecimal.valueOf(suffix.horizon()));
      return t > start.setScale(0, RoundingMode.CEILING).longValueExact() ? 1 : 0;
    }
    return output instanceof WeightedAverage ? t : 1;
  }

  /** The output, {@code last} being the last iterate. */
  Coefficients value(Coefficients last) {
    if (weights == 0) {
      return last;
    }
    Coefficients result = sum.copy();
    double divisor = weights;
    if (rungs.size() > 1) {
      int start = rungs.size() - 2;
      result.plus(-1, sumsAtRungs.get(start));
      divisor = steps - rungs.get(start);
    }
    result.scale(1 / divisor);
    return result;
  }
}
