// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WhenFull;
import java.util.ArrayList;
import java.util.List;

/** The paper's learner as its tables have it, and with another output, coverage or parameters. */
final class PaperVariant {
  /** The mean of all iterates predicts, instead of the last. */
  static final String AVERAGE = "average";

  /** The mean of the later half of the iterates predicts. */
  static final String SUFFIX = "suffix";

  /** Algorithm 4's boxes instead of Algorithm 3's balls. */
  static final String BOXES = "boxes";

  /** γ and λ of the authors' script instead of those found. */
  static final String AUTHORS = "authors";

  private static final double SUFFIX_SHARE = 0.5;

  /** Core points of the authors' script for ijcnn1. */
  private static final int IJCNN1_CELLS = 500;

  private PaperVariant() {}

  /** A line of a table: a method, and how it differs from what the paper's table has. */
  record Line(String method, String variant) {
    String title(ExperimentData data) {
      String title = Plan.title(method, data.task());
      return switch (variant) {
        case AVERAGE -> title + ", average";
        case SUFFIX -> title + ", suffix average";
        case BOXES -> title + ", boxes";
        case AUTHORS -> title + ", authors' γ, λ";
        default -> title;
      };
    }
  }

  /** The lines of a table: every method, the paper's learner also in its variants. */
  static List<Line> lines(String study, ExperimentData data) {
    List<Line> lines = new ArrayList<>();
    for (String method : Plan.methods(study, data)) {
      lines.add(new Line(method, ""));
      if (study.equals(Plan.BATCH) && Methods.isPaper(method)) {
        lines.add(new Line(method, AVERAGE));
        lines.add(new Line(method, SUFFIX));
      }
      if (study.equals(Plan.ONLINE_CLASSES) && method.equals("avm-hinge") && !data.large()) {
        lines.add(new Line(method, BOXES));
        if (List.of("cod-rna", "ijcnn1").contains(data.name())) {
          lines.add(new Line(method, AUTHORS));
        }
      }
    }
    return lines;
  }

  /** What the authors' script sets for the hinge loss online; its δ is a radius of 0.5. */
  static Settings authors(String data) {
    boolean codRna = data.equals("cod-rna");
    return Settings.standard()
        .with(Knob.GAMMA, codRna ? 0.0625 : 1)
        .with(Knob.LAMBDA, codRna ? 8.3984210968337947e-05 : 1.7857142857142858e-05);
  }

  /**
   * Most core points of a job's learner: the authors' default, their 500 for ijcnn1, and 0, which
   * is no limit, for the figures, as in the paper's algorithm.
   */
  static int cells(Job job) {
    boolean figure = List.of(Plan.DELTA, Plan.BETA_RHO, Plan.LENGTH).contains(job.study());
    return figure ? 0 : job.data().equals("ijcnn1") ? IJCNN1_CELLS : Methods.PAPER_CELLS;
  }

  /** A learner of the job; λ is used as it is given, for streams of any length. */
  static OnlineLearner learner(Job job, Settings settings, int rows) {
    ExperimentData data = ExperimentData.of(job.data());
    AvmConfig.Builder<KernelLearner> builder =
        Methods.paper(job.method(), data.task(), settings)
            .budget(cells(job))
            .whenFull(WhenFull.REFUSE);
    if (job.beta() != 0) {
      builder.approximation(new Bernoulli(job.beta(), job.rho()));
    }
    switch (job.variant()) {
      case AVERAGE -> builder.output(new UniformAverage());
      case SUFFIX -> builder.output(new SuffixAverage(SUFFIX_SHARE, rows));
      case BOXES ->
          builder.coverage(new Hyperrectangle(settings.delta())).features(data.features());
      default -> {}
    }
    return builder.build();
  }
}
