// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.linear.Cholesky;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Explanation of a prediction by the examples that x is most like. Core points are real examples of
 * the training stream; the combination Σ a_i·φ(c_i) of them that comes closest to φ(x) has the
 * weights a = K⁻¹k(x), and because the model lies in their span, f(x) − b = Σ a_i·(f(c_i) − b), to
 * rounding. Each summand is what one example brings: how much of x it is, times what the model says
 * of it.
 *
 * <p>The summands w_i·K(x, c_i) of the kernel expansion itself explain nothing: in a second-order
 * model they are thousands of times larger than their sum, which all of them together decide.
 *
 * <p>Where the space is divided into cells, the core points are those of the cell that predicts x.
 *
 * <p>Explained is the prediction for regression, the margin for up to two classes (positive speaks
 * for the second label) and the winner's score for more. {@code intercept + Σ contribution + rest}
 * is that score. Of more than {@value #MOST_COMBINED} core points only so many, the most similar,
 * are combined; what the others add is in the rest. Costs O(N·S·d + N³/6), N of S being combined:
 * some milliseconds.
 *
 * @param prediction what {@link Model#predict} returns
 * @param score the explained score
 * @param intercept b, 0 for classification
 * @param parts the summands of largest magnitude, largest first
 * @param rest the score without the intercept and the parts
 */
public record Explanation(
    double prediction, double score, double intercept, List<Part> parts, double rest) {

  /** Added to K's diagonal: core points as good as equal would get huge weights of both signs. */
  private static final double RIDGE = 1e-6;

  /** Most core points that x is combined of. */
  public static final int MOST_COMBINED = 256;

  /**
   * What one core point brings.
   *
   * @param point index of the core point among those of the expansion that predicts x
   * @param example the core point before scaling
   * @param similarity K(x, c_i), 1 where x is the core point itself
   * @param weight a_i, how much of x is this example; negative where it corrects others
   * @param score what the model says of the example: f(c_i) of the explained score
   * @param contribution a_i·(f(c_i) − b)
   * @param share |contribution| of the sum of all magnitudes, 0..1
   * @param prediction the class that the model predicts for the example; NaN for regression
   */
  public record Part(
      int point,
      FeatureVector example,
      double similarity,
      double weight,
      double score,
      double contribution,
      double share,
      double prediction) {}

  /**
   * Copies the parts.
   *
   * @param prediction what {@link Model#predict} returns
   * @param score the explained score
   * @param intercept b, 0 for classification
   * @param parts the summands of largest magnitude, largest first
   * @param rest the score without the intercept and the parts
   */
  public Explanation {
    parts = List.copyOf(parts);
  }

  /**
   * Explains the prediction for {@code x}.
   *
   * @param whole the model
   * @param x the instance
   * @param most how many parts are listed
   * @return the explanation
   * @throws IllegalArgumentException if x does not fit or is not finite, or most is negative
   */
  public static Explanation of(Model whole, FeatureVector x, int most) {
    if (most < 0) {
      throw new IllegalArgumentException("most must be >= 0, was " + most);
    }
    whole.checkShape(x);
    Model model = whole.local(x);
    CoreSet set = model.coreSet();
    CoreDistances distances = new CoreDistances();
    FeatureVector z = new Scaling.Scaler(model.scaling()).scale(whole.seenBy(model, x));
    distances.fill(set, z, model.config().kernel());
    double[] similarities = Arrays.copyOf(distances.kernel(), set.size());
    double[] scores = columns(model, distances);
    int column = Decision.argmax(scores, scores.length);
    double sign = sign(whole, model, scores[0]);
    int[] near =
        IntStream.range(0, set.size())
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -similarities[i]))
            .limit(MOST_COMBINED)
            .mapToInt(i -> i)
            .toArray();
    double[][] said = new double[near.length][];
    double[] weights = weights(model, near, similarities, said);
    List<Part> all = parts(model, near, similarities, weights, said, column, sign);
    List<Part> shown = all.subList(0, Math.min(most, all.size()));
    double listed = shown.stream().mapToDouble(Part::contribution).sum();
    return new Explanation(
        Decision.predict(model, scores, scores.length),
        sign * scores[column],
        model.intercept(),
        shown,
        sign * scores[column] - model.intercept() - listed);
  }

  /**
   * Explains the prediction for a dense vector.
   *
   * @param whole the model
   * @param x the instance
   * @param most how many parts are listed
   * @return the explanation
   */
  public static Explanation of(Model whole, double[] x, int most) {
    return of(whole, FeatureVector.dense(x), most);
  }

  /**
   * What turns the margin of a cell's model, which may have met the classes in another order, into
   * one of the whole: positive speaks for the second label. Of more than two classes, into the
   * winner's score, which is half the margin.
   */
  private static double sign(Model whole, Model model, double margin) {
    if (whole == model || model.task() == Task.REGRESSION || model.columns() > 1) {
      return 1;
    }
    if (whole.classes() > 2) {
      return margin > 0 && model.classes() > 1 ? 0.5 : -0.5;
    }
    return whole.label(0) == model.label(0) ? 1 : -1;
  }

  /**
   * K⁻¹k(x) over the points {@code near}.
   *
   * @param said becomes the scores at each of them
   */
  private static double[] weights(Model model, int[] near, double[] similarities, double[][] said) {
    int n = near.length;
    double[][] gram = new double[n][n];
    double[] kernel = new double[n];
    CoreDistances distances = new CoreDistances();
    for (int i = 0; i < n; i++) {
      FeatureVector point = model.corePoint(near[i]);
      distances.fill(model.coreSet(), point, model.config().kernel());
      kernel[i] = similarities[near[i]];
      for (int j = 0; j < n; j++) {
        gram[i][j] = distances.kernel()[near[j]];
      }
      said[i] = columns(model, distances);
      gram[i][i] += RIDGE;
    }
    return new Cholesky(gram).solve(kernel);
  }

  private static List<Part> parts(
      Model model,
      int[] near,
      double[] similarities,
      double[] weights,
      double[][] said,
      int column,
      double sign) {
    double[] contributions = new double[near.length];
    double magnitudes = 0;
    for (int i = 0; i < near.length; i++) {
      contributions[i] = sign * weights[i] * (said[i][column] - model.intercept());
      magnitudes += Math.abs(contributions[i]);
    }
    double whole = magnitudes == 0 ? 1 : magnitudes;
    boolean numbers = model.task() == Task.REGRESSION || model.classes() == 0;
    return IntStream.range(0, near.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -Math.abs(contributions[i])))
        .map(
            i ->
                new Part(
                    near[i],
                    model.scaling().invert(model.corePoint(near[i])),
                    similarities[near[i]],
                    weights[i],
                    sign * said[i][column],
                    contributions[i],
                    Math.abs(contributions[i]) / whole,
                    numbers ? Double.NaN : Decision.predict(model, said[i], said[i].length)))
        .toList();
  }

  /**
   * b + Σ_i w_i·k_i of every column for a scaled instance.
   *
   * @param distances with the kernel values of all points
   */
  private static double[] columns(Model model, CoreDistances distances) {
    double[] kernel = distances.kernel();
    double[] columns = new double[model.columns()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = c == 0 ? model.intercept() : 0;
      for (int i = 0; i < model.coreSet().size(); i++) {
        columns[c] += model.coefficient(c, i) * kernel[i];
      }
    }
    return columns;
  }
}
