// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.jspecify.annotations.Nullable;

/**
 * Counts cells that are taken as missing because their column cannot use them: in all, and for each
 * column that has any. {@code avm train} reports the same counts at its end.
 */
final class UnusableCells {
  private final Schema schema;
  private final MetricGroup metrics;
  private final Counter all;
  private final @Nullable Counter[] ofColumn;

  UnusableCells(Schema schema, MetricGroup metrics) {
    this.schema = schema;
    this.metrics = metrics;
    all = metrics.counter("unusableCells");
    ofColumn = new Counter[schema.columns().size()];
  }

  /** Counts those of the row that {@code encoder} encoded last. */
  void count(RowEncoder encoder) {
    for (int k = 0; k < encoder.unusableCount(); k++) {
      all.inc();
      ofColumn(encoder.unusableColumn(k)).inc();
    }
  }

  private Counter ofColumn(int c) {
    Counter counter = ofColumn[c];
    if (counter == null) {
      String name = schema.columns().get(c).name();
      counter = metrics.addGroup("column", name).counter("unusableCells");
      ofColumn[c] = counter;
    }
    return counter;
  }
}
