// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The name that a misspelt one probably stands for. */
final class NearestName {
  private NearestName() {}

  /**
   * The first of the names with the fewest letters to insert, delete or replace, whether small or
   * capital; empty if they are more than a third of the letters, rounded up.
   */
  static Optional<String> of(String written, List<String> names) {
    String word = written.toLowerCase(Locale.ROOT);
    int least = 1 + (word.length() + 2) / 3;
    String nearest = null;
    for (String name : names) {
      int distance = distance(word, name.toLowerCase(Locale.ROOT), least);
      if (distance < least) {
        least = distance;
        nearest = name;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Levenshtein's distance; or some number that is not less than {@code enough}. */
  private static int distance(String a, String b, int enough) {
    if (Math.abs(a.length() - b.length()) >= enough) {
      return enough;
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
