// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.LinearSgd;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.PairDistances;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * A row per data set: the default learner with default settings, beside the trivial prediction, a
 * linear model and the paper's learner, both on features scaled alike and with the best of a few
 * settings in hindsight; and what the best γ in hindsight would have given.
 */
final class DefaultTable {
  private static final double[] ETAS = {16, 4, 1, 0.25, 0.06};
  private static final double[] CELLS = {0.5, 1};
  private static final double[] LAMBDAS = {1, 16, 4096};
  private static final double[] GAMMAS = {0.25, 0.5, 2, 4};
  private static final int ESTIMATION = 1000;

  private final int seeds;

  DefaultTable(int seeds) {
    this.seeds = seeds;
  }

  String head() {
    return """
    | data | rows | trivial | linear | paper's | **avm** | ± | best γ | avm / best γ | µs | points | cells | forgets |
    |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
    """;
  }

  String row(StreamData data) {
    int[] order = data.order(1);
    int count = data.ordered() ? 1 : seeds;
    double[] errors = new double[count];
    double micros = 0;
    AutoLearner learner = learner(data.task()).build();
    for (int s = 0; s < count; s++) {
      learner = learner(data.task()).build();
      Run run = Run.of(data, data.order(s + 1), learner);
      errors[s] = run.error();
      micros = run.micros();
    }
    double mean = Arrays.stream(errors).average().orElse(0);
    double best = errors[0];
    double gamma = learner.config().kernel().gamma();
    ScalingMode mode = learner.scaling().isIdentity() ? ScalingMode.NONE : ScalingMode.AUTOMATIC;
    for (double factor : GAMMAS) {
      AutoConfig.Builder<AutoLearner> told =
          learner(data.task()).gamma(factor * gamma).scaling(mode);
      best = Math.min(best, Run.of(data, order, told.build()).error());
    }
    double forgetting = ((SecondOrderConfig) learner.config()).forgetting();
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %s | %s | %s | **%s** | %s | %s | %.3f | %.1f | %d | %d | %s |%n",
        data.name() + (data.ordered() ? " (in order)" : ""),
        data.size(),
        number(Run.trivial(data, order)),
        number(linear(data, order)),
        number(paper(data, order)),
        number(mean),
        number(deviation(errors, mean)),
        number(best),
        errors[0] / best,
        micros,
        learner.size(),
        learner.cells(),
        forgetting == 1 ? "no" : String.format(Locale.ROOT, "1/%.0f", 1 / (1 - forgetting)));
  }

  private static AutoConfig.Builder<AutoLearner> learner(Task task) {
    return task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor();
  }

  static double deviation(double[] values, double mean) {
    double sum = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return values.length > 1 ? Math.sqrt(sum / (values.length - 1)) : 0;
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.4f" : value < 1000 ? "%.2f" : "%.0f", value);
  }

  private static Scaling scaling(StreamData data, int[] order) {
    List<FeatureVector> first =
        Arrays.stream(order).limit(ESTIMATION).mapToObj(data.x()::get).toList();
    return ScalingFitter.fit(first, ScalingMode.AUTOMATIC);
  }

  private static double linear(StreamData data, int[] order) {
    UnaryOperator<FeatureVector> scaler = new Scaling.Scaler(scaling(data, order))::scale;
    double best = Double.POSITIVE_INFINITY;
    for (double eta : ETAS) {
      Settings settings = Settings.standard().with(Knob.ETA, eta);
      Run run = Run.of(data, order, new LinearSgd(data.task(), settings), scaler);
      best = Math.min(best, run.error());
    }
    return best;
  }

  private static double paper(StreamData data, int[] order) {
    Scaling scaling = scaling(data, order);
    UnaryOperator<FeatureVector> scaler = new Scaling.Scaler(scaling)::scale;
    List<FeatureVector> first =
        Arrays.stream(order)
            .limit(ESTIMATION)
            .mapToObj(row -> scaler.apply(data.x().get(row)).copy())
            .toList();
    PairDistances pairs = PairDistances.of(first, 2000, 1);
    double square = pairs.mean() * pairs.mean() + pairs.deviation() * pairs.deviation();
    double best = Double.POSITIVE_INFINITY;
    for (double cell : CELLS) {
      for (double lambda : LAMBDAS) {
        AvmConfig.Builder<KernelLearner> builder =
            data.task() == Task.CLASSIFICATION ? Avm.paperClassifier() : Avm.paperRegressor();
        Learner learner =
            builder
                .gamma(1 / square)
                .delta(cell * Math.sqrt(square))
                .lambda(lambda / order.length)
                .budget(500)
                .build();
        best = Math.min(best, Run.of(data, order, learner, scaler).error());
      }
    }
    return best;
  }
}
