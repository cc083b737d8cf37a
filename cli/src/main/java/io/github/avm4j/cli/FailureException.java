// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

/** Ends a command with exit code 1; the message is one line that says what to do. */
final class FailureException extends RuntimeException {
  private static final long serialVersionUID = 1;

  FailureException(String message) {
    super(message);
  }

  FailureException(String message, Throwable cause) {
    super(message, cause);
  }
}
