// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.config.NearestNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each raw column of a table is for. */
final class Layout {
  /** Role of a column that is left out. */
  static final int IGNORED = -1;

  /** Role of the label. */
  static final int LABEL = -2;

  /** Role of the weight. */
  static final int WEIGHT = -3;

  /** Columns a table may have. */
  static final int MOST = 1 << 20;

  /** The layout of formats with numbered features. */
  static final Layout NUMBERED = new Layout(List.of(), new int[0], List.of(), null);

  /** Names that say that a column is the label, wherever it stands; the surest first. */
  private static final List<String> LABELS = List.of("label", "class", "target", "outcome");

  /** Names that only a label in the first or last place has; else it is a price or a coordinate. */
  private static final List<String> LABELS_AT_AN_END = List.of("y", "price");

  private final List<String> names;
  private final int[] roles;
  private final List<String> columns;
  private final @Nullable String labelName;

  private Layout(
      List<String> names, int[] roles, List<String> columns, @Nullable String labelName) {
    this.names = names;
    this.roles = roles;
    this.columns = columns;
    this.labelName = labelName;
  }

  /** Gives every column in {@code names} its role. */
  static Layout of(String file, List<String> names, ReaderOptions options) throws BadFileException {
    if (names.size() > MOST) {
      throw new BadFileException(file + ": more than " + MOST + " columns");
    }
    int[] roles = new int[names.size()];
    for (String ignored : options.ignored()) {
      roles[require(file, names, ignored, "ignored")] = IGNORED;
    }
    if (options.weight() != null) {
      roles[require(file, names, options.weight(), "weight")] = WEIGHT;
    }
    int label = label(file, names, roles, options);
    if (label >= 0) {
      roles[label] = LABEL;
    }
    List<String> columns = new ArrayList<>();
    for (int c = 0; c < roles.length; c++) {
      if (roles[c] == 0) {
        roles[c] = columns.size();
        columns.add(names.get(c));
      }
    }
    return new Layout(
        List.copyOf(names), roles, List.copyOf(columns), label < 0 ? null : names.get(label));
  }

  private static int label(String file, List<String> names, int[] roles, ReaderOptions options)
      throws BadFileException {
    String wanted = options.label();
    if (wanted != null) {
      return options.hasLabel() ? require(file, names, wanted, "label") : find(names, wanted);
    }
    int last = names.size() - 1;
    while (last >= 0 && roles[last] != 0) {
      last--;
    }
    int named = named(names, roles, last);
    if (named >= 0) {
      return named;
    }
    if (options.hasLabel() && last < 0) {
      throw new BadFileException(
          file + ": no column is left for the label: ignore fewer, or name one with --label");
    }
    return options.hasLabel() ? last : -1;
  }

  /** The column whose name says that it is the label: the last one, if it does; else -1. */
  private static int named(List<String> names, int[] roles, int last) {
    if (last < 0 || isLabel(names.get(last))) {
      return last;
    }
    for (String label : LABELS) {
      for (int c = 0; c < last; c++) {
        if (roles[c] == 0 && names.get(c).equalsIgnoreCase(label)) {
          return c;
        }
      }
    }
    int first = 0;
    while (roles[first] != 0) {
      first++;
    }
    return isLabel(names.get(first)) ? first : -1;
  }

  private static boolean isLabel(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return LABELS.contains(lower) || LABELS_AT_AN_END.contains(lower);
  }

  private static int require(String file, List<String> names, String wanted, String role)
      throws BadFileException {
    int found = find(names, wanted);
    if (found < 0) {
      List<String> near = NearestNames.of(wanted, names);
      throw new BadFileException(
          file
              + ": no column \""
              + BadRowException.shorten(wanted)
              + "\" for the "
              + role
              + (near.isEmpty() ? "" : " (did you mean \"" + String.join("\" or \"", near) + "\"?)")
              + "; the columns are "
              + BadRowException.shorten(String.join(", ", names)));
    }
    return found;
  }

  /** The column of that name, else of that number; -1 if there is none. */
  private static int find(List<String> names, String wanted) {
    int exact = names.indexOf(wanted);
    if (exact >= 0) {
      return exact;
    }
    for (int c = 0; c < names.size(); c++) {
      if (names.get(c).equalsIgnoreCase(wanted)) {
        return c;
      }
    }
    if (!wanted.matches("-?[1-9][0-9]{0,8}")) {
      return -1;
    }
    int number = Integer.parseInt(wanted);
    int column = number > 0 ? number - 1 : names.size() + number;
    return column < names.size() ? Math.max(column, -1) : -1;
  }

  /** Names for {@code count} columns without any: c1, c2, …. */
  static List<String> numbered(int count) {
    List<String> names = new ArrayList<>();
    for (int c = 1; c <= count; c++) {
      names.add("c" + c);
    }
    return names;
  }

  /** The names as written, trimmed; an empty one becomes c + number, a second x becomes x.1. */
  static List<String> distinct(List<String> written) {
    Map<String, Integer> seen = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (String raw : written) {
      String name = raw.isBlank() ? "c" + (names.size() + 1) : raw.strip();
      String base = name;
      while (seen.containsKey(name)) {
        name = base + "." + seen.merge(base, 1, Integer::sum);
      }
      seen.put(name, 0);
      names.add(name);
    }
    return names;
  }

  /** Raw column names, all of them. */
  List<String> names() {
    return names;
  }

  /** Names of the features. */
  List<String> columns() {
    return columns;
  }

  @Nullable String labelName() {
    return labelName;
  }

  /** Why {@link #labelName} was taken, if it was not named; else null. */
  @Nullable String labelReason(ReaderOptions options) {
    if (labelName == null || options.label() != null) {
      return null;
    }
    return isLabel(labelName) ? "by its name" : "the last column";
  }

  /** Feature number of a raw column, or one of the roles. */
  int role(int column) {
    return roles[column];
  }
}
