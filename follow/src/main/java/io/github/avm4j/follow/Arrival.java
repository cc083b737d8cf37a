// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowDetector;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A version of a model or detector as its source has it.
 *
 * @param name its name
 * @param lineage the line of versions it belongs to: a job's, from its beginning on; empty if the
 *     source does not say
 * @param version its number within the lineage
 * @param source file, or record of a topic
 * @param made when it was made; null if the source does not say
 */
public record Arrival(
    String name, String lineage, long version, String source, @Nullable Instant made) {
  /** Most bytes of a file or record that is read; a sixth of the heap binds before. */
  public static final long MOST_BYTES = 256 << 20;

  /** A file needs about six times its size of heap while it is read and checked. */
  private static final int HEAP_SHARE = 6;

  /** Archives and image builders that keep no times write 1970 or 1980. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  /**
   * {@return when it was made, as far as its source knows}
   *
   * @param loaded what to say where the source does not know
   */
  public Instant made(Instant loaded) {
    return made == null || made.isBefore(EARLIEST) ? loaded : made;
  }

  /** Whether bytes list the parts of a model: a detector's file begins in the same way. */
  static boolean isManifest(byte[] file) {
    return CellManifest.isManifest(file) && !RowDetector.isDetector(file);
  }

  /** Why a file of so many bytes is refused unread; null if it is not. */
  static @Nullable String tooLarge(long bytes) {
    long most = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    return bytes <= most
        ? null
        : "%d bytes; at most %d are taken (256 MiB, and a sixth of the heap: -Xmx)"
            .formatted(bytes, most);
  }
}
