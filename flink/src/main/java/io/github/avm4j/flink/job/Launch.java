// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Lineage;
import org.jspecify.annotations.Nullable;

/**
 * How a job is started.
 *
 * @param savepoint where it goes on from; null if it begins with nothing
 * @param lineage of the newest version that was published before; empty if none was found
 * @param version of the newest version that was published before; 0 if none was found
 */
record Launch(@Nullable String savepoint, String lineage, long version) {
  /** Begins with nothing, and nothing was published before. */
  static final Launch NEW = new Launch(null, Lineage.NONE, 0);

  /** Whether something was published under the name before. */
  boolean hasPublished() {
    return version > 0;
  }
}
