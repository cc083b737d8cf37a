// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.approximation.SplitMix64;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** The instances of the estimation period, kept for replaying, and what is found on them. */
final class KeptInstances {
  private static final int PAIRS = 2000;
  private static final int FIRST_RUNG = 2;
  private static final int RUNG_FACTOR = 5;

  /** Objects and headers of one instance. */
  private static final int EACH = 128;

  private final List<Kept> list = new ArrayList<>();
  private long bytes;

  /** An instance kept for replaying; x is a copy. */
  record Kept(FeatureVector x, double y, double weight) {}

  /** Bytes that keeping x takes, headers included. */
  static long bytesOf(FeatureVector x) {
    return EACH + (x.isSparse() ? 12L : 8L) * x.count();
  }

  /** Takes ownership of the vector. */
  void add(FeatureVector x, double y, double weight) {
    list.add(new Kept(x, y, weight));
    bytes += bytesOf(x);
  }

  void clear() {
    list.clear();
    bytes = 0;
  }

  /** Gives the instances of classes other labels. */
  void relabel(DoubleUnaryOperator renamed) {
    list.replaceAll(kept -> new Kept(kept.x, renamed.applyAsDouble(kept.y), kept.weight));
  }

  List<Kept> list() {
    return list;
  }

  int size() {
    return list.size();
  }

  /** Bytes of all of them, headers included. */
  long bytes() {
    return bytes;
  }

  /** Whether parameters are to be found anew: at 2, 10, 50, 250 … instances. */
  boolean atRung() {
    int rung = FIRST_RUNG;
    while (rung < list.size()) {
      rung *= RUNG_FACTOR;
    }
    return rung == list.size();
  }

  List<FeatureVector> vectors() {
    return list.stream().map(Kept::x).toList();
  }

  /** Whether some are dense and some sparse. */
  boolean areMixed() {
    return list.stream().anyMatch(kept -> kept.x.isSparse() != list.get(0).x.isSparse());
  }

  /** The largest magnitude of a feature. */
  double largest() {
    double largest = 0;
    for (Kept instance : list) {
      for (int k = 0; k < instance.x.count(); k++) {
        largest = Math.max(largest, Math.abs(instance.x.values()[k]));
      }
    }
    return largest;
  }

  double meanTarget() {
    double sum = 0;
    double weights = 0;
    for (Kept instance : list) {
      sum += instance.weight * instance.y;
      weights += instance.weight;
    }
    return sum / weights;
  }

  /** 1/(mean ‖x−x′‖²) of scaled vectors over random pairs, the same pairs for the same count. */
  double guessGamma(Scaling scaling) {
    SplitMix64 random = new SplitMix64(list.size());
    Scaling.Scaler one = new Scaling.Scaler(scaling);
    Scaling.Scaler other = new Scaling.Scaler(scaling);
    double sum = 0;
    for (int p = 0; p < PAIRS; p++) {
      FeatureVector a = one.scale(list.get((int) (random.nextDouble() * list.size())).x);
      FeatureVector b = other.scale(list.get((int) (random.nextDouble() * list.size())).x);
      sum += squaredDistance(a, b);
    }
    return sum > 0 ? PAIRS / sum : 1;
  }

  private static double squaredDistance(FeatureVector a, FeatureVector b) {
    double dot = 0;
    for (int k = 0; k < a.count(); k++) {
      dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
    }
    return Math.max(0, a.squaredNorm() + b.squaredNorm() - 2 * dot);
  }
}
