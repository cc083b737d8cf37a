// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

/** The file of a job is wrong; the message names the key, what was found and what is right. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ConfigException(String message) {
    super(message);
  }

  ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
