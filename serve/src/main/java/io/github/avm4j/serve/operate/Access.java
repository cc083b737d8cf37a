// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Access rule of a part of the server. */
public enum Access {
  /** Everybody who can connect. */
  OPEN,
  /** Callers with a bearer token. */
  TOKEN,
  /** Everybody who can connect to the administrative port. */
  ADMIN,
  /** Nobody. */
  OFF;

  /** The forms a setting may have. */
  public static final String FORM = "open|token|admin|off";

  /** The value of that name; null if there is none. */
  public static @Nullable Access named(String text) {
    for (Access access : values()) {
      if (access.name().toLowerCase(Locale.ROOT).equals(text)) {
        return access;
      }
    }
    return null;
  }
}
