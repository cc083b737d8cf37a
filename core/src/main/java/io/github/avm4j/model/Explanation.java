// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.Task;
import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Why a model answered as it did: f(x) = b + Σ_i w_i·K(x, c_i) taken apart into its summands, each
 * of which belongs to one core point, a real example of the training stream.
 *
 * <p>Explained is the number for regression, the margin for up to two classes (positive speaks for
 * the second label) and the winner's score for more. {@code intercept + Σ contribution} over all
 * core points is that score. Costs a prediction and a sort: O(S·d + S·log S).
 *
 * @param answer what {@link Model#predict} gives
 * @param score the explained score
 * @param intercept b, 0 for classification
 * @param parts the summands of largest magnitude, largest first
 * @param rest the sum of the contributions that are not among the parts
 */
public record Explanation(
    double answer, double score, double intercept, List<Part> parts, double rest) {

  /**
   * What one core point brings.
   *
   * @param point index of the core point
   * @param similarity K(x, c_i), 1 where x is the core point itself
   * @param coefficient w_i in the explained column
   * @param contribution w_i·K(x, c_i)
   * @param share |contribution| of the sum of all magnitudes, 0..1
   * @param label the label whose score the point raises most; NaN for regression
   */
  public record Part(
      int point,
      double similarity,
      double coefficient,
      double contribution,
      double share,
      double label) {}

  /** Copies the parts. */
  public Explanation {
    parts = List.copyOf(parts);
  }

  /**
   * Explains the answer for {@code x}.
   *
   * @param most how many parts are listed
   * @throws IllegalArgumentException if x does not fit or is not finite, or most is negative
   */
  public static Explanation of(Model model, FeatureVector x, int most) {
    if (most < 0) {
      throw new IllegalArgumentException("most must be >= 0, was " + most);
    }
    model.checkShape(x);
    CoreDistances distances = new CoreDistances();
    FeatureVector scaled = new Scaling.Scaler(model.scaling()).scale(x);
    distances.fill(model.coreSet(), scaled, model.config().kernel());
    int size = model.size();
    double[] columns = new double[model.columns()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = c == 0 ? model.intercept() : 0;
      for (int i = 0; i < size; i++) {
        columns[c] += model.coefficient(c, i) * distances.kernel()[i];
      }
    }
    int column = Decision.argmax(columns, columns.length);
    double[] contributions = new double[size];
    double magnitudes = 0;
    for (int i = 0; i < size; i++) {
      contributions[i] = model.coefficient(column, i) * distances.kernel()[i];
      magnitudes += Math.abs(contributions[i]);
    }
    double whole = magnitudes == 0 ? 1 : magnitudes;
    List<Part> all =
        IntStream.range(0, size)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer i) -> Math.abs(contributions[i])).reversed())
            .map(
                i ->
                    new Part(
                        i,
                        distances.kernel()[i],
                        model.coefficient(column, i),
                        contributions[i],
                        Math.abs(contributions[i]) / whole,
                        label(model, i)))
            .toList();
    double rest = all.stream().skip(most).mapToDouble(Part::contribution).sum();
    return new Explanation(
        Decision.answer(model, columns, columns.length),
        columns[column],
        model.intercept(),
        all.subList(0, Math.min(most, size)),
        rest);
  }

  /** The label that core point i speaks for; NaN for regression and while there are no labels. */
  private static double label(Model model, int i) {
    if (model.task() == Task.REGRESSION || model.classes() == 0) {
      return Double.NaN;
    }
    if (model.columns() == 1) {
      return model.label(model.coefficient(0, i) > 0 && model.classes() > 1 ? 1 : 0);
    }
    int best = 0;
    for (int c = 1; c < model.columns(); c++) {
      if (model.coefficient(c, i) > model.coefficient(best, i)) {
        best = c;
      }
    }
    return model.label(best);
  }
}
