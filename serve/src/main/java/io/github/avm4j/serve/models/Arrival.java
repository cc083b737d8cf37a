// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A version of a model or detector as its source has it.
 *
 * @param name its name
 * @param lineage the line of versions it belongs to: a job's, from its beginning on; empty if the
 *     source does not say
 * @param version its number within the lineage
 * @param source file or topic
 * @param made when it was made; null if the source does not say
 */
public record Arrival(
    String name, String lineage, long version, String source, @Nullable Instant made) {
  /** Archives and image builders that keep no times write 1970 or 1980. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  /** When it was made, as far as its source knows; else {@code loaded}. */
  Instant made(Instant loaded) {
    return made == null || made.isBefore(EARLIEST) ? loaded : made;
  }
}
