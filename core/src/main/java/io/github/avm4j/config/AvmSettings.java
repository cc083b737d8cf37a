// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.approximation.Confidence;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.coverage.Coverage;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Loss;
import java.util.List;

/** The checked settings of an {@link AvmConfig}: its equality, hash code and names. */
record AvmSettings(
    Task task,
    Kernel kernel,
    Loss loss,
    double lambda,
    Coverage coverage,
    Approximation approximation,
    Output output,
    int budget,
    WhenFull whenFull,
    double yMax,
    int features,
    List<Double> labels,
    long seed) {
  AvmSettings {
    Checks.lambda(lambda);
    Checks.require(budget >= 0, "budget", ">= 0 (0: no limit)", budget);
    Checks.require(yMax >= 0 && yMax < Double.POSITIVE_INFINITY, "yMax", ">= 0 and finite", yMax);
    Checks.features(features);
    labels = Checks.labels(task, labels);
    Checks.loss(task, loss);
    if (task == Task.REGRESSION && approximation instanceof Confidence) {
      throw new IllegalArgumentException(
          "approximation must not be Confidence for regression: a number has no margin");
    }
  }
}
