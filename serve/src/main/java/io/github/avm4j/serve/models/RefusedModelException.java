// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.model.AvmException;

/** Thrown for bytes that are refused as a model; the message says why. */
public final class RefusedModelException extends AvmException {
  private static final long serialVersionUID = 1;

  /** With the reason. */
  public RefusedModelException(String message) {
    super(message);
  }

  /** The reason. */
  public String reason() {
    return String.valueOf(getMessage());
  }

  /** With the reason and what was behind it. */
  public RefusedModelException(String message, Throwable cause) {
    super(message, cause);
  }
}
