// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

/** What a reader does with a row it cannot read. */
public enum OnBadRow {
  /** Throw {@link BadRowException}. */
  FAIL,
  /** Leave the row out and count it. */
  SKIP,
  /** Leave a row out and count it if all that is wrong is that its label is missing; else throw. */
  SKIP_UNLABELLED
}
