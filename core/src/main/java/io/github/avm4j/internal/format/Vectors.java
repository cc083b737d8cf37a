// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.InvalidModelException;

/** Vectors as bytes: whether sparse, how many values, the indices if sparse, the values. */
public final class Vectors {
  private Vectors() {}

  public static void write(ByteWriter out, FeatureVector x) {
    out.u8(x.isSparse() ? 1 : 0);
    out.i32(x.count());
    if (x.isSparse()) {
      out.i32s(x.indices(), x.count());
    }
    out.f64s(x.values(), x.count());
  }

  public static FeatureVector read(ByteReader in) throws InvalidModelException {
    boolean sparse = in.code("sparse", 2) == 1;
    int count = in.count("values", sparse ? 12 : 8);
    if (!sparse) {
      return FeatureVector.dense(in.f64s("feature", count));
    }
    int[] indices = in.i32s(count);
    try {
      return FeatureVector.sparse(indices, in.f64s("feature", count));
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException("a vector is not valid: " + e.getMessage(), e);
    }
  }
}
