// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Rows of which some are anomalies, in the order in which they arrive.
 *
 * @param name what the table calls it
 * @param rows the rows
 */
record AnomalyStream(String name, List<Labelled> rows) {
  /** A row, and whether it is an anomaly; detectors are not told. */
  static final class Labelled {
    final double[] x;
    final boolean anomalous;

    Labelled(double[] x, boolean anomalous) {
      this.x = x;
      this.anomalous = anomalous;
    }
  }

  int features() {
    return rows.get(0).x.length;
  }

  long anomalies() {
    return rows.stream().filter(row -> row.anomalous).count();
  }

  AnomalyStream shuffled(long seed) {
    List<Labelled> copy = new ArrayList<>(rows);
    Collections.shuffle(copy, new Random(seed));
    return new AnomalyStream(name, copy);
  }

  AnomalyStream limited(int most) {
    return rows.size() <= most ? this : new AnomalyStream(name, List.copyOf(rows.subList(0, most)));
  }
}
