// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SplitTreeTest {
  private static SplitTree tree(int[] features, double[] thresholds, int[] below, int[] above) {
    return new SplitTree(3, false, features, thresholds, below, above);
  }

  @Test
  void aValueAtTheThresholdIsBelow() {
    SplitTree tree =
        tree(new int[] {0, 2}, new double[] {1, -5}, new int[] {~0, ~1}, new int[] {1, ~2});
    assertEquals(3, tree.size());
    assertEquals(2, tree.nodes());
    assertEquals(0, tree.indexOf(FeatureVector.dense(1, 0, -9)));
    assertEquals(1, tree.indexOf(FeatureVector.dense(Math.nextUp(1.0), 0, -5)));
    assertEquals(2, tree.indexOf(FeatureVector.dense(2, 0, -4.9)));
  }

  @Test
  void whatASparseInstanceDoesNotHaveIsZero() {
    SplitTree tree =
        new SplitTree(
            9,
            true,
            new int[] {8, 4},
            new double[] {-1, 0.5},
            new int[] {~2, ~0},
            new int[] {1, ~1});
    assertEquals(0, tree.indexOf(FeatureVector.sparse(new int[] {1}, new double[] {7})));
    assertEquals(1, tree.indexOf(FeatureVector.sparse(new int[] {4}, new double[] {7})));
    assertEquals(2, tree.indexOf(FeatureVector.sparse(new int[] {4, 8}, new double[] {7, -2})));
  }

  @Test
  void everyLeafOfARandomTreeIsReachedAsItsWaySays() {
    Random random = new Random(4);
    for (int round = 0; round < 50; round++) {
      int nodes = 1 + random.nextInt(20);
      int[] below = new int[nodes];
      int[] above = new int[nodes];
      int[] features = random.ints(nodes, 0, 3).toArray();
      double[] thresholds = random.doubles(nodes, 0, 1).toArray();
      hang(random, below, above);
      SplitTree tree = tree(features, thresholds, below, above);
      for (int t = 0; t < 50; t++) {
        double[] x = random.doubles(3).toArray();
        int child = 0;
        while (child >= 0) {
          child = x[features[child]] > thresholds[child] ? above[child] : below[child];
        }
        assertEquals(-child - 1, tree.indexOf(FeatureVector.dense(x)));
      }
    }
  }

  /** Each later node takes the place of a leaf that is there. */
  private static void hang(Random random, int[] below, int[] above) {
    below[0] = ~0;
    above[0] = ~1;
    for (int node = 1; node < below.length; node++) {
      int at = random.nextInt(node);
      while (below[at] >= 0 && above[at] >= 0) {
        at = (at + 1) % node;
      }
      int[] side = below[at] < 0 ? below : above;
      below[node] = side[at];
      above[node] = ~(node + 1);
      side[at] = node;
    }
  }

  @Test
  void whatIsNoTreeIsRefused() {
    int[] one = {0};
    double[] half = {0.5};
    tree(one, half, new int[] {~0}, new int[] {~1});
    refused(new int[0], new double[0], new int[0], new int[0]);
    refused(one, half, new int[] {~0}, new int[] {~0});
    refused(one, half, new int[] {~0}, new int[] {~2});
    refused(one, half, new int[] {0}, new int[] {~1});
    refused(one, half, new int[] {~0}, new int[] {1});
    refused(one, half, new int[] {Integer.MIN_VALUE}, new int[] {~1});
    refused(new int[] {3}, half, new int[] {~0}, new int[] {~1});
    refused(new int[] {-1}, half, new int[] {~0}, new int[] {~1});
    refused(one, new double[] {Double.NaN}, new int[] {~0}, new int[] {~1});
    refused(one, new double[2], new int[] {~0}, new int[] {~1});
    int[] two = {0, 1};
    refused(two, new double[2], new int[] {1, ~0}, new int[] {1, ~1});
    refused(two, new double[2], new int[] {~0, ~1}, new int[] {~2, ~0});
  }

  private static void refused(int[] features, double[] thresholds, int[] below, int[] above) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> tree(features, thresholds, below, above));
    assertTrue(refused.getMessage().contains("a tree must have"), refused.getMessage());
  }
}
