// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many instances at once against one by one, bit for bit. */
class PairsTest {
  private final Random random = new Random(20261116);

  private FeatureVector instance(int dimension, boolean sparse) {
    double[] values = random.doubles(dimension, -3, 3).toArray();
    if (!sparse) {
      return FeatureVector.dense(values);
    }
    int[] indices =
        random.ints(0, dimension).distinct().limit(1 + dimension / 3).sorted().toArray();
    return FeatureVector.sparse(indices, Arrays.copyOf(values, indices.length));
  }

  private Model model(int size, int dimension, boolean sparse, int columns, Kernel kernel) {
    CoreSet set = sparse ? CoreSet.sparse(dimension) : CoreSet.dense(dimension);
    for (int i = 0; i < size; i++) {
      set.append(instance(dimension, sparse), true);
    }
    double[][] coefficients = new double[columns][];
    Arrays.setAll(coefficients, c -> random.doubles(size, -1, 1).toArray());
    double[] labels = new double[columns == 1 ? 2 : columns];
    Arrays.setAll(labels, c -> c);
    return new Model(
        Avm.paperClassifier().kernel(kernel).delta(0.5).lambda(0.01).config(),
        Provenance.here(3),
        labels,
        set,
        coefficients,
        Scaling.none(),
        0);
  }

  private void check(Model model, boolean sparse) {
    int n = random.nextInt(8);
    FeatureVector[] rows = new FeatureVector[n + 1];
    Arrays.setAll(rows, r -> instance(model.dimension(), sparse));
    double[][] expected = new double[n + 1][model.classes()];
    double[][] found = new double[n + 1][model.classes()];
    for (int r = 0; r < n; r++) {
      model.scores(rows[r], expected[r]);
    }
    model.scores(rows, n, found);
    assertArrayEquals(expected, found, model.toString());
  }

  @Test
  void allShapesOfModels() {
    for (int round = 0; round < 300; round++) {
      boolean sparse = round % 5 == 4;
      int dimension = 1 + random.nextInt(round % 7 == 0 ? 90 : 30);
      int size = random.nextInt(120);
      Kernel kernel = round % 3 == 0 ? new Laplacian(0.3) : new Gaussian(0.05);
      Model plain = model(size, dimension, sparse, round % 2 == 0 ? 1 : 3, kernel);
      check(plain, sparse);
      double[] shift = new double[sparse ? 0 : dimension];
      double[] scale = new double[shift.length];
      Arrays.fill(shift, 0.25);
      Arrays.fill(scale, 1.5);
      check(plain.with(new Scaling(shift, scale, new boolean[shift.length], sparse), 0), sparse);
    }
  }

  @Test
  void aRowThatDoesNotFitIsRefused() {
    Model model = model(40, 3, false, 1, new Gaussian(0.5));
    assertEquals(Task.CLASSIFICATION, model.task());
    FeatureVector good = FeatureVector.dense(1, 2, 3);
    double[][] out = new double[3][2];
    for (FeatureVector bad :
        new FeatureVector[] {
          FeatureVector.dense(1, 2),
          FeatureVector.dense(1, Double.NaN, 3),
          FeatureVector.dense(1, 1e300, 3)
        }) {
      for (int r = 0; r < 3; r++) {
        FeatureVector[] rows = {good, good, good};
        rows[r] = bad;
        assertThrows(IllegalArgumentException.class, () -> model.scores(rows, 3, out));
      }
    }
  }
}
