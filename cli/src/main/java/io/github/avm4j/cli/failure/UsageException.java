// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

import io.github.avm4j.model.AvmException;

/** Ends a command with exit code 2: options are invalid or exclude each other. */
public final class UsageException extends AvmException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }
}
