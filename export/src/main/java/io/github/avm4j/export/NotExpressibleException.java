// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.model.AvmException;

/**
 * Says that a model cannot be written exactly in a format: the message names what and why.
 *
 * @since 0.1.0
 */
public final class NotExpressibleException extends AvmException {
  private static final long serialVersionUID = 1;

  NotExpressibleException(String message) {
    super(message);
  }
}
