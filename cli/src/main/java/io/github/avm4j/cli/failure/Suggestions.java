// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Names that a mistyped word may stand for. */
final class Suggestions {
  private Suggestions() {}

  /**
   * The names nearest to a word: those with the fewest insertions, deletions and replacements of
   * letters, if these are at most a third of the word's letters, and at least one is allowed. A
   * beginning of a name of two letters or more counts as one.
   */
  static List<String> of(String word, Collection<String> names) {
    String typed = word.toLowerCase(Locale.ROOT);
    int least = Math.max(1, typed.length() / 3);
    for (String name : names) {
      least = Math.min(least, changes(typed, name));
    }
    int nearest = least;
    return names.stream().filter(name -> changes(typed, name) == nearest).sorted().toList();
  }

  private static int changes(String typed, String name) {
    boolean begins = typed.length() > 1 && name.startsWith(typed);
    return begins ? 1 : distance(typed, name);
  }

  /** Levenshtein's edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
