// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.expansion.StoredInstances;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last rows of the stream, for all that is taught on rows of before: relevance, divisions. Once
 * it is full a row takes the arrays of the oldest, so that nothing is allocated where rows are
 * dense.
 */
final class RecentRows {
  private final int most;
  private final List<FeatureVector> vectors = new ArrayList<>();
  private double[] targets = new double[64];
  private double[] weights = new double[64];
  private int oldest;

  RecentRows(int most) {
    this.most = most;
  }

  void add(FeatureVector x, double y, double weight) {
    int place = vectors.size();
    if (place < most) {
      vectors.add(x.copy());
      if (place == targets.length) {
        int room = Math.min(most, 2 * place);
        targets = Arrays.copyOf(targets, room);
        weights = Arrays.copyOf(weights, room);
      }
    } else {
      place = oldest;
      oldest = (oldest + 1) % most;
      FeatureVector old = vectors.get(place);
      if (!x.isSparse() && !old.isSparse() && x.count() == old.count()) {
        System.arraycopy(x.values(), 0, old.values(), 0, x.count());
      } else {
        vectors.set(place, x.copy());
      }
    }
    targets[place] = y;
    weights[place] = weight;
  }

  int size() {
    return vectors.size();
  }

  /** The last so many, or all, oldest first. */
  List<StoredInstances.Kept> last(int count) {
    int size = vectors.size();
    List<StoredInstances.Kept> rows = new ArrayList<>();
    for (int i = Math.max(0, size - count); i < size; i++) {
      int place = (oldest + i) % size;
      rows.add(new StoredInstances.Kept(vectors.get(place), targets[place], weights[place]));
    }
    return rows;
  }

  /** The features of rows. */
  static List<FeatureVector> vectors(List<StoredInstances.Kept> rows) {
    return rows.stream().map(StoredInstances.Kept::x).toList();
  }
}
