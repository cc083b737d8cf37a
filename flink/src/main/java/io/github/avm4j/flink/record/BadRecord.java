// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.nio.charset.StandardCharsets;

/**
 * A record that could not be learned from, and why.
 *
 * @param record as it came, byte for byte
 * @param reason for people; names what was found and what to do
 * @param label the label's number or the target if it was known by then; else NaN
 */
public record BadRecord(RawRecord record, String reason, double label) {
  /** Most characters of a reason: it may quote what is wrong, which may be as long as a record. */
  public static final int LONGEST_REASON = 2000;

  /**
   * Cuts a reason that is too long.
   *
   * @param record as it came, byte for byte
   * @param reason for people; names what was found and what to do
   * @param label the label's number or the target if it was known by then; else NaN
   */
  public BadRecord {
    if (reason.length() > LONGEST_REASON) {
      int half = LONGEST_REASON / 2;
      reason = reason.substring(0, half) + " … " + reason.substring(reason.length() - half + 3);
    }
  }

  /**
   * A record whose label is not known, or is in the record itself.
   *
   * @param record the record
   * @param reason what is wrong with it
   */
  public BadRecord(RawRecord record, String reason) {
    this(record, reason, Double.NaN);
  }

  /**
   * An example that was parsed but could not be used: the record it was read from. If it was read
   * from none, its features stand for the text.
   *
   * @param example the example
   * @param reason what is wrong with it
   * @return the bad record
   */
  public static BadRecord of(Example example, String reason) {
    RawRecord origin = example.origin();
    if (origin == null) {
      origin =
          new RawRecord(
              "example " + example.id(),
              0,
              example.key().getBytes(StandardCharsets.UTF_8),
              example.x().toString().getBytes(StandardCharsets.UTF_8),
              example.time());
    }
    return new BadRecord(origin, reason, example.y());
  }

  /**
   * The same with the exception that the example caused. One that was not foreseen is a defect; a
   * job that restarted for it would meet the example again and restart for ever.
   *
   * @param example the example
   * @param cause what was thrown
   * @return the bad record
   */
  public static BadRecord of(Example example, RuntimeException cause) {
    return of(example, reason(cause));
  }

  /** The words of an exception that refuses a record; the whole of one that was not foreseen. */
  static String reason(RuntimeException cause) {
    return cause instanceof IllegalArgumentException
        ? String.valueOf(cause.getMessage())
        : cause.toString();
  }
}
