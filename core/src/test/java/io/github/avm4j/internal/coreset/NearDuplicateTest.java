// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Laplacian;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** exp(−γr) has a slope at r = 0, so the rounding of a tiny distance would show in its value. */
class NearDuplicateTest {

  @Test
  void tiles() {
    check(CoreSet.sparse(40), 40);
  }

  @Test
  void postings() {
    check(CoreSet.postings(3000), 3000);
  }

  private static void check(CoreSet set, int dimension) {
    Random random = new Random(5);
    FeatureVector[] points = new FeatureVector[50];
    for (int i = 0; i < points.length; i++) {
      int[] indices = random.ints(0, dimension).distinct().limit(9).sorted().toArray();
      points[i] = FeatureVector.sparse(indices, random.doubles(9, 1, 4).toArray());
      set.append(points[i], true);
    }
    Laplacian kernel = new Laplacian(1);
    CoreDistances distances = new CoreDistances();
    for (double shift : new double[] {0, 1e-9, 1e-6, 1e-3, 0.1}) {
      for (int i = 0; i < points.length; i++) {
        FeatureVector x = points[i].copy();
        double before = x.values()[4];
        x.values()[4] += shift;
        double distance = x.values()[4] - before;
        distances.fill(set, x, kernel);
        assertEquals(Math.exp(-distance), distances.kernel()[i], 1e-12, "shift " + shift);
      }
    }
  }
}
