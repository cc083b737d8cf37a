// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import org.jspecify.annotations.Nullable;

/** Where models come from. It is asked from one thread, again and again. */
public interface ModelSource extends AutoCloseable {
  /** As people know it. */
  String name();

  /** Hands what is new to the repository; returns soon and throws nothing for a source's fault. */
  void look();

  /** Why nothing new can come at the moment; null if all is well. */
  @Nullable String problem();

  @Override
  default void close() {}
}
