// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** JSON trees as plain text. */
public final class TextTree {
  private TextTree() {}

  /** Value in one line; lists end after {@code most} items. */
  public static String scalar(JsonNode value, int most) {
    if (value.isArray() || value.isObject()) {
      List<String> parts = new ArrayList<>();
      value
          .properties()
          .forEach(e -> parts.add(Escaped.item(e.getKey()) + "=" + scalar(e.getValue(), most)));
      if (value.isArray()) {
        value.forEach(item -> parts.add(item(item, most)));
      }
      int more = parts.size() - most;
      String shown = String.join(", ", parts.subList(0, Math.min(most, parts.size())));
      return more > 0 ? shown + ", … " + more + " more" : shown;
    }
    if (value.isDouble()) {
      double number = value.doubleValue();
      return number == Math.rint(number) && Math.abs(number) < 1e15
          ? Long.toString((long) number)
          : String.format(Locale.ROOT, "%.5g", number);
    }
    return value.asText().isEmpty() ? "-" : Escaped.text(value.asText());
  }

  private static String item(JsonNode value, int most) {
    return value.isTextual() && !value.asText().isEmpty()
        ? Escaped.item(value.asText())
        : scalar(value, most);
  }
}
