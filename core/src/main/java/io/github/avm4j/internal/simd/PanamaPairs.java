// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Squared distances of two instances to the 32 core points of a tile, each point read once. Vectors
 * of 512 bits: eight sums, four points and two features are in registers at a time.
 */
final class PanamaPairs {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final int WIDTH = 32;

  private PanamaPairs() {}

  static void squared4(
      double[] tile, double[] x, double[] y, int dims, double[] outX, double[] outY, int o) {
    DoubleVector x0 = DoubleVector.zero(SPECIES);
    DoubleVector x1 = x0;
    DoubleVector x2 = x0;
    DoubleVector x3 = x0;
    DoubleVector y0 = x0;
    DoubleVector y1 = x0;
    DoubleVector y2 = x0;
    DoubleVector y3 = x0;
    for (int j = 0; j < dims; j++) {
      DoubleVector v = DoubleVector.broadcast(SPECIES, x[j]);
      DoubleVector w = DoubleVector.broadcast(SPECIES, y[j]);
      int at = j * WIDTH;
      DoubleVector c0 = DoubleVector.fromArray(SPECIES, tile, at);
      DoubleVector c1 = DoubleVector.fromArray(SPECIES, tile, at + LANES);
      DoubleVector c2 = DoubleVector.fromArray(SPECIES, tile, at + 2 * LANES);
      DoubleVector c3 = DoubleVector.fromArray(SPECIES, tile, at + 3 * LANES);
      DoubleVector d0 = v.sub(c0);
      DoubleVector d1 = v.sub(c1);
      DoubleVector d2 = v.sub(c2);
      DoubleVector d3 = v.sub(c3);
      x0 = d0.fma(d0, x0);
      x1 = d1.fma(d1, x1);
      x2 = d2.fma(d2, x2);
      x3 = d3.fma(d3, x3);
      DoubleVector e0 = w.sub(c0);
      DoubleVector e1 = w.sub(c1);
      DoubleVector e2 = w.sub(c2);
      DoubleVector e3 = w.sub(c3);
      y0 = e0.fma(e0, y0);
      y1 = e1.fma(e1, y1);
      y2 = e2.fma(e2, y2);
      y3 = e3.fma(e3, y3);
    }
    x0.intoArray(outX, o);
    x1.intoArray(outX, o + LANES);
    x2.intoArray(outX, o + 2 * LANES);
    x3.intoArray(outX, o + 3 * LANES);
    y0.intoArray(outY, o);
    y1.intoArray(outY, o + LANES);
    y2.intoArray(outY, o + 2 * LANES);
    y3.intoArray(outY, o + 3 * LANES);
  }
}
