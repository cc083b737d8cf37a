// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.testing.Streams;
import java.util.Collections;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What clusters of a detector promise. */
class ClustersTest {
  /** Three clouds in features of unlike units, of 1/2, 3/10 and 1/5 of the instances. */
  private static FeatureVector cloud(Random random) {
    double share = random.nextDouble();
    int kind = share < 0.5 ? 0 : share < 0.8 ? 1 : 2;
    return FeatureVector.dense(
        1e6 * (kind % 2 == 0 ? 1 : 9) + 5e5 * random.nextGaussian(),
        (kind == 2 ? 8 : 0) + random.nextGaussian());
  }

  private static Detector trained(int rows) {
    Detector detector = Avm.detector().build();
    Streams.of(4, rows, ClustersTest::cloud).forEach(detector::detectThenLearn);
    return detector;
  }

  @Test
  void cloudsAreClustersTheLargestFirst() {
    Clusters clusters = trained(3000).clusters();
    assertEquals(3, clusters.count());
    assertEquals(0, clusters.of(FeatureVector.dense(1e6, 0)));
    assertEquals(1, clusters.of(FeatureVector.dense(9e6, 0)));
    assertEquals(2, clusters.of(FeatureVector.dense(1e6, 8)));
    assertEquals(0.5, clusters.share(0), 0.1);
    double sum = 0;
    for (int c = 0; c < 3; c++) {
      assertEquals(c, clusters.of(clusters.peak(c)));
      sum += clusters.share(c);
    }
    assertEquals(1, sum, 1e-12);
    assertThrows(IndexOutOfBoundsException.class, () -> clusters.share(3));
    assertThrows(IndexOutOfBoundsException.class, () -> clusters.peak(-1));
  }

  /** A thin ring may be in pieces, but no piece is of both, though one ring is inside the other. */
  @Test
  void ringsAroundEachOtherShareNoCluster() {
    Detector detector = Avm.detector().build();
    Random random = new Random(8);
    for (int t = 0; t < 3000; t++) {
      detector.detectThenLearn(ring(random, t % 2));
    }
    Clusters clusters = detector.clusters();
    Set<Integer> inner = new TreeSet<>();
    Set<Integer> outer = new TreeSet<>();
    for (int t = 0; t < 500; t++) {
      inner.add(clusters.of(ring(random, 0)));
      outer.add(clusters.of(ring(random, 1)));
    }
    assertTrue(Collections.disjoint(inner, outer), inner + " and " + outer);
    assertTrue(clusters.count() < 6, "clusters: " + clusters.count());
  }

  private static FeatureVector ring(Random random, int kind) {
    double angle = 2 * Math.PI * random.nextDouble();
    double radius = (kind == 0 ? 0.3 : 1) + 0.03 * random.nextGaussian();
    return FeatureVector.dense(radius * Math.cos(angle), radius * Math.sin(angle));
  }

  @Test
  void laterInstancesDoNotChangeThem() {
    Detector detector = trained(2000);
    Clusters before = detector.clusters();
    FeatureVector peak = before.peak(0);
    double share = before.share(0);
    for (int t = 0; t < 5000; t++) {
      detector.detectThenLearn(FeatureVector.dense(-5, t));
    }
    assertEquals(peak, before.peak(0));
    assertEquals(share, before.share(0));
    assertEquals(2, before.of(FeatureVector.dense(1e6, 8)));
    assertEquals(1, before.of(FeatureVector.dense(9e6, Double.NaN)));
  }

  @Test
  void aSavedDetectorHasTheSame() throws Exception {
    Detector detector = trained(2500);
    Clusters here = detector.clusters();
    Clusters there = Detector.fromBytes(detector.toBytes()).clusters();
    assertEquals(here.count(), there.count());
    for (FeatureVector x : Streams.of(6, 1000, ClustersTest::cloud)) {
      assertEquals(here.of(x), there.of(x));
    }
  }

  @Test
  void withoutInstancesThereAreNone() {
    Clusters none = Avm.detector().build().clusters();
    assertEquals(0, none.count());
    assertEquals(-1, none.of(FeatureVector.dense(1)));
    assertEquals(-1, Avm.detector().features(3).build().clusters().of(FeatureVector.dense(1)));
  }

  @Test
  void refusesWhatTheDetectorRefuses() {
    Clusters clusters = trained(50).clusters();
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> clusters.of(FeatureVector.dense(1, 2, 3)))
            .getMessage();
    assertTrue(message.contains("x has 3 features, this detector has 2"), message);
    assertThrows(
        IllegalArgumentException.class,
        () -> clusters.of(FeatureVector.dense(1, Double.POSITIVE_INFINITY)));
  }
}
