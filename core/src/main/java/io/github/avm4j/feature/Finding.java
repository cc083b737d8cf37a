// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

/**
 * What {@link SchemaFitter} inferred of a column that a user should know.
 *
 * @param column its name
 * @param what the finding
 * @param detail a number or a pattern that belongs to it, empty if none does
 */
public record Finding(String column, What what, String detail) {
  /** The findings. */
  public enum What {
    /** Every cell is missing; left out. */
    EMPTY,
    /** It names rows: nearly every value is met once; left out. The detail counts the values. */
    IDENTIFIER,
    /** It counts the rows; left out. */
    ROW_NUMBER,
    /** Texts of several words, nearly all different; left out. */
    FREE_TEXT,
    /** Dates; the detail is their pattern. */
    DATES,
    /** Dates whose day and month cannot be told apart; the detail is the pattern taken. */
    AMBIGUOUS_DATES,
    /** Numbers written with a currency, percent sign or groups; the detail is one of them. */
    WRITTEN_NUMBERS,
    /** More values than get a feature each; the detail counts the features they are hashed into. */
    HASHED
  }
}
