// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Loss;
import java.util.List;
import java.util.Locale;

/**
 * Creates the learner for a command line: the self-configuring one, or with --paper the paper's.
 *
 * @param learner the untrained learner
 * @param note description in one line
 */
public record LearnerChoice(Learner learner, String note) {
  /** Most core points of a cell. */
  private static final int CELL_BUDGET = 256;

  /** Creates the learner for these options and first rows. */
  public static LearnerChoice of(LearnerOptions options, Preview preview) {
    return of(options, preview.task(), preview.vectors(), preview.targets());
  }

  /** Creates the learner for these options, task, first vectors and, for regression, targets. */
  public static LearnerChoice of(
      LearnerOptions options, Task task, List<FeatureVector> first, List<Double> targets) {
    try {
      return options.paper
          ? PaperChoice.of(options, task, first, targets)
          : standard(options, task);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new UsageException("--" + e.getMessage());
    }
  }

  private static LearnerChoice standard(LearnerOptions options, Task task) {
    AutoConfig.Builder<AutoLearner> builder =
        task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor();
    Loss loss = options.loss(task, 1);
    if (loss != null) {
      builder.loss(loss);
    }
    if (options.kernel == LearnerOptions.KernelName.gaussian) {
      builder.kernel(KernelChoice.GAUSSIAN);
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
    if (options.cells != null) {
      builder.cells(options.cells);
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
    // A learner of bounded bytes does not divide the input space.
    boolean divides = config.cells() > 0 && config.memory() == 0;
    String cells =
        String.format(
            Locale.ROOT,
            " and %d in each of at most %d cells",
            Math.min(config.budget(), CELL_BUDGET),
            config.cells());
    return String.format(
        Locale.ROOT,
        "self-configuring learner, at most %d core points%s%s, %s loss",
        config.budget(),
        divides ? cells : "",
        config.memory() == 0 ? "" : String.format(Locale.ROOT, " or %,d bytes", config.memory()),
        LearnerOptions.name(config.loss()));
  }
}
