// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.util.Locale;
import java.util.UUID;

/**
 * Identifiers of lineages: sequences of model versions. A lineage begins with a job that is started
 * without a savepoint, and continues through failures, rescaling and savepoints. Version numbers
 * are comparable within a lineage only.
 *
 * <p>A name is a UUID of version 7 (RFC 9562) in lower case: the time comes first, so that names in
 * the order of text are in the order of their beginnings.
 */
public final class Lineage {
  /** The line of versions that were published before there were lines. */
  public static final String NONE = "";

  private Lineage() {}

  /**
   * {@return a new name, of a line that begins {@code millis} after 1970}
   *
   * @param millis milliseconds since 1970
   */
  public static String begin(long millis) {
    UUID random = UUID.randomUUID();
    long first = millis << 16 | 7L << 12 | random.getMostSignificantBits() & 0xFFF;
    return new UUID(first, random.getLeastSignificantBits()).toString().toLowerCase(Locale.ROOT);
  }
}
