// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a caller may do. Every route needs exactly one, so that no route can be left without a
 * guard.
 */
public enum Permission {
  /** To ask whether the server lives and is ready. */
  HEALTH,
  /** To have rows predicted or judged, and to read what a model takes. */
  PREDICT,
  /** To see rows of the training data that decided a prediction. */
  EXPLAIN,
  /** To send labels and rows that a model or detector learns. */
  LEARN,
  /** To read the metrics. */
  METRICS,
  /** To see models with their categories, files and troubles, and the page. */
  INSPECT,
  /** To choose the version that predicts. */
  OPERATE;

  /** Its name in settings and token files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The permissions of a list of words between commas.
   *
   * @throws IllegalArgumentException naming the word that is none
   */
  public static Set<Permission> list(String words) {
    Set<Permission> found = EnumSet.noneOf(Permission.class);
    for (String word : words.split(",", -1)) {
      found.add(
          Arrays.stream(values())
              .filter(one -> one.word().equals(word.strip()))
              .findAny()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "'" + word.strip() + "' is no permission; these are: " + all())));
    }
    return found;
  }

  private static String all() {
    return Arrays.stream(values()).map(Permission::word).collect(Collectors.joining(", "));
  }
}
