// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What ‖x‖² − 2xᵀc + ‖c‖² loses near core points that are far from their mean: the figures of
 * lab/results/interop.md, and the reason for {@link Distances#AUTOMATIC}.
 */
class CancellationTest {

  /** Core points at two ends, {@code apart} kernel widths from each other, asked about nearby. */
  private static double largest(Kernel kernel, double apart, Precision precision, Distances form)
      throws Exception {
    Learner learner = Avm.paperRegressor().kernel(kernel).delta(0.1).lambda(0.1).build();
    Random random = new Random(5);
    float[][] asked = new float[200][2];
    for (int i = 0; i < 200; i++) {
      double end = i % 2 == 0 ? apart / 2 : -apart / 2;
      asked[i][0] = (float) (end + 0.01 * random.nextGaussian());
      asked[i][1] = (float) (end + 0.01 * random.nextGaussian());
      learner.learn(new double[] {asked[i][0], asked[i][1]}, i % 2 == 0 ? 1 : -1);
    }
    Model model = learner.snapshot();
    byte[] file = OnnxWriter.write(model, new OnnxOptions(precision, form, 0));
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    double largest = 0;
    double scale = 0;
    try (OrtSession session = environment.createSession(file);
        OnnxTensor tensor = OnnxTensor.createTensor(environment, input(asked, precision));
        OrtSession.Result result = session.run(Map.of("features", tensor))) {
      Object said = result.get("prediction").orElseThrow().getValue();
      for (int i = 0; i < asked.length; i++) {
        double own = model.score(FeatureVector.dense(asked[i][0], asked[i][1]));
        double theirs = said instanceof float[] f ? f[i] : ((double[]) said)[i];
        largest = Math.max(largest, Math.abs(own - theirs));
        scale = Math.max(scale, Math.abs(own));
      }
    }
    return largest / scale;
  }

  private static Object input(float[][] rows, Precision precision) {
    if (precision == Precision.FLOAT) {
      return rows;
    }
    double[][] wide = new double[rows.length][2];
    for (int i = 0; i < rows.length; i++) {
      wide[i] = new double[] {rows[i][0], rows[i][1]};
    }
    return wide;
  }

  @Test
  void productsLoseDigitsAndTheAutomaticFormDoesNot() throws Exception {
    for (Kernel kernel : new Kernel[] {new Gaussian(1), new Laplacian(1)}) {
      for (double apart : new double[] {1, 10, 100, 1000}) {
        for (Precision precision : Precision.values()) {
          double products = largest(kernel, apart, precision, Distances.PRODUCTS);
          double differences = largest(kernel, apart, precision, Distances.DIFFERENCES);
          double automatic = largest(kernel, apart, precision, Distances.AUTOMATIC);
          System.out.printf(
              "%s, %4.0f apart, %s: products %.0e, differences %.0e, automatic %.0e%n",
              kernel, apart, precision, products, differences, automatic);
          double unit = precision == Precision.FLOAT ? 6e-8 : 1.1e-16;
          // Moving by the mean rounds x - mean to a unit of the distance between the ends.
          assertTrue(
              automatic <= unit * (100 + 4 * apart), kernel + ", " + precision + ": " + automatic);
        }
      }
    }
    double lost = largest(new Gaussian(1), 1000, Precision.FLOAT, Distances.PRODUCTS);
    assertTrue(lost > 1e-2, "products in float lose the answer: " + lost);
  }
}
