// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Learners of every kind whose configurations are anything that the checks accept. */
final class RandomLearners {
  private final SplittableRandom random;

  RandomLearners(long seed) {
    random = new SplittableRandom(seed);
  }

  @SafeVarargs
  private <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }

  private double magnitude(int low, int high) {
    return Math.pow(10, low + (high - low) * random.nextDouble());
  }

  private Task task() {
    return one(Task.CLASSIFICATION, Task.REGRESSION);
  }

  private Loss loss(boolean classes) {
    LossKind[] kinds =
        Arrays.stream(LossKind.values())
            .filter(kind -> kind.loss().forClassification() == classes)
            .toArray(LossKind[]::new);
    LossKind kind = one(kinds);
    return classes ? kind.loss() : kind.loss(magnitude(-20, 20));
  }

  Learner paper() {
    Task task = task();
    boolean classes = task == Task.CLASSIFICATION;
    AvmConfig.Builder<KernelLearner> builder =
        classes ? Avm.paperClassifier() : Avm.paperRegressor();
    Approximation policy = one(new Always(), new Never(), new Bernoulli(2, 0.5));
    Output output =
        one(
            new LastIterate(),
            new UniformAverage(),
            new WeightedAverage(),
            new SuffixAverage(0.5, 0));
    boolean box = random.nextBoolean();
    int features = random.nextInt(3) + (box ? 1 : 0);
    double delta = magnitude(-3, 3);
    return builder
        .kernel(kernel())
        .coverage(box ? new Hyperrectangle(delta) : new Hypersphere(delta))
        .lambda(magnitude(-12, 12))
        .loss(loss(classes))
        .approximation(policy)
        .output(output)
        .budget(1 + random.nextInt(60))
        .whenFull(one(WhenFull.values()))
        .features(features)
        .build();
  }

  private Kernel kernel() {
    double gamma = magnitude(-150, 150);
    return one(new Gaussian(gamma), new Laplacian(gamma), new Matern32(gamma), new Gaussian(1));
  }

  Learner secondOrder() {
    Task task = task();
    return Avm.learner(
        SecondOrderConfig.builder(task)
            .kernel(kernel())
            .loss(task == Task.CLASSIFICATION ? new Logistic() : loss(false))
            .lambda(magnitude(-12, 12))
            .skip(one(0.0, 0.0, 0.2, 0.9))
            .novelty(magnitude(-12, -1))
            .forgetting(one(1.0, 1.0, 0.999, 0.5, 1e-6))
            .budget(1 + random.nextInt(60))
            .replacing(random.nextBoolean())
            .features(random.nextInt(3))
            .build());
  }

  Learner self() {
    Task task = task();
    boolean classes = task == Task.CLASSIFICATION;
    AutoConfig.Builder<AutoLearner> builder = classes ? Avm.classifier() : Avm.regressor();
    return builder
        .loss(classes ? new Logistic() : loss(false))
        .gamma(one(0.0, 0.0, magnitude(-150, 150)))
        .lambda(one(0.01, magnitude(-12, 12)))
        .skip(one(0.0, 0.2, 0.9))
        .novelty(one(1e-3, magnitude(-12, -1)))
        .forgetting(one(0.0, 0.0, 1.0, 0.99))
        .budget(1 + random.nextInt(60))
        .cells(one(0, 40))
        .scaling(one(ScalingMode.values()))
        .estimation(1 + random.nextInt(60))
        .features(random.nextInt(3))
        .build();
  }
}
