// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.feature.FeatureVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class DecisionTest {
  @Test
  void argmaxTakesTheEarliest() {
    assertEquals(1, Decision.argmax(new double[] {1, 3, 3, 2}, 4));
    assertEquals(0, Decision.argmax(new double[] {1, 3, 3, 2}, 1));
    assertEquals(0, Decision.argmax(new double[] {-0.0, 0.0}, 2));
    assertEquals(2, Decision.argmax(new double[] {-5, -4, -1}, 3));
  }

  @Test
  void softmaxIsSafeAtExtremes() {
    double[] scores = {1e308, -1e308, 1e308};
    Decision.softmax(scores, 3);
    assertArrayEquals(new double[] {0.5, 0, 0.5}, scores);
    double[] low = {-1e308, -1e308, -1e308, -1e308};
    Decision.softmax(low, 4);
    assertArrayEquals(new double[] {0.25, 0.25, 0.25, 0.25}, low);
    double[] one = {-7};
    Decision.softmax(one, 1);
    assertEquals(1, one[0]);
    double[] part = {0, Math.log(3), 99};
    Decision.softmax(part, 2);
    assertArrayEquals(new double[] {0.25, 0.75, 99}, part, 1e-15);
    double[] none = {4};
    Decision.softmax(none, 0);
    assertEquals(4, none[0]);
  }

  private static void refuses(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void shapesAreCheckedAtTheDoor() {
    FeatureVector two = FeatureVector.dense(1, 2);
    FeatureVector far = FeatureVector.sparse(new int[] {4}, new double[] {1});
    refuses("x has no features", () -> Shape.check(FeatureVector.dense(), 0));
    refuses("x has 2 features, this model has 3", () -> Shape.check(two, 3));
    refuses("x has 2 features, this model has 1", () -> Shape.check(two, 1));
    refuses("x has feature 4, this model has features 0..3", () -> Shape.check(far, 4));
    Shape.check(two, 0);
    Shape.check(two, 2);
    Shape.check(far, 5);
    Shape.check(far, 0);
    Shape.check(FeatureVector.sparse(new int[0], new double[0]), 3);
  }
}
