// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WhenFull;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AvmConfigTest {
  private static AvmConfig.Builder<KernelLearner> classifier() {
    return Avm.paperClassifier().gamma(0.5).delta(2).lambda(0.01);
  }

  private static AvmConfig.Builder<KernelLearner> regressor() {
    return Avm.paperRegressor().gamma(0.5).delta(2).lambda(0.01);
  }

  private static void refuses(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void defaults() {
    AvmConfig config = classifier().config();
    assertEquals(Task.CLASSIFICATION, config.task());
    assertEquals(new Gaussian(0.5), config.kernel());
    assertEquals(new Hinge(), config.loss());
    assertEquals(0.01, config.lambda());
    assertEquals(new Hypersphere(2), config.coverage());
    assertEquals(new Always(), config.approximation());
    assertEquals(new LastIterate(), config.output());
    assertEquals(0, config.budget());
    assertEquals(WhenFull.ABSORB, config.whenFull());
    assertEquals(0, config.yMax());
    assertEquals(0, config.features());
    assertEquals(List.of(), config.labels());
    assertEquals(1, config.seed());
    AvmConfig regression = regressor().config();
    assertEquals(Task.REGRESSION, regression.task());
    assertEquals(new EpsilonInsensitive(0.1), regression.loss());
  }

  @Test
  void theBuilderKeepsEverySetting() {
    AvmConfig config =
        classifier()
            .kernel(new Laplacian(3))
            .coverage(new Hyperrectangle(4))
            .lambda(5)
            .loss(new Logistic())
            .approximation(new Bernoulli(6, 7))
            .output(new UniformAverage())
            .budget(8)
            .whenFull(WhenFull.REFUSE)
            .yMax(9)
            .features(10)
            .labels(4, 5)
            .labels(1, 2, 3)
            .seed(11)
            .config();
    AvmConfig expected =
        new AvmConfig(
            Task.CLASSIFICATION,
            new Laplacian(3),
            new Logistic(),
            5,
            new Hyperrectangle(4),
            new Bernoulli(6, 7),
            new UniformAverage(),
            8,
            WhenFull.REFUSE,
            9,
            10,
            List.of(1.0, 2.0, 3.0),
            11);
    assertEquals(expected, config);
    assertEquals(config, Avm.learner(config).config());
  }

  @Test
  void whatMustBeSetIsAskedFor() {
    String gamma =
        assertThrows(
                IllegalStateException.class,
                () -> Avm.paperClassifier().delta(1).lambda(1).config())
            .getMessage();
    assertTrue(gamma.startsWith("gamma is not set"), gamma);
    String delta =
        assertThrows(
                IllegalStateException.class,
                () -> Avm.paperClassifier().gamma(1).lambda(1).config())
            .getMessage();
    assertTrue(delta.startsWith("delta is not set"), delta);
    String lambda =
        assertThrows(
                IllegalStateException.class, () -> Avm.paperClassifier().gamma(1).delta(1).config())
            .getMessage();
    assertTrue(lambda.startsWith("lambda is not set"), lambda);
  }

  @Test
  void everyValueIsCheckedAndNamed() {
    refuses("lambda must be in [1e-12, 1e12], was -1.0", () -> classifier().lambda(-1).config());
    refuses(
        "lambda must be in [1e-12, 1e12], was NaN", () -> classifier().lambda(Double.NaN).config());
    refuses(
        "lambda must be in [1e-12, 1e12], was Infinity",
        () -> classifier().lambda(Double.POSITIVE_INFINITY).config());
    refuses("budget must be >= 0 (0: no limit), was -1", () -> classifier().budget(-1).config());
    refuses("yMax must be >= 0 and finite, was -1.0", () -> classifier().yMax(-1).config());
    refuses(
        "yMax must be >= 0 and finite, was Infinity",
        () -> classifier().yMax(Double.POSITIVE_INFINITY).config());
    refuses("features must be >= 0 (0: unknown), was -1", () -> classifier().features(-1).config());
    refuses(
        "features must be >= 0 (0: unknown), was 2147483647",
        () -> classifier().features(Integer.MAX_VALUE).config());
    refuses(
        "loss must fit the task CLASSIFICATION, was SquaredLoss, which is for REGRESSION",
        () -> classifier().loss(new SquaredLoss()).config());
    refuses(
        "loss must fit the task REGRESSION, was Hinge, which is for CLASSIFICATION",
        () -> regressor().loss(new Hinge()).config());
    refuses("labels must be empty for regression, was [1.0]", () -> regressor().labels(1).config());
    refuses(
        "approximation must not be Confidence for regression: a number has no margin",
        () -> regressor().approximation(new Confidence()).config());
  }

  @Test
  void labelsAreDistinctFiniteAndFew() {
    refuses("labels must be distinct, was 2.0 twice", () -> classifier().labels(1, 2, 2).config());
    refuses(
        "labels must be distinct, was 0.0 twice", () -> classifier().labels(-0.0, 0.0).config());
    refuses("labels must be finite, was NaN", () -> classifier().labels(1, Double.NaN).config());
    refuses(
        "labels must be finite, was -Infinity",
        () -> classifier().labels(Double.NEGATIVE_INFINITY).config());
    double[] many = new double[LearnerConfig.MAX_CLASSES + 1];
    java.util.Arrays.setAll(many, i -> i);
    refuses("labels must be at most 100000, was 100001", () -> classifier().labels(many).config());
    double[] most = java.util.Arrays.copyOf(many, LearnerConfig.MAX_CLASSES);
    assertEquals(LearnerConfig.MAX_CLASSES, classifier().labels(most).build().classes());
  }

  @Test
  void labelsAreCopied() {
    List<Double> labels = new ArrayList<>(List.of(1.0, 2.0));
    AvmConfig config = classifier().config().withLabels(labels);
    labels.add(3.0);
    assertEquals(List.of(1.0, 2.0), config.labels());
    assertThrows(UnsupportedOperationException.class, () -> config.labels().add(4.0));
  }
}
