// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.util.Arrays;
import java.util.List;

/**
 * A model's own answers beside a runtime's.
 *
 * @param rows how many rows were compared
 * @param difference largest difference of a score over the largest score (at least 1)
 * @param probability largest difference of a probability
 * @param otherLabels rows with another label
 * @param excused those of them whose two largest scores are no farther apart than twice the largest
 *     difference
 */
record Comparison(int rows, double difference, double probability, int otherLabels, int excused) {

  /** Both, as one. */
  Comparison and(Comparison other) {
    return new Comparison(
        rows + other.rows,
        Math.max(difference, other.difference),
        Math.max(probability, other.probability),
        otherLabels + other.otherLabels,
        excused + other.excused);
  }

  static Comparison of(RowModel rows, List<String> columns, List<Row> asked, Answers answers) {
    Model model = rows.model();
    RowEncoder encoder = rows.schema().encoder(columns);
    int width = Math.max(1, model.classes());
    double[][] own = new double[asked.size()][width];
    double[] probabilities = new double[width];
    double scale = 1;
    double apart = 0;
    double probability = 0;
    for (int i = 0; i < own.length; i++) {
      FeatureVector x = encoder.encode(asked.get(i));
      model.scores(x, own[i]);
      for (int j = 0; j < width; j++) {
        scale = Math.max(scale, Math.abs(own[i][j]));
        if (answers.scores().length > 0) {
          apart = Math.max(apart, Math.abs(own[i][j] - answers.scores()[i][j]));
        }
      }
      if (answers.probabilities().length > 0) {
        model.probabilities(x, probabilities);
        for (int j = 0; j < width; j++) {
          double miss = Math.abs(probabilities[j] - answers.probabilities()[i][j]);
          probability = Math.max(probability, miss);
        }
      }
    }
    int other = 0;
    int excused = 0;
    for (int i = 0; model.task() == Task.CLASSIFICATION && i < own.length; i++) {
      String label = rows.name(model.predict(encoder.encode(asked.get(i))));
      if (!label.equals(answers.labels().get(i))) {
        other++;
        excused += margin(own[i]) <= 2 * apart ? 1 : 0;
      }
    }
    return new Comparison(own.length, apart / scale, probability, other, excused);
  }

  private static double margin(double[] scores) {
    double[] sorted = scores.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    return n < 2 ? Double.POSITIVE_INFINITY : sorted[n - 1] - sorted[n - 2];
  }
}
