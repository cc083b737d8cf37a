// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.text;

import java.util.List;
import java.util.Locale;

/** Text of the data, escaped and shortened for terminals. */
public final class Escaped {
  private Escaped() {}

  /** Escapes an item of a list, with quotes if its end would not be visible. */
  public static String item(String text) {
    boolean plain =
        !text.isBlank()
            && text.strip().length() == text.length()
            && text.indexOf(',') < 0
            && text.indexOf('"') < 0;
    return plain ? text(text) : '"' + text(text).replace("\"", "\\\"") + '"';
  }

  /** Joins names, at most eight of them. */
  public static String brief(List<String> names) {
    int most = 8;
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + ", … (" + names.size() + ")";
  }

  /** Escapes line breaks, tabs and other control characters. */
  public static String text(String text) {
    if (text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                  if (Character.isISOControl(c)) {
                    out.append(String.format(Locale.ROOT, "\\u%04x", c));
                  } else {
                    out.append((char) c);
                  }
                }
              }
            });
    return out.toString();
  }
}
