// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.avm4j.lab.baselines.ClustererProvider;
import io.github.avm4j.lab.baselines.ClustererProvider.Clusterer;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** MOA's clusterers behind the interface by which tables find them. */
class MoaClustererTest {
  @Test
  void areFoundAtRunTime() {
    List<String> titles = ClustererProvider.found().stream().map(ClustererProvider::title).toList();
    assertEquals(List.of("CluStream, k given", "DenStream"), titles);
  }

  @Test
  void twoSpotsAreTwoClusters() {
    for (ClustererProvider provider : ClustererProvider.found()) {
      Clusterer clusterer = provider.create(2, 2);
      assertEquals(-1, clusterer.clusters().applyAsInt(new double[2]), provider.title());
      Random random = new Random(3);
      for (int t = 0; t < 2500; t++) {
        double value = (t % 2 == 0 ? 0.2 : 0.8) + 0.01 * random.nextDouble();
        clusterer.learn(new double[] {value, value});
      }
      ToIntFunction<double[]> clusters = clusterer.clusters();
      int low = clusters.applyAsInt(new double[] {0.1, 0.2});
      assertEquals(low, clusters.applyAsInt(new double[] {0.25, 0.2}), provider.title());
      assertNotEquals(low, clusters.applyAsInt(new double[] {0.8, 0.7}), provider.title());
    }
  }
}
