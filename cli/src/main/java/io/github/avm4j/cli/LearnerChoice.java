// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.Avm;
import io.github.avm4j.Builder;
import io.github.avm4j.PaperBuilder;
import io.github.avm4j.approximation.SplitMix64;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Loss;
import java.util.List;
import java.util.Locale;

/**
 * Which learner the command line gets: the self-configuring one, or with --paper the paper's. The
 * one place that knows.
 *
 * @param learner a learner that has seen nothing
 * @param note one line on what was chosen for it
 */
record LearnerChoice(Learner learner, String note) {
  private static final int PAIRS = 2000;
  private static final double LAMBDA_FACTOR = 16;

  /** The learner for these options and first rows. */
  static LearnerChoice of(LearnerOptions options, Preview preview) {
    return of(options, preview.task(), preview.vectors());
  }

  /** The learner for these options, task and first vectors. */
  static LearnerChoice of(LearnerOptions options, Task task, List<FeatureVector> first) {
    try {
      return options.paper ? paper(options, task, first) : standard(options, task);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new UsageException("--" + e.getMessage());
    }
  }

  private static LearnerChoice standard(LearnerOptions options, Task task) {
    Builder builder = task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor();
    Loss loss = options.loss();
    if (loss != null) {
      builder.loss(loss);
    }
    if (options.gamma != null) {
      builder.gamma(options.gamma);
    }
    if (options.lambda != null) {
      builder.lambda(options.lambda);
    }
    if (options.budget != null) {
      builder.budget(options.budget);
    }
    if (options.fine != null) {
      builder.fine(options.fine);
    }
    if (options.memory != null) {
      builder.memory(options.memory);
    }
    if (options.forgetting != null) {
      builder.forgetting(options.forgetting);
    }
    if (options.features != null) {
      builder.features(options.features);
    }
    builder.scaling(options.scaling());
    return new LearnerChoice(builder.build(), note(builder.config()));
  }

  private static String note(AutoConfig config) {
    return String.format(
        Locale.ROOT,
        "self-configuring learner, at most %d core points%s%s, %s loss",
        config.budget(),
        config.fine() == 0 ? "" : " and " + config.fine() + " fine ones",
        config.memory() == 0
            ? ""
            : String.format(Locale.ROOT, " or what fits in %,d bytes", config.memory()),
        LearnerOptions.name(config.loss()));
  }

  private static LearnerChoice paper(LearnerOptions options, Task task, List<FeatureVector> first) {
    if (options.scaling != null && options.scaling != LearnerOptions.ScalingName.none) {
      throw new UsageException(
          "--scaling does not go with --paper, which takes features as they are: scale the data");
    }
    if (options.memory != null || options.forgetting != null || options.fine != null) {
      throw new UsageException(
          (options.memory != null
                  ? "--memory"
                  : options.forgetting != null ? "--forgetting" : "--fine")
              + " does not go with --paper, which has no such thing; --budget bounds it");
    }
    PaperOptions paper = options.paperOptions;
    Distances distances = Distances.of(first, options.seed);
    double gamma = options.gamma != null ? options.gamma : 1 / distances.meanSquare;
    double delta = paper.delta != null ? paper.delta : 2 * distances.mean;
    double lambda = options.lambda != null ? options.lambda : LAMBDA_FACTOR / first.size();
    PaperBuilder builder =
        task == Task.CLASSIFICATION ? Avm.paperClassifier() : Avm.paperRegressor();
    builder
        .gamma(gamma)
        .coverage(paper.coverage(delta))
        .lambda(lambda)
        .approximation(paper.approximation())
        .output(paper.output())
        .whenFull(paper.whenFull)
        .seed(options.seed);
    Loss loss = options.loss();
    if (loss != null) {
      builder.loss(loss);
    }
    if (options.budget != null) {
      builder.budget(options.budget);
    }
    if (options.features != null) {
      builder.features(options.features);
    }
    return new LearnerChoice(
        builder.build(),
        String.format(
            Locale.ROOT,
            "paper's algorithm, gamma %.4g%s, delta %.4g%s, lambda %.4g%s, %s loss",
            gamma,
            found(options.gamma),
            delta,
            found(paper.delta),
            lambda,
            found(options.lambda),
            LearnerOptions.name(builder.config().loss())));
  }

  private static String found(@org.jspecify.annotations.Nullable Double told) {
    return told == null ? " (found)" : "";
  }

  /** Distances between random pairs of the first vectors. */
  private record Distances(double mean, double meanSquare) {
    static Distances of(List<FeatureVector> first, long seed) {
      SplitMix64 random = new SplitMix64(seed);
      double sum = 0;
      double squares = 0;
      for (int p = 0; p < PAIRS; p++) {
        FeatureVector a = first.get((int) (random.nextDouble() * first.size()));
        FeatureVector b = first.get((int) (random.nextDouble() * first.size()));
        double squared = squaredDistance(a, b);
        sum += Math.sqrt(squared);
        squares += squared;
      }
      return sum > 0 ? new Distances(sum / PAIRS, squares / PAIRS) : new Distances(1, 1);
    }

    private static double squaredDistance(FeatureVector a, FeatureVector b) {
      double dot = 0;
      for (int k = 0; k < a.count(); k++) {
        dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
      }
      return Math.max(0, a.squaredNorm() + b.squaredNorm() - 2 * dot);
    }
  }
}
