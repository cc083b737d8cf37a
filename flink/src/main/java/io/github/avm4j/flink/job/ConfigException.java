// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.model.AvmException;

/** Thrown for a mistake in a job's file; the message names the key, its value and what is valid. */
public final class ConfigException extends AvmException {
  private static final long serialVersionUID = 1;

  ConfigException(String message) {
    super(message);
  }

  ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
