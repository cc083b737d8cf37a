// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/**
 * Sums over the lanes of a vector, always pairwise. {@code reduceLanes} may add in any order, and
 * from JDK 21 on the compiler's order is not the interpreter's, so that one run would not repeat
 * another bit for bit.
 */
final class PanamaSum {
  private static final int DOUBLES = DoubleVector.SPECIES_PREFERRED.length();
  private static final int FLOATS = FloatVector.SPECIES_PREFERRED.length();

  private PanamaSum() {}

  static double of(DoubleVector v) {
    double sum = v.lane(0) + v.lane(1);
    if (DOUBLES > 2) {
      sum += v.lane(2) + v.lane(3);
    }
    if (DOUBLES > 4) {
      sum += v.lane(4) + v.lane(5) + (v.lane(6) + v.lane(7));
    }
    return sum;
  }

  static float of(FloatVector v) {
    float sum = v.lane(0) + v.lane(1) + (v.lane(2) + v.lane(3));
    if (FLOATS > 4) {
      sum += v.lane(4) + v.lane(5) + (v.lane(6) + v.lane(7));
    }
    if (FLOATS > 8) {
      sum +=
          v.lane(8)
              + v.lane(9)
              + (v.lane(10) + v.lane(11))
              + (v.lane(12) + v.lane(13) + (v.lane(14) + v.lane(15)));
    }
    return sum;
  }
}
