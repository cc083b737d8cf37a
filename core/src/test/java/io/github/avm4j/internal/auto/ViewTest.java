// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.testing.Streams;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ViewTest {
  private static final Setup SETUP = new Setup(AutoConfig.of(Task.REGRESSION));

  /** Features of spreads 1, 10 and 100, of which the first alone counts. */
  private static List<FeatureVector> rows(long seed, int features) {
    return Streams.gaussian(seed, 600, features).stream()
        .map(
            x -> {
              x[1] *= 10;
              x[2] *= 100;
              return FeatureVector.dense(x);
            })
        .toList();
  }

  private static Expert taught(View view, List<FeatureVector> rows) {
    SecondOrderConfig settings =
        SecondOrderConfig.builder(Task.REGRESSION).kernel(new Gaussian(1)).budget(60).build();
    Setup setup = new Setup(AutoConfig.of(Task.REGRESSION));
    setup.formed(rows.get(0));
    Expert expert = Expert.of(new Shape(false, 1), view, view.median(rows), 0, settings, setup);
    rows.forEach(x -> expert.learn(x, Math.sin(2 * x.values()[0]), 1, false));
    return expert;
  }

  private static double share(View view, int feature) {
    return view.scaling().scale(feature) / view.unweighed().scaling().scale(feature);
  }

  @Test
  void featuresThatDoNotCountAreShrunk() {
    List<FeatureVector> rows = rows(1, 3);
    View plain = View.of(rows, SETUP);
    View weighed = weighed(taught(plain, rows), rows);
    assertTrue(weighed.isWeighed());
    assertFalse(plain.isWeighed());
    assertEquals(1, share(weighed, 0));
    assertTrue(share(weighed, 1) < 0.6 && share(weighed, 2) < 0.6, share(weighed, 1) + "");
  }

  /** Weights by an expert of weighed features are those of the plain scaling, not their squares. */
  @Test
  void weighingAgainDoesNotMultiplyWeights() {
    List<FeatureVector> rows = rows(2, 3);
    View plain = View.of(rows, SETUP);
    View once = weighed(taught(plain, rows), rows);
    View twice = weighed(taught(once, rows), rows);
    assertEquals(share(once, 0), share(twice, 0));
    for (int j = 1; j < 3; j++) {
      assertTrue(share(twice, j) <= share(once, j) + 0.1, j + ": " + share(twice, j));
      assertTrue(share(twice, j) >= 0.1, j + ": " + share(twice, j));
    }
    assertEquals(plain.scaling(), twice.unweighed().scaling());
  }

  @Test
  void refittedToOtherRowsTheWeightsStay() {
    List<FeatureVector> rows = rows(3, 3);
    View plain = View.of(rows, SETUP);
    View weighed = weighed(taught(plain, rows), rows);
    List<FeatureVector> others =
        rows(4, 3).stream()
            .map(x -> FeatureVector.dense(x.values()[0] / 8, x.values()[1], x.values()[2]))
            .toList();
    View refitted = weighed.refitted(others, SETUP);
    for (int j = 0; j < 3; j++) {
      assertEquals(share(weighed, j), share(refitted, j), 1e-12);
    }
    assertEquals(8, refitted.scaling().scale(0) / weighed.scaling().scale(0), 1);
  }

  @Test
  void moreFeaturesThanGradientsCanTellAreNotWeighed() {
    List<FeatureVector> rows = rows(5, 65);
    View plain = View.of(rows, SETUP);
    assertNull(Weighing.of(taught(plain, rows), rows, 0, SETUP));
  }

  private static View weighed(Expert expert, List<FeatureVector> rows) {
    @Nullable Weighing weighing = Weighing.of(expert, rows, 0, SETUP);
    assertNotNull(weighing);
    boolean done = false;
    while (!done) {
      done = weighing.goOn(row -> rows.get((int) row));
    }
    return weighing.view();
  }
}
