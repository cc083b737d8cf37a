// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

/** Ends a command with exit code 1; the message says what is wrong and what to do. */
public final class FailureException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public FailureException(String message) {
    super(message);
  }

  public FailureException(String message, Throwable cause) {
    super(message, cause);
  }
}
