// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import org.jspecify.annotations.Nullable;

/**
 * What was given cannot be used: an option, a setting, a row, a file or a model is wrong or does
 * not allow what was asked for. The message says what is wrong, where, and what to do, and is meant
 * for the user of a program. It is the base of all that avm4j throws of its own, such as {@link
 * InvalidModelException}; a disk or network that fails is an {@link java.io.IOException}, and an
 * argument that no program should pass an {@link IllegalArgumentException}.
 */
public class AvmException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * With what is wrong and where.
   *
   * @param message what is wrong and where
   */
  public AvmException(String message) {
    super(message);
  }

  /**
   * With what was behind it.
   *
   * @param message what is wrong and where
   * @param cause what was behind it
   */
  public AvmException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * With or without the place in the code, for failures that are a matter of course.
   *
   * @param message what is wrong and where
   * @param trace whether to take the stack trace
   */
  protected AvmException(String message, boolean trace) {
    super(message, null, trace, trace);
  }
}
