// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.KernelKind;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.ScaledLearner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

class ContractTest {

  private static AvmConfig.Builder<KernelLearner> classifier() {
    return Avm.paperClassifier().gamma(4).delta(0.4).lambda(0.01);
  }

  private static AvmConfig.Builder<KernelLearner> regressor() {
    return Avm.paperRegressor().gamma(2).delta(0.4).lambda(0.02);
  }

  private static DynamicContainer checked(
      String name, AvmConfig.Builder<KernelLearner> b, Exemption... exemptions) {
    return DynamicContainer.dynamicContainer(name, LearnerChecks.all(b::build, exemptions));
  }

  @TestFactory
  Stream<DynamicContainer> everyLearner() {
    Stream<DynamicContainer> losses =
        Arrays.stream(LossKind.values())
            .map(kind -> checked(kind.title(), with(kind).output(new WeightedAverage())));
    Stream<DynamicContainer> kernels =
        Arrays.stream(KernelKind.values())
            .map(kind -> checked(kind.name(), regressor().kernel(kind.kernel(1, 0.5))));
    return Stream.of(losses, kernels, mixed()).flatMap(all -> all);
  }

  private static AvmConfig.Builder<KernelLearner> with(LossKind kind) {
    Loss loss = kind.loss(0.3 * kind.defaultValue());
    return (loss.forClassification() ? classifier() : regressor()).loss(loss);
  }

  /** Choices beside loss and kernel. */
  private static Stream<DynamicContainer> mixed() {
    return Stream.of(
        checked("declared", classifier().labels(0, 1, 2, 3).output(new UniformAverage())),
        checked(
            "logistic, never, absorb",
            classifier().loss(new Logistic()).approximation(new Never()).budget(90)),
        checked(
            "smooth hinge, boxes, refuse",
            classifier()
                .loss(new SmoothHinge(0.5))
                .coverage(new Hyperrectangle(0.5))
                .features(3)
                .budget(10)
                .whenFull(WhenFull.REFUSE)),
        checked(
            "bernoulli, suffix",
            classifier().approximation(new Bernoulli(4, 0.6)).output(new SuffixAverage(0.5, 0))),
        checked(
            "confidence, weighted average",
            classifier().approximation(new Confidence()).output(new WeightedAverage())),
        checked("many features", classifier().features(60).gamma(0.3).delta(2)),
        checked("epsilon", regressor().output(new SuffixAverage(0.3, 500))),
        checked("squared", regressor().loss(new SquaredLoss()).output(new UniformAverage())),
        checked(
            "squared, told yMax",
            regressor().loss(new SquaredLoss()).yMax(5).lambda(0.05).budget(15)),
        checked(
            "bernoulli, regression",
            regressor().approximation(new Bernoulli(2, 1)).output(new SuffixAverage(0.7, 0))),
        checked(
            "boxes of unknown dimension",
            classifier().coverage(new Hyperrectangle(0.5)),
            new Exemption(
                "dense equals sparse",
                "a box's side is delta/sqrt(d), and a sparse vector does not tell d")));
  }

  private static DynamicContainer second(String name, Loss loss, int budget) {
    Task task = loss.forClassification() ? Task.CLASSIFICATION : Task.REGRESSION;
    SecondOrderConfig config =
        SecondOrderConfig.builder(task)
            .kernel(new Gaussian(2))
            .loss(loss)
            .lambda(0.05)
            .skip(0.05)
            .novelty(1e-3)
            .budget(budget)
            .build();
    return DynamicContainer.dynamicContainer(name, LearnerChecks.all(() -> Avm.learner(config)));
  }

  @TestFactory
  Stream<DynamicContainer> secondOrder() {
    Stream<DynamicContainer> losses =
        Arrays.stream(LossKind.values())
            .filter(kind -> kind == LossKind.LOGISTIC || !kind.loss().forClassification())
            .map(kind -> second(kind.title(), kind.loss(0.3 * kind.defaultValue()), 30));
    return Stream.concat(losses, Stream.of(second("few points", new Logistic(), 5)));
  }

  private static DynamicContainer scaled(String name, AvmConfig.Builder<KernelLearner> builder) {
    double[] shift = {0.1, 0, -0.2};
    double[] scale = {1, 2, 0.5};
    return DynamicContainer.dynamicContainer(
        name,
        LearnerChecks.all(
            () -> {
              Scaling scaling =
                  new Scaling(shift, scale, new boolean[] {false, true, false}, false);
              return new ScaledLearner(builder.build(), scaling, 0);
            }));
  }

  @TestFactory
  Stream<DynamicContainer> scaledFeatures() {
    return Stream.of(scaled("classes", classifier()), scaled("regression", regressor()));
  }

  private static DynamicContainer self(String name, Supplier<AutoLearner> fresh) {
    Exemption scaling =
        new Exemption(
            "dense equals sparse", "dense features are centred, zeros of sparse ones stay");
    return DynamicContainer.dynamicContainer(name, LearnerChecks.all(fresh, scaling));
  }

  private static AutoConfig.Builder<AutoLearner> scaled(AutoConfig.Builder<AutoLearner> builder) {
    return builder.budget(30).scaling(ScalingMode.STANDARD);
  }

  @TestFactory
  Stream<DynamicContainer> selfConfiguring() {
    return Stream.of(
        self("classes", () -> Avm.classifier().budget(30).build()),
        self("short estimation", () -> scaled(Avm.classifier()).estimation(60).build()),
        self("numbers", () -> scaled(Avm.regressor()).estimation(100).build()),
        DynamicContainer.dynamicContainer(
            "unscaled",
            LearnerChecks.all(
                () -> Avm.classifier().scaling(ScalingMode.NONE).budget(30).build())));
  }
}
