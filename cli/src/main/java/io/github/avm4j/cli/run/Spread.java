// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Mean and standard deviation (n − 1) over runs.
 *
 * @param deviation standard deviation, 0 for a single run
 */
public record Spread(double mean, double deviation) {
  public static Spread of(List<Evaluation> evaluations, ToDoubleFunction<Evaluation> figure) {
    double mean = evaluations.stream().mapToDouble(figure).average().orElse(Double.NaN);
    double squares =
        evaluations.stream().mapToDouble(e -> Math.pow(figure.applyAsDouble(e) - mean, 2)).sum();
    int n = evaluations.size();
    return new Spread(mean, n < 2 ? 0 : Math.sqrt(squares / (n - 1)));
  }
}
