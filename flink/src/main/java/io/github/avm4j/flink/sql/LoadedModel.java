// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.pipeline.RowModel;

/** A model in use; each one that is loaded is another. */
final class LoadedModel {
  private final RowModel rows;
  private final String from;

  /**
   * A model.
   *
   * @param from the file, or the version in a topic, that it came from
   */
  LoadedModel(RowModel rows, String from) {
    this.rows = rows;
    this.from = from;
  }

  RowModel rows() {
    return rows;
  }

  String from() {
    return from;
  }
}
