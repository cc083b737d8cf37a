// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

/** Whether a CSV file begins with the names of its columns. */
public enum Header {
  /** The first row names the columns. */
  YES,
  /** The first row is data; columns are called c1, c2, …. */
  NO,
  /**
   * Found from the first rows: names are distinct, and either stand above a column of numbers or
   * are all text and never come again below.
   */
  AUTO
}
