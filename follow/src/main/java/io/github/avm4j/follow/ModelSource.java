// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import java.io.IOException;

/**
 * Where versions of models come from; looked at by one thread at a time, usually a {@link
 * Follower}'s.
 */
public interface ModelSource extends AutoCloseable {
  /** {@return its name in logs and lists} */
  String name();

  /**
   * Hands what is new to its {@link ModelStore}. What is wrong with one version is said there and
   * stops no other.
   *
   * @throws IOException if the source cannot be read at the moment
   * @throws InterruptedException if the thread was interrupted
   */
  void poll() throws IOException, InterruptedException;

  @Override
  default void close() {}
}
