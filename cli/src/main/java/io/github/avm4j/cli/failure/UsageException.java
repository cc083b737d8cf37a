// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

/** Options that do not go together: ends a command with exit code 2. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }
}
