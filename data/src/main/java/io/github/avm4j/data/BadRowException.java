// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.model.AvmException;

/**
 * One row cannot be read; the rows after it may be. The message says where, what and what to do.
 */
public final class BadRowException extends AvmException {
  private static final long serialVersionUID = 1;
  private static final int SHOWN = 40;

  /** Where the row stands. */
  private final transient Position position;

  /** Whether only the label is missing. */
  private final boolean unlabelled;

  BadRowException(Position position, String column, String text, String problem) {
    this(position, column, text, problem, false);
  }

  BadRowException(
      Position position, String column, String text, String problem, boolean unlabelled) {
    super(
        position
            + (column.isEmpty() ? "" : ", column " + shorten(column))
            + ": "
            + problem
            + (text.isEmpty() ? "" : ", found \"" + shorten(text) + "\""));
    this.position = position;
    this.unlabelled = unlabelled;
  }

  /** There is no row where one should be. */
  static BadRowException none(String file) {
    return new BadRowException(new Position(file, 0), "", "", "there is no row in it");
  }

  /** Whether all that is wrong is that the label is missing. */
  boolean isUnlabelled() {
    return unlabelled;
  }

  /** {@return the position of the row} */
  public Position position() {
    return position;
  }

  /** At most 40 characters of {@code text}, control characters as {@code ?}. */
  static String shorten(String text) {
    StringBuilder out = new StringBuilder();
    for (int k = 0; k < Math.min(text.length(), SHOWN); k++) {
      char c = text.charAt(k);
      out.append(Character.isISOControl(c) ? '?' : c);
    }
    return text.length() > SHOWN ? out.append('…').toString() : out.toString();
  }
}
