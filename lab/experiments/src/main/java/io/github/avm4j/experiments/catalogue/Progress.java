// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

/** Hears how a download or a check gets on. */
@FunctionalInterface
public interface Progress {
  /** Hears nothing. */
  Progress NONE = (file, done, total) -> {};

  /**
   * Called now and then.
   *
   * @param file what is fetched or checked
   * @param done bytes so far
   * @param total bytes in all, or -1 if that is not known
   */
  void update(String file, long done, long total);
}
