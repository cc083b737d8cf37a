// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;
import java.util.List;

/** The checked settings of a {@link SecondOrderConfig}: its equality, hash code and names. */
record SecondOrderSettings(
    Task task,
    Kernel kernel,
    Loss loss,
    double lambda,
    double skip,
    double novelty,
    double forgetting,
    int budget,
    long memory,
    boolean replacing,
    int features,
    List<Double> labels) {
  SecondOrderSettings {
    Checks.lambda(lambda);
    Checks.require(skip >= 0 && skip < 1, "skip", "in [0, 1)", skip);
    Checks.require(novelty > 0 && novelty < 1, "novelty", "in (0, 1)", novelty);
    Checks.require(forgetting > 0 && forgetting <= 1, "forgetting", "in (0, 1]", forgetting);
    Checks.require(memory >= 0, "memory", ">= 0 bytes (0: no bound)", memory);
    Checks.require(
        budget >= 1 && budget <= SecondOrderConfig.MAX_BUDGET,
        "budget",
        "in 1.." + SecondOrderConfig.MAX_BUDGET,
        budget);
    Checks.features(features);
    labels = Checks.labels(task, labels);
    Checks.loss(task, loss);
    if (loss instanceof Hinge || loss instanceof SmoothHinge) {
      throw new IllegalArgumentException(
          "loss must be logistic for classification by this learner, was "
              + Checks.name(loss)
              + ", which has no curvature; the paper's learner takes it (Avm.paperClassifier)");
    }
  }
}
