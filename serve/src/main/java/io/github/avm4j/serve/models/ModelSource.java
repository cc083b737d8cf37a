// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import org.jspecify.annotations.Nullable;

/** A source of models, polled by one thread. */
public interface ModelSource extends AutoCloseable {
  /** Its name in logs and lists. */
  String name();

  /**
   * Loads what is new into the repository; returns soon and throws nothing for a source's fault.
   */
  void look();

  /** Why the source cannot be read at the moment; null if it can. */
  @Nullable String problem();

  @Override
  default void close() {}
}
