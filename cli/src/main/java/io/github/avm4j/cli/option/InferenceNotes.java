// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.row.Fit;
import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.feature.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings about columns as lines for people: one line per kind of finding. */
final class InferenceNotes {
  private InferenceNotes() {}

  /** The lines, in the order in which their first column stands. */
  static List<String> of(List<Finding> findings) {
    Map<String, List<Finding>> groups = new LinkedHashMap<>();
    for (Finding finding : findings) {
      groups.computeIfAbsent(key(finding), k -> new ArrayList<>()).add(finding);
    }
    List<String> lines = new ArrayList<>();
    groups.values().forEach(group -> lines.add(line(group)));
    return lines;
  }

  /** Dates of one pattern stand together; so do all findings of another kind. */
  private static String key(Finding finding) {
    return switch (finding.what()) {
      case DATES, AMBIGUOUS_DATES -> finding.what() + finding.detail();
      default -> finding.what().name();
    };
  }

  private static String line(List<Finding> group) {
    Finding first = group.get(0);
    String names = Fit.brief(group.stream().map(f -> Escaped.text(f.column())).toList());
    String one = Escaped.text(first.column());
    String detail = Escaped.text(first.detail());
    return switch (first.what()) {
      case EMPTY -> "left out, empty: " + names;
      case IDENTIFIER ->
          "left out, identifiers (nearly every value occurs once): "
              + names
              + "; --numeric or --categorical "
              + one
              + " uses it";
      case ROW_NUMBER ->
          "left out, numbers of the rows: " + names + "; --numeric " + one + " uses it";
      case FREE_TEXT ->
          "left out, free text: "
              + names
              + "; its words are not learned from, make columns of what matters in it";
      case DATES -> "dates read as " + detail + ": " + names;
      case AMBIGUOUS_DATES ->
          "dates read as "
              + detail
              + ": "
              + names
              + "; day and month cannot be told apart, write yyyy-MM-dd to be sure";
      case WRITTEN_NUMBERS -> "numbers read from texts such as '" + detail + "': " + names;
      case HASHED ->
          "more values than can have a feature each: "
              + names
              + "; all but the most frequent are hashed";
    };
  }
}
