// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;

/** Where versions of one model come from; asked by one thread at a time. */
interface ModelSource extends AutoCloseable {
  /** Takes what is new. */
  interface Taker {
    /**
     * Uses a model if it can be read and fits.
     *
     * @param from the file, or the version in a topic
     * @return whether it is used now
     */
    boolean take(String from, Reading reading);
  }

  /** Reads a model. */
  interface Reading {
    /** The model. */
    RowModel read() throws IOException;
  }

  /**
   * Gives all that is new since the last look, oldest first.
   *
   * @throws IOException if the source cannot be reached
   */
  void look(Taker taker) throws IOException;

  @Override
  default void close() {}
}
