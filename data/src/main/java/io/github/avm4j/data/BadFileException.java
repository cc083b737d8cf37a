// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.model.AvmException;

/** A file cannot be read, or not any further. The message says where, why and what to do. */
public final class BadFileException extends AvmException {
  private static final long serialVersionUID = 1;

  BadFileException(String message) {
    super(message);
  }

  BadFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
