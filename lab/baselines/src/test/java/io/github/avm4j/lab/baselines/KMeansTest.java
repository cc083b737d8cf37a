// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KMeansTest {
  private static FeatureVector point(boolean sparse, double... values) {
    int[] indices = new int[values.length];
    for (int j = 0; j < indices.length; j++) {
      indices[j] = j;
    }
    return sparse ? FeatureVector.sparse(indices, values) : FeatureVector.dense(values);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void centresOfClustersThatLieApartAreTheirMeans(boolean sparse) {
    Random random = new Random(3);
    List<FeatureVector> points = new ArrayList<>();
    double[][] sums = new double[3][2];
    for (int i = 0; i < 300; i++) {
      double x = 10 * (i % 3) + random.nextGaussian();
      double y = -5 * (i % 3) + random.nextGaussian();
      points.add(point(sparse, x, y));
      sums[i % 3][0] += x / 100;
      sums[i % 3][1] += y / 100;
    }
    KMeans means = new KMeans(points, 3).run(20);
    for (int c = 0; c < 3; c++) {
      assertEquals(sums[c][0], means.centres().coordinate(c, 0), 1e-9);
      assertEquals(sums[c][1], means.centres().coordinate(c, 1), 1e-9);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noRoundCostsMore(long seed) {
    Random random = new Random(seed);
    List<FeatureVector> points = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      points.add(point(seed % 2 == 0, random.nextDouble(), random.nextDouble(), i % 7));
    }
    KMeans means = new KMeans(points, 20);
    double first = means.round();
    double before = first;
    for (int round = 0; round < 15; round++) {
      double cost = means.round();
      assertTrue(cost <= before * (1 + 1e-12), round + ": " + cost + " after " + before);
      before = cost;
    }
    assertTrue(before < 0.8 * first, before + " of " + first);
    assertEquals(20, means.centres().size());
  }
}
