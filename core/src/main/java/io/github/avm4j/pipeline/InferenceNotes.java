// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.feature.SchemaFitter.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Explains what was inferred about columns, one line per kind of finding. */
final class InferenceNotes {
  private InferenceNotes() {}

  /** Lines in the order of their first columns. */
  static List<String> of(List<Finding> findings) {
    Map<String, List<Finding>> groups = new LinkedHashMap<>();
    for (Finding finding : findings) {
      groups.computeIfAbsent(key(finding), k -> new ArrayList<>()).add(finding);
    }
    List<String> lines = new ArrayList<>();
    groups.values().forEach(group -> lines.add(line(group)));
    return lines;
  }

  /** Group of a finding: dates are grouped by pattern, codes by number, units not at all. */
  private static String key(Finding finding) {
    return switch (finding.what()) {
      case DATES, AMBIGUOUS_DATES -> finding.what() + finding.detail();
      case MISSING_CODE -> finding.what() + code(finding);
      case NUMBERS_WITH_UNIT -> finding.what() + finding.column();
      default -> finding.what().name();
    };
  }

  /** The number that seems to stand for missing ones. */
  private static String code(Finding finding) {
    return finding.detail().substring(0, finding.detail().indexOf(' '));
  }

  /** Joins names, at most eight of them. */
  static String brief(List<String> names) {
    int most = 8;
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + ", … (" + names.size() + ")";
  }

  private static String also(List<Finding> group) {
    return brief(group.stream().skip(1).map(Finding::column).toList());
  }

  private static String line(List<Finding> group) {
    Finding first = group.get(0);
    String names = brief(group.stream().map(Finding::column).toList());
    String one = first.column();
    String detail = first.detail();
    return switch (first.what()) {
      case EMPTY -> "not used, empty: " + names;
      case IDENTIFIER ->
          "not used, identifiers (nearly every value occurs once): "
              + names
              + "; --number or --category "
              + one
              + " uses it";
      case ROW_NUMBER -> "not used, row numbers: " + names + "; --number " + one + " uses it";
      case FREE_TEXT ->
          "not used, free text: "
              + names
              + "; words are not features, extract columns from the text to use it";
      case DATES -> "dates read as " + detail + ": " + names;
      case AMBIGUOUS_DATES ->
          "dates read as "
              + detail
              + ": "
              + names
              + "; day and month are ambiguous, use yyyy-MM-dd to avoid that";
      case WRITTEN_NUMBERS -> "numbers parsed from texts such as '" + detail + "': " + names;
      case NUMBERS_WITH_UNIT ->
          "column "
              + one
              + " looks like numbers with a unit (\""
              + detail
              + "\"); it is read as text. Remove the unit to have it as a number.";
      case MISSING_CODE ->
          "column "
              + one
              + " has "
              + detail
              + " its other values"
              + (group.size() == 1 ? "" : " (also " + also(group) + ")")
              + "; if that means missing, use --missing "
              + code(first);
      case HASHED ->
          "too many values for one feature each: "
              + names
              + "; all but the most frequent are hashed";
    };
  }
}
