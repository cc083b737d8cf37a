// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Rounding may lift (1+a)·exp(−a) above 1; a diameter is a number all the same. */
class TinyImageDiameterTest {

  @Test
  void isNeverNaN() {
    for (Kernel kernel : new Kernel[] {new Matern32(1.1), new Matern52(0.8)}) {
      for (double delta = 1e-10; delta < 1e-2; delta *= 1.001) {
        double image = kernel.imageDiameter(delta);
        assertTrue(image >= 0 && image < 1, kernel::toString);
      }
    }
  }
}
