// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

/** What a reader does with a row it cannot read. */
public enum OnBadRow {
  /** Throw {@link BadRowException}. */
  FAIL,
  /** Leave the row out and count it. */
  SKIP
}
