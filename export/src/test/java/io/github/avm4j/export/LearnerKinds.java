// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.kernel.RationalQuadratic;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Learners of every kind and kernel, with γ and δ that suit rows of a given spread. */
final class LearnerKinds {
  private LearnerKinds() {}

  static List<Kernel> kernels(double meanSquare) {
    double inverse = 1 / Math.sqrt(meanSquare);
    return List.of(
        new Gaussian(1 / meanSquare),
        new Laplacian(inverse),
        new Matern32(inverse),
        new Matern52(inverse),
        new RationalQuadratic(1 / meanSquare, 2.5));
  }

  /** Learners by name; each call makes new ones. */
  static Map<String, Learner> all(Task task, double meanSquare) {
    boolean classes = task == Task.CLASSIFICATION;
    Map<String, Learner> all = new LinkedHashMap<>();
    all.put("default", small(classes).build());
    all.put("default, Gaussian", small(classes).kernel(KernelChoice.GAUSSIAN).build());
    all.put(
        "default, Gaussian, without scaling",
        small(classes).kernel(KernelChoice.GAUSSIAN).scaling(ScalingMode.NONE).build());
    for (Kernel kernel : kernels(meanSquare)) {
      String name = kernel.getClass().getSimpleName();
      all.put("second-order, " + name, secondOrder(task, kernel));
      all.put("paper, " + name, paper(task, kernel, 0.3 * Math.sqrt(meanSquare)));
    }
    return all;
  }

  private static AutoConfig.Builder<AutoLearner> small(boolean classes) {
    return (classes ? Avm.classifier() : Avm.regressor()).budget(100);
  }

  static Learner secondOrder(Task task, Kernel kernel) {
    AutoConfig defaults = AutoConfig.of(task);
    return Avm.learner(
        SecondOrderConfig.builder(task)
            .kernel(kernel)
            .loss(defaults.loss())
            .lambda(defaults.lambda())
            .skip(defaults.skip())
            .novelty(defaults.novelty())
            .budget(60)
            .build());
  }

  static Learner paper(Task task, Kernel kernel, double delta) {
    boolean classes = task == Task.CLASSIFICATION;
    return (classes ? Avm.paperClassifier() : Avm.paperRegressor())
        .kernel(kernel)
        .delta(delta)
        .lambda(0.01)
        .budget(80)
        .build();
  }
}
