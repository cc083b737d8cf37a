// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import org.jspecify.annotations.Nullable;

/** Strings seen lately, so that a column of few words makes no new string for every row. */
final class TextPool {
  private static final int SLOTS = 1024;
  private static final int LONGEST = 64;

  private final @Nullable String[] slots = new @Nullable String[SLOTS];

  String get(char[] text, int from, int length) {
    if (length > LONGEST) {
      return new String(text, from, length);
    }
    int hash = 0;
    for (int k = from; k < from + length; k++) {
      hash = 31 * hash + text[k];
    }
    int slot = (hash ^ hash >>> 10 ^ hash >>> 20) & (SLOTS - 1);
    String known = slots[slot];
    if (known != null && equal(known, text, from, length)) {
      return known;
    }
    String fresh = new String(text, from, length);
    slots[slot] = fresh;
    return fresh;
  }

  private static boolean equal(String known, char[] text, int from, int length) {
    if (known.length() != length) {
      return false;
    }
    for (int k = 0; k < length; k++) {
      if (known.charAt(k) != text[from + k]) {
        return false;
      }
    }
    return true;
  }
}
