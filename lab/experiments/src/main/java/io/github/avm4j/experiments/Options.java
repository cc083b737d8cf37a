// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Options of a command: flags, and names with a value. */
public final class Options {
  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * Reads arguments.
   *
   * @throws IllegalArgumentException if one is not known, with the help text
   */
  public Options(String[] args, Set<String> flags, Set<String> named, String help) {
    for (int i = 0; i < args.length; i++) {
      if (flags.contains(args[i])) {
        values.put(args[i], "");
      } else if (named.contains(args[i]) && i + 1 < args.length) {
        values.put(args[i], args[++i]);
      } else {
        throw new IllegalArgumentException("'" + args[i] + "' is not understood\n" + help);
      }
    }
  }

  /** Whether the option is there. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The value of an option. */
  public String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /** The value of an option that is a whole number > 0. */
  public int number(String name, int otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    String text = text(name, "");
    int value = text.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(text) : 0;
    if (value == 0) {
      throw new IllegalArgumentException(name + " must be a whole number > 0, was " + text);
    }
    return value;
  }

  /** The value of an option that is a list of names with commas between them. */
  public Set<String> names(String name, Set<String> otherwise) {
    String list = text(name, "");
    return list.isEmpty() ? otherwise : new LinkedHashSet<>(List.of(list.split(",", -1)));
  }
}
