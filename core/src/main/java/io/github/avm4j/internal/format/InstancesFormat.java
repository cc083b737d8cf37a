// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Shape;
import java.util.List;

/**
 * Instances that a learner stores: their number, then target, weight and vector of each. A vector:
 * whether sparse, how many values, the indices if sparse, the values.
 */
public final class InstancesFormat {
  /** Bytes of the smallest one. */
  private static final int SMALLEST = 21;

  private InstancesFormat() {}

  /** Instances and their number. */
  public static void write(ByteWriter out, List<StoredInstances.Kept> instances) {
    out.i32(instances.size());
    for (StoredInstances.Kept instance : instances) {
      out.f64(instance.y());
      out.f64(instance.weight());
      writeVector(out, instance.x());
    }
  }

  static void writeVector(ByteWriter out, FeatureVector x) {
    out.u8(x.isSparse() ? 1 : 0);
    out.i32(x.count());
    if (x.isSparse()) {
      out.i32s(x.indices(), x.count());
    }
    out.f64s(x.values(), x.count());
  }

  static FeatureVector readVector(ByteReader in) throws InvalidModelException {
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

  /**
   * Adds what {@link #write} wrote, each instance as a learner would have taken it.
   *
   * @param features that every vector must have, 0 if that is not known
   */
  public static void read(ByteReader in, Task task, int features, StoredInstances into)
      throws InvalidModelException {
    int count = in.count("stored instances", SMALLEST);
    int expected = features;
    for (int i = 0; i < count; i++) {
      double y = in.f64("y");
      double weight = in.f64("weight");
      FeatureVector x = readVector(in);
      Shape.check(x, expected);
      boolean valid = weight > 0 && weight <= ExpansionEngine.LARGEST_WEIGHT;
      valid &= task == Task.CLASSIFICATION || Math.abs(y) <= CoreDistances.LARGEST;
      for (int k = 0; k < x.count(); k++) {
        valid &= Math.abs(x.values()[k]) <= CoreDistances.LARGEST;
      }
      if (!valid) {
        throw new InvalidModelException("stored instance " + i + " cannot have been learned from");
      }
      if (i == 0 && expected == 0 && !x.isSparse()) {
        expected = x.count();
      }
      into.add(x, y, weight);
    }
  }
}
