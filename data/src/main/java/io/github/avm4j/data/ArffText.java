// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import org.jspecify.annotations.Nullable;

/**
 * A name or value in ARFF, quotes and escapes undone.
 *
 * @param text what it says
 * @param end where the text after it goes on, white space passed over
 */
record ArffText(String text, int end) {
  /** The text from {@code start}, ended by a character of {@code stops}; null without an end. */
  static @Nullable ArffText at(String line, int start, String stops) {
    int i = space(line, start);
    char quote = i < line.length() ? line.charAt(i) : ' ';
    if (quote != '\'' && quote != '"') {
      int end = i;
      boolean spaced = stops.indexOf(',') < 0;
      while (end < line.length()
          && stops.indexOf(line.charAt(end)) < 0
          && !(spaced && line.charAt(end) <= ' ')) {
        end++;
      }
      return new ArffText(line.substring(i, end).strip(), space(line, end));
    }
    StringBuilder text = new StringBuilder();
    for (i++; i < line.length() && line.charAt(i) != quote; i++) {
      if (line.charAt(i) == '\\' && i + 1 < line.length()) {
        i++;
        text.append(unescape(line.charAt(i)));
      } else {
        text.append(line.charAt(i));
      }
    }
    return i == line.length() ? null : new ArffText(text.toString(), space(line, i + 1));
  }

  private static char unescape(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      default -> c;
    };
  }

  private static int space(String line, int start) {
    int i = start;
    while (i < line.length() && line.charAt(i) <= ' ') {
      i++;
    }
    return i;
  }
}
