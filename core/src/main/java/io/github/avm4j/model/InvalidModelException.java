// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

/** The bytes are not a model or learner this version can read; the message says what is wrong. */
public final class InvalidModelException extends AvmException {
  private static final long serialVersionUID = 1;

  /**
   * With what is wrong and where.
   *
   * @param message what is wrong and where
   */
  public InvalidModelException(String message) {
    super(message);
  }

  /**
   * With the check that failed as its cause.
   *
   * @param message what is wrong and where
   * @param cause the check that failed
   */
  public InvalidModelException(String message, Throwable cause) {
    super(message, cause);
  }
}
