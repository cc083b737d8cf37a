// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.kernel.KernelKind;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.RationalQuadratic;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Changing any one parameter changes what is learned. */
class EveryParameterMattersTest {

  /** Two configurations that differ in one parameter. */
  private record Pair(
      String parameter,
      AvmConfig.Builder<KernelLearner> one,
      AvmConfig.Builder<KernelLearner> other) {}

  private static AvmConfig.Builder<KernelLearner> classifier() {
    return Avm.paperClassifier().gamma(4).delta(0.3).lambda(0.01).features(2);
  }

  private static AvmConfig.Builder<KernelLearner> regressor() {
    return Avm.paperRegressor().gamma(2).delta(0.3).lambda(0.01).features(2);
  }

  private static AvmConfig.Builder<KernelLearner> boxes(int features) {
    return classifier().coverage(new Hyperrectangle(0.4)).features(features);
  }

  private static List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>(plain());
    for (LossKind kind : LossKind.values()) {
      if (kind.hasParameter()) {
        pairs.add(new Pair("loss." + kind.parameter(), with(kind, 0.1), with(kind, 0.3)));
      }
    }
    for (KernelKind kind : KernelKind.values()) {
      AvmConfig.Builder<KernelLearner> wide = classifier().kernel(kind.kernel(1));
      pairs.add(new Pair("kernel.gamma", wide, classifier().kernel(kind.kernel(2))));
    }
    return pairs;
  }

  private static AvmConfig.Builder<KernelLearner> with(LossKind kind, double share) {
    Loss loss = kind.loss(share * kind.defaultValue());
    return (loss.forClassification() ? classifier() : regressor()).loss(loss);
  }

  private static List<Pair> plain() {
    return List.of(
        new Pair("task", classifier(), regressor()),
        new Pair("kernel", classifier(), classifier().kernel(new Laplacian(4))),
        new Pair("kernel.gamma", classifier(), classifier().gamma(5)),
        new Pair(
            "kernel.alpha",
            classifier().kernel(new RationalQuadratic(1, 1)),
            classifier().kernel(new RationalQuadratic(1, 2))),
        new Pair("loss", classifier(), classifier().loss(new Logistic())),
        new Pair("loss", regressor(), regressor().loss(new AbsoluteLoss())),
        new Pair("lambda", classifier(), classifier().lambda(0.02)),
        new Pair("coverage", boxes(2), classifier().delta(0.4)),
        new Pair("coverage.delta", classifier(), classifier().delta(0.25)),
        new Pair("coverage.delta", boxes(2), classifier().coverage(new Hyperrectangle(0.3))),
        new Pair("approximation", classifier(), classifier().approximation(new Never())),
        new Pair("approximation.beta", random(2, 1, 1), random(5, 1, 1)),
        new Pair("approximation.rho", random(2, 0.5, 1), random(2, 1.5, 1)),
        new Pair("output", classifier(), classifier().output(new UniformAverage())),
        new Pair("output", suffix(0.5, 0), classifier().output(new WeightedAverage())),
        new Pair("output.alpha", suffix(0.5, 0), suffix(0.2, 0)),
        new Pair("output.alpha", suffix(0.5, 500), suffix(0.2, 500)),
        new Pair("output.horizon", suffix(0.5, 500), suffix(0.5, 300)),
        new Pair("budget", classifier().budget(9), classifier().budget(12)),
        new Pair(
            "whenFull", classifier().budget(9), classifier().budget(9).whenFull(WhenFull.REFUSE)),
        new Pair("yMax", squared(2), squared(4)),
        new Pair("features", boxes(2), boxes(5)),
        new Pair("labels", classifier().labels(0, 1), classifier().labels(1, 0)),
        new Pair("seed", random(5, 0.5, 1), random(5, 0.5, 2)));
  }

  private static AvmConfig.Builder<KernelLearner> random(double beta, double rho, long seed) {
    return classifier().approximation(new Bernoulli(beta, rho)).seed(seed);
  }

  private static AvmConfig.Builder<KernelLearner> suffix(double alpha, long horizon) {
    return classifier().output(new SuffixAverage(alpha, horizon));
  }

  private static AvmConfig.Builder<KernelLearner> squared(double yMax) {
    return regressor().loss(new SquaredLoss()).lambda(0.001).yMax(yMax);
  }

  private static double[] learned(AvmConfig config) {
    Learner learner = Avm.learner(config);
    boolean classifies = config.task() == Task.CLASSIFICATION;
    List<Instance> rows =
        classifies ? Streams.checkerboard(2, 500, 1) : Streams.noisySine(2, 500, 0.1, 1);
    for (Instance row : rows) {
      learner.learn(row.sparse().x(), row.y());
    }
    List<Double> result = new ArrayList<>(List.of((double) learner.size()));
    rows.subList(0, 100).forEach(row -> result.add(learner.score(row.sparse().x())));
    return result.stream().mapToDouble(Double::doubleValue).toArray();
  }

  @TestFactory
  Stream<DynamicTest> changesTheResult() {
    return pairs().stream()
        .map(
            pair ->
                DynamicTest.dynamicTest(
                    pair.parameter,
                    () ->
                        assertFalse(
                            Arrays.equals(learned(pair.one.config()), learned(pair.other.config())),
                            pair.one.config() + " learns as " + pair.other.config())));
  }

  /** A parameter added to the configuration must be added above. */
  @Test
  void allParametersAreHere() {
    Set<String> tested = new TreeSet<>();
    pairs().forEach(pair -> tested.add(pair.parameter.replaceAll("[.].*", "")));
    Set<String> all = new TreeSet<>();
    all.addAll(pairs().get(0).one.config().toMap().keySet());
    assertEquals(all, tested);
  }
}
