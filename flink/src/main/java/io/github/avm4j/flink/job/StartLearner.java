// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.KernelChoice;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the initial learner of a job: read from the file {@code start}, or new with the settings
 * of section {@code learner}.
 */
final class StartLearner {
  private static final int MOST = 1 << 20;

  private StartLearner() {}

  static StartFiles read(Section top, InputConfig input, @Nullable Path folder) throws IOException {
    String file = top.text("start");
    if (file == null) {
      return build(top.section("learner"), input);
    }
    if (top.has("learner")) {
      throw new ConfigException(
          "start and learner exclude each other: the file of start has the settings");
    }
    Path path = folder == null ? Path.of(file) : folder.resolve(file);
    return new StartFiles(RowLearner.read(RowModel.bytes(path)));
  }

  private static StartFiles build(Section section, InputConfig input) {
    boolean classes = section.choice("task", "classification", "regression").startsWith("class");
    List<String> names = section.texts("classes");
    if (classes == names.isEmpty()) {
      throw new ConfigException(
          classes
              ? "learner.classes is missing: they are fixed for the life of the job"
              : "learner.classes is not allowed with task: regression; remove it");
    }
    Learner learner = learner(section, classes);
    String target = input.text().label();
    RowLearner rows = new RowLearner(input.schema(), target == null ? "label" : target, learner);
    names.forEach(rows.names()::add);
    return new StartFiles(rows);
  }

  private static Learner learner(Section section, boolean classes) {
    boolean paper = section.choice("kind", "auto", "paper").equals("paper");
    Double gamma = section.number("gamma");
    Double lambda = section.number("lambda");
    try {
      return paper ? paper(section, classes, gamma, lambda) : auto(section, classes, gamma, lambda);
    } catch (IllegalArgumentException e) {
      throw new ConfigException("learner: " + e.getMessage(), e);
    }
  }

  private static Learner auto(
      Section section, boolean classes, @Nullable Double gamma, @Nullable Double lambda) {
    AutoConfig.Builder<AutoLearner> builder = classes ? Avm.classifier() : Avm.regressor();
    if (section.choice("kernel", "auto", "gaussian").equals("gaussian")) {
      builder.kernel(KernelChoice.GAUSSIAN);
    }
    int budget = (int) section.whole("budget", builder.config().budget(), 1, MOST);
    int cells = (int) section.whole("cells", builder.config().cells(), 0, AutoConfig.MAX_CELLS);
    int estimation = (int) section.whole("estimation", builder.config().estimation(), 1, MOST);
    section.end();
    if (gamma != null) {
      builder.gamma(gamma);
    }
    if (lambda != null) {
      builder.lambda(lambda);
    }
    return builder.budget(budget).cells(cells).estimation(estimation).build();
  }

  /** The paper's learner, which needs all of its settings. */
  private static Learner paper(
      Section section, boolean classes, @Nullable Double gamma, @Nullable Double lambda) {
    Double delta = section.number("delta");
    int budget = (int) section.whole("budget", 0, 0, MOST);
    section.end();
    if (gamma == null || lambda == null || delta == null) {
      throw new ConfigException("learner.gamma, delta and lambda are needed with kind: paper");
    }
    AvmConfig.Builder<KernelLearner> builder =
        classes ? Avm.paperClassifier() : Avm.paperRegressor();
    builder.gamma(gamma).delta(delta).lambda(lambda);
    return budget > 0 ? builder.budget(budget).build() : builder.build();
  }
}
