// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import java.io.IOException;

/** A data set cannot be had. The message says why and what to do. */
public final class DataException extends IOException {
  private static final long serialVersionUID = 1;

  DataException(String message) {
    super(message);
  }

  DataException(String message, Throwable cause) {
    super(message, cause);
  }
}
