// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.kernel.RationalQuadratic;
import io.github.avm4j.loss.Huber;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import io.github.avm4j.paper.WhenFull;
import io.github.avm4j.testing.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes the learner files that golden/ lacks and, beside each, the scores it must give for ever.
 * Files of a released version are never written again; a new format version adds its own.
 *
 * <pre>
 * mvn -pl core test-compile
 * java --add-modules jdk.incubator.vector -cp core/target/classes:core/target/test-classes \
 *   io.github.avm4j.learner.GoldenFiles core/src/test/resources/golden
 * </pre>
 */
public final class GoldenFiles {
  /** Every file's name without its ending. */
  static final List<String> NAMES =
      List.of(
          "v1-hinge-gaussian-binary",
          "v1-logistic-laplacian-multiclass-sparse",
          "v1-squared-matern32-regression-average",
          "v1-smooth-matern52-boxes-budget",
          "v1-epsilon-rational-suffix",
          "v1-huber-regression",
          "v1-postings",
          "v1-second-order-multiclass",
          "v1-auto-regression-estimating",
          "v1-auto-multiclass-sparse-scaled",
          "v1-auto-cells-multiclass",
          "v1-auto-tree-multiclass",
          "v1-auto-shrunk-regression");

  private GoldenFiles() {}

  /** Writes the files that are missing into the folder given. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Files.createDirectories(folder);
    for (String name : NAMES) {
      if (Files.exists(folder.resolve(name + ".avm"))) {
        continue;
      }
      Learner learner = learner(name);
      Streams.of(name.hashCode(), rows(name), random -> row(name, random))
          .forEach(x -> learner.learn(x, target(name, x)));
      Avm.save(learner, folder.resolve(name + ".avm"));
      List<String> lines = new ArrayList<>();
      Model model = learner.snapshot();
      for (FeatureVector x : probes(name)) {
        lines.add(scores(model, x));
      }
      Files.write(folder.resolve(name + ".txt"), lines);
    }
  }

  /** Cells come after 3000 rows. */
  static int rows(String name) {
    boolean cells = name.contains("cells") || name.contains("tree");
    return cells ? 4400 : name.contains("shrunk") ? 400 : 120;
  }

  private static Learner learner(String name) {
    return switch (name) {
      case "v1-hinge-gaussian-binary" ->
          Avm.paperClassifier().gamma(0.5).delta(1).lambda(0.01).build();
      case "v1-logistic-laplacian-multiclass-sparse" ->
          Avm.paperClassifier()
              .kernel(new Laplacian(0.4))
              .loss(new Logistic())
              .delta(1.5)
              .lambda(0.01)
              .approximation(new Bernoulli(2, 0.5))
              .seed(99)
              .build();
      case "v1-squared-matern32-regression-average" ->
          Avm.paperRegressor()
              .kernel(new Matern32(0.6))
              .loss(new SquaredLoss())
              .delta(0.8)
              .lambda(0.005)
              .output(new UniformAverage())
              .build();
      case "v1-smooth-matern52-boxes-budget" ->
          Avm.paperClassifier()
              .kernel(new Matern52(0.6))
              .loss(new SmoothHinge(0.25))
              .coverage(new Hyperrectangle(1.2))
              .lambda(0.02)
              .budget(12)
              .whenFull(WhenFull.REFUSE)
              .labels(3, 1, 2)
              .output(new WeightedAverage())
              .build();
      case "v1-epsilon-rational-suffix" ->
          Avm.paperRegressor()
              .kernel(new RationalQuadratic(0.7, 1.5))
              .delta(0.9)
              .lambda(0.01)
              .output(new SuffixAverage(0.3, 0))
              .build();
      case "v1-huber-regression" ->
          Avm.paperRegressor().loss(new Huber(0.8)).gamma(0.4).delta(0.7).lambda(0.01).build();
      case "v1-second-order-multiclass" ->
          Avm.learner(
              SecondOrderConfig.builder(Task.CLASSIFICATION)
                  .kernel(new Gaussian(0.3))
                  .loss(new Logistic())
                  .lambda(0.05)
                  .skip(0.1)
                  .novelty(0.01)
                  .budget(15)
                  .labels(2)
                  .build());
      case "v1-auto-regression-estimating" -> Avm.regressor().budget(20).estimation(200).build();
      case "v1-auto-multiclass-sparse-scaled" ->
          Avm.classifier().budget(20).estimation(100).scaling(ScalingMode.STANDARD).build();
      case "v1-auto-cells-multiclass" ->
          Avm.classifier().budget(8).cells(3).estimation(100).build();
      case "v1-auto-tree-multiclass" -> Avm.classifier().budget(8).cells(6).estimation(100).build();
      case "v1-auto-shrunk-regression" -> Avm.regressor().budget(12).estimation(300).build();
      default -> Avm.paperClassifier().gamma(0.3).delta(0.7).lambda(0.05).build();
    };
  }

  private static FeatureVector row(String name, Random random) {
    double a = 2 * random.nextGaussian();
    double b = 2 * random.nextGaussian();
    if (name.contains("postings")) {
      int[] indices = {random.nextInt(50), 5_000 + random.nextInt(20), 1_000_000_000};
      return FeatureVector.sparse(indices, new double[] {a, 1, b});
    }
    if (name.contains("sparse")) {
      return FeatureVector.sparse(new int[] {random.nextInt(3), 5}, new double[] {a, b});
    }
    if (name.contains("shrunk")) {
      return FeatureVector.dense(a, b, random.nextGaussian(), random.nextGaussian());
    }
    return FeatureVector.dense(a, b, random.nextInt(2));
  }

  /** A label or number that depends on x alone. */
  static double target(String name, FeatureVector x) {
    if (name.contains("tree")) {
      double[] v = x.values();
      return v[2] > 0 ? v[0] > 1 ? 1 : 2 : v[1] > 0 ? v[0] > -1 ? 3 : 1 : v[1] > -2 ? 2 : 3;
    }
    if (name.contains("shrunk")) {
      return Math.sin(x.values()[0]);
    }
    double sum = 0;
    for (int k = 0; k < x.count(); k++) {
      sum += x.values()[k];
    }
    if (name.contains("regression") || name.contains("epsilon")) {
      return 3 + Math.sin(sum);
    }
    boolean many = name.contains("multiclass") || name.contains("boxes");
    return many ? 1 + Math.floorMod((long) Math.floor(sum), 3) : sum > 0.5 ? 1 : -1;
  }

  /** The vectors whose scores are recorded. */
  static List<FeatureVector> probes(String name) {
    return Streams.of(7, 20, random -> row(name, random));
  }

  /** All scores of one vector as text, exactly. */
  private static String scores(Model model, FeatureVector x) {
    double[] scores = new double[Math.max(1, model.classes())];
    model.scores(x, scores);
    StringBuilder line = new StringBuilder();
    for (double score : scores) {
      line.append(line.isEmpty() ? "" : " ").append(score);
    }
    return line.toString();
  }
}
