// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

/**
 * Says that a model cannot be written exactly in a format: the message names what and why.
 *
 * @since 0.1.0
 */
public final class NotExpressibleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  NotExpressibleException(String message) {
    super(message);
  }
}
