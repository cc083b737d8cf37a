// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.List;

/** w = Σ_i a_i·Φ(x_i), with inner products taken in feature space by definition. */
public final class KernelFunction {
  private final Kernel kernel;
  private final List<FeatureVector> points;
  private final double[] coefficients;

  /**
   * The function with the points x_i and the coefficients a_i.
   *
   * @param kernel the kernel
   * @param points the points
   * @param coefficients one per point
   */
  public KernelFunction(Kernel kernel, List<FeatureVector> points, double[] coefficients) {
    this.kernel = kernel;
    this.points = List.copyOf(points);
    this.coefficients = coefficients.clone();
  }

  /**
   * {@return the first column of a model as a function}
   *
   * @param model the model
   */
  public static KernelFunction of(Model model) {
    List<FeatureVector> points = new ArrayList<>();
    double[] coefficients = new double[model.size()];
    for (int i = 0; i < model.size(); i++) {
      points.add(model.corePoint(i));
      coefficients[i] = model.coefficient(0, i);
    }
    return new KernelFunction(model.config().kernel(), points, coefficients);
  }

  /**
   * {@return wᵀΦ(x)}
   *
   * @param x features of the instance
   */
  public double value(FeatureVector x) {
    double sum = 0;
    for (int i = 0; i < coefficients.length; i++) {
      sum += coefficients[i] * PaperKernel.value(kernel, points.get(i), x);
    }
    return sum;
  }

  /**
   * {@return ⟨w, v⟩}
   *
   * @param other the other
   */
  public double dot(KernelFunction other) {
    double sum = 0;
    for (int i = 0; i < coefficients.length; i++) {
      sum += coefficients[i] * other.value(points.get(i));
    }
    return sum;
  }

  /** {@return ‖w‖²} */
  public double squaredNorm() {
    return dot(this);
  }

  /**
   * {@return ‖w − v‖²}
   *
   * @param other the other
   */
  public double squaredDistance(KernelFunction other) {
    return squaredNorm() - 2 * dot(other) + other.squaredNorm();
  }
}
