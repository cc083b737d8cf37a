// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.LearnerConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LabelsTest {
  @Test
  void keepsTheOrderOfAppearance() {
    Labels labels = new Labels(5, -1);
    assertEquals(2, labels.size());
    assertEquals(0, labels.indexOf(5));
    assertEquals(1, labels.indexOf(-1));
    assertEquals(Labels.UNKNOWN, labels.indexOf(3));
    assertEquals(2, labels.add(3));
    assertEquals(2, labels.indexOf(3));
    assertArrayEquals(new double[] {5, -1, 3}, labels.toArray());
    assertEquals(-1, labels.label(1));
  }

  @Test
  void bothZerosAreOneLabel() {
    Labels labels = new Labels();
    labels.add(-0.0);
    assertEquals(0, labels.indexOf(0.0));
    assertEquals(0, labels.indexOf(-0.0));
    assertEquals(0.0, labels.label(0));
  }

  @Test
  void aHundredThousandLabels() {
    Random random = new Random(17);
    Labels labels = new Labels();
    Map<Double, Integer> expected = new HashMap<>();
    while (expected.size() < LearnerConfig.MAX_CLASSES) {
      // Neighbouring integers, fractions and huge numbers, to collide in every bit.
      double label =
          switch (random.nextInt(3)) {
            case 0 -> random.nextInt(200_000);
            case 1 -> random.nextInt(200_000) / 1024.0 + 0.3;
            default -> Double.longBitsToDouble(random.nextLong() & 0x7FEF_FFFF_FFFF_FFFFL);
          };
      if (expected.putIfAbsent(label, expected.size()) == null) {
        assertEquals(Labels.UNKNOWN, labels.indexOf(label));
        assertEquals(expected.size() - 1, labels.add(label));
      }
    }
    expected.forEach((label, index) -> assertEquals(index, labels.indexOf(label)));
    Labels copy = new Labels(labels.toArray());
    expected.forEach((label, index) -> assertEquals(index, copy.indexOf(label)));
    String message =
        assertThrows(IllegalArgumentException.class, () -> labels.add(-5)).getMessage();
    assertTrue(message.startsWith("label -5.0 would be class number 100001"), message);
    assertTrue(message.contains("at most 100000"), message);
  }

  @Test
  void everyFirstCapacityHolds() {
    for (int n = 0; n < 70; n++) {
      double[] known = new double[n];
      java.util.Arrays.setAll(known, i -> 3 * i + 1);
      Labels labels = new Labels(known);
      for (int i = n; i < n + 70; i++) {
        assertEquals(Labels.UNKNOWN, labels.indexOf(3 * i + 1));
        labels.add(3 * i + 1);
      }
      for (int i = 0; i < n + 70; i++) {
        assertEquals(i, labels.indexOf(3 * i + 1));
      }
    }
  }

  @Test
  void indicesAreChecked() {
    Labels labels = new Labels(1);
    String message =
        assertThrows(IndexOutOfBoundsException.class, () -> labels.label(1)).getMessage();
    assertEquals("class 1 of 1", message);
    assertThrows(IndexOutOfBoundsException.class, () -> labels.label(-1));
  }
}
