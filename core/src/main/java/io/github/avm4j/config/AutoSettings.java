// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Loss;
import java.util.List;

/** The checked settings of an {@link AutoConfig}: its equality, hash code and names. */
record AutoSettings(
    Task task,
    Loss loss,
    KernelChoice kernel,
    double gamma,
    double lambda,
    double skip,
    double novelty,
    double forgetting,
    int budget,
    int cells,
    long memory,
    ScalingMode scaling,
    int estimation,
    int features,
    List<Double> labels,
    List<Double> coverage) {
  AutoSettings {
    Checks.require(
        gamma >= 0 && gamma < Double.POSITIVE_INFINITY, "gamma", ">= 0 (0: estimated)", gamma);
    Checks.require(
        estimation >= 1 && estimation <= AutoConfig.MAX_ESTIMATION,
        "estimation",
        "in 1.." + AutoConfig.MAX_ESTIMATION,
        estimation);
    labels = Checks.labels(task, labels);
    coverage = Checks.levels(coverage);
    Checks.require(
        budget >= 1 && budget <= AutoConfig.MAX_BUDGET,
        "budget",
        "in 1.." + AutoConfig.MAX_BUDGET,
        budget);
    Checks.require(
        forgetting >= 0 && forgetting <= 1, "forgetting", "in [0, 1] (0: estimated)", forgetting);
    Checks.require(
        cells >= 0 && cells <= AutoConfig.MAX_CELLS,
        "cells",
        "in 0.." + AutoConfig.MAX_CELLS,
        cells);
    Checks.require(
        memory == 0 || memory >= AutoConfig.LEAST_MEMORY,
        "memory",
        ">= " + AutoConfig.LEAST_MEMORY + " bytes (0: no bound)",
        memory);
    SecondOrderConfig.builder(task)
        .kernel(new Gaussian(1))
        .loss(loss)
        .lambda(lambda)
        .skip(skip)
        .novelty(novelty)
        .forgetting(forgetting == 0 ? 1 : forgetting)
        .budget(budget)
        .memory(memory)
        .features(features)
        .labels(labels)
        .build();
  }

  AutoSettings(AutoConfig.Builder builder) {
    this(
        builder.task,
        builder.loss,
        builder.kernel,
        builder.gamma,
        builder.lambda,
        builder.skip,
        builder.novelty,
        builder.forgetting,
        builder.budget,
        builder.cells,
        builder.memory,
        builder.scaling,
        builder.estimation,
        builder.features,
        builder.labels,
        builder.coverage);
  }

  AutoConfig.Builder toBuilder() {
    AutoConfig.Builder builder = new AutoConfig.Builder(task);
    builder.loss = loss;
    builder.kernel = kernel;
    builder.gamma = gamma;
    builder.lambda = lambda;
    builder.skip = skip;
    builder.novelty = novelty;
    builder.forgetting = forgetting;
    builder.budget = budget;
    builder.cells = cells;
    builder.memory = memory;
    builder.scaling = scaling;
    builder.estimation = estimation;
    builder.features = features;
    builder.labels = labels;
    builder.coverage = coverage;
    return builder;
  }
}
