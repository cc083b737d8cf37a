// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.nio.charset.StandardCharsets;

/**
 * A record that could not be learned from, and why.
 *
 * @param record as it came
 * @param reason for people; names what was found and what to do
 */
public record BadRecord(RawRecord record, String reason) {
  /** An example that was parsed but could not be used; its features stand for the text. */
  public static BadRecord of(Example example, String reason) {
    return new BadRecord(
        new RawRecord(
            "example " + example.id(),
            0,
            example.key().getBytes(StandardCharsets.UTF_8),
            example.x().toString().getBytes(StandardCharsets.UTF_8),
            example.time()),
        reason);
  }
}
