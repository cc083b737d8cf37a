// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The names that a misspelt one may stand for: of columns, of commands.
 *
 * @since 0.1.0
 */
public final class NearestNames {
  private NearestNames() {}

  /**
   * The names nearest to a word: those with the fewest letters to insert, delete or replace,
   * whether small or capital, if these are at most a third of the word's letters, rounded up. A
   * beginning of a name of two letters or more counts as one.
   *
   * @param word as it was written
   * @param names those that there are
   * @return the nearest of them, sorted; none if all are far
   */
  public static List<String> of(String word, Collection<String> names) {
    String typed = word.toLowerCase(Locale.ROOT);
    int least = (typed.length() + 2) / 3;
    for (String name : names) {
      least = Math.min(least, changes(typed, name, least));
    }
    int nearest = least;
    return names.stream()
        .filter(name -> changes(typed, name, nearest) == nearest)
        .sorted()
        .toList();
  }

  private static int changes(String typed, String name, int most) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean begins = typed.length() > 1 && lower.startsWith(typed) && !lower.equals(typed);
    return begins ? 1 : distance(typed, lower, most);
  }

  /** Levenshtein's edit distance; or some number that is more than {@code most}. */
  private static int distance(String a, String b, int most) {
    if (Math.abs(a.length() - b.length()) > most) {
      return most + 1;
    }
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
