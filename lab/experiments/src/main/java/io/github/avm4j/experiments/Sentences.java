// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.config.Task;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of sentences, taken from raw results: a remark has {@code {online/a9a/avm-hinge}} where
 * the page has 17.29. A name is study/data/method, with /variant where there is one and with :what
 * for anything but the error: sd, s, size, runs, trivial, before (the error of an earlier
 * revision), paper, paper-s, S (the paper's error, seconds and model size). Two names with {@code
 * -} or {@code /} between them are a difference, without its sign, or a ratio. A result of an
 * earlier revision is none.
 */
final class Sentences {
  private static final Pattern SLOT = Pattern.compile("\\{([^{}]+)\\}");
  private static final Pattern CLAIM = Pattern.compile("(.+) (<|>) (.+)");

  private final Results results;
  private final JsonNode paper;

  Sentences(Results results, JsonNode paper) {
    this.results = results;
    this.paper = paper;
  }

  /** The text with its numbers, or nothing if one of them has no result. */
  Optional<String> fill(String text) {
    Matcher slots = SLOT.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (slots.find()) {
      OptionalDouble value = value(slots.group(1));
      if (value.isEmpty()) {
        return Optional.empty();
      }
      String number = shown(slots.group(1), value.getAsDouble());
      slots.appendReplacement(filled, Matcher.quoteReplacement(number));
    }
    return Optional.of(slots.appendTail(filled).toString());
  }

  /** Whether {@code a < b} or {@code a > b} holds, each a name, two names or a number. */
  boolean holds(String claim) {
    Matcher parts = parts(claim);
    if (!isKnown(claim)) {
      return false;
    }
    double left = value(parts.group(1)).orElseThrow();
    double right = value(parts.group(3)).orElseThrow();
    return parts.group(2).equals("<") ? left < right : left > right;
  }

  /** Whether there are results of both sides of a claim. */
  boolean isKnown(String claim) {
    Matcher parts = parts(claim);
    return value(parts.group(1)).isPresent() && value(parts.group(3)).isPresent();
  }

  private static Matcher parts(String claim) {
    Matcher parts = CLAIM.matcher(claim);
    if (!parts.matches()) {
      throw new IllegalArgumentException("'" + claim + "' is not of the form a < b or a > b");
    }
    return parts;
  }

  /** The value of a number, a name, or two of them; empty without results. */
  OptionalDouble value(String expression) {
    for (String operator : List.of(" - ", " / ")) {
      int at = expression.indexOf(operator);
      if (at >= 0) {
        OptionalDouble left = value(expression.substring(0, at));
        OptionalDouble right = value(expression.substring(at + operator.length()));
        if (left.isEmpty() || right.isEmpty()) {
          return OptionalDouble.empty();
        }
        double a = left.getAsDouble();
        double b = right.getAsDouble();
        return OptionalDouble.of(operator.equals(" - ") ? Math.abs(a - b) : a / b);
      }
    }
    if (expression.matches("[0-9.]+")) {
      return OptionalDouble.of(Double.parseDouble(expression));
    }
    return named(expression);
  }

  private OptionalDouble named(String expression) {
    int colon = expression.indexOf(':');
    String what = colon < 0 ? "error" : expression.substring(colon + 1);
    String[] name = (colon < 0 ? expression : expression.substring(0, colon)).split("/", -1);
    if (name.length < 3 || name.length > 4) {
      throw new IllegalArgumentException("'" + expression + "' is not study/data/method");
    }
    ExperimentData data = ExperimentData.of(name[1]);
    boolean classes = data.task() == Task.CLASSIFICATION;
    String online = classes ? Plan.ONLINE_CLASSES : Plan.ONLINE_NUMBERS;
    String study = name[0].equals("online") ? online : name[0];
    if (!Plan.STUDIES.contains(study)) {
      throw new IllegalArgumentException("'" + expression + "': there is no study " + study);
    }
    if (what.equals("S") || what.startsWith("paper")) {
      return printed(paper.path(study).path(name[1]), name[2], what);
    }
    boolean before = what.equals("before");
    Runs runs =
        Runs.of(
            before ? results.earlier() : results.all(),
            study,
            name[1],
            name[2],
            name.length == 4 ? name[3] : "");
    if (runs.isEmpty() || !before && runs.isEarlier()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        measured(runs, before ? "error" : what, study.equals(Plan.BATCH), expression));
  }

  private static OptionalDouble printed(JsonNode table, String method, String what) {
    JsonNode node =
        switch (what) {
          case "S" -> table.path("S");
          case "paper" -> table.path(method).path(0);
          case "paper-sd" -> table.path(method).path(1);
          case "paper-s" -> table.path(method).path(2);
          default -> throw new IllegalArgumentException("the paper has no '" + what + "'");
        };
    return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
  }

  private static double measured(Runs runs, String what, boolean accuracy, String expression) {
    return switch (what) {
      case "error" -> accuracy ? 100 - runs.mean("error") : runs.mean("error");
      case "trivial" -> accuracy ? 100 - runs.mean("trivial") : runs.mean("trivial");
      case "sd" -> runs.deviation("error");
      case "s" -> runs.mean("cpuSeconds");
      case "size" -> runs.mean("size");
      case "runs" -> runs.runs().size();
      default -> throw new IllegalArgumentException("'" + expression + "': no '" + what + "'");
    };
  }

  private static String shown(String expression, double value) {
    if (expression.contains(" / ")) {
      return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value);
    }
    String first = expression.split(" - ", -1)[0];
    String what = first.contains(":") ? first.substring(first.indexOf(':') + 1) : "error";
    if (List.of("size", "runs", "S").contains(what)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    ExperimentData data = ExperimentData.of(first.split("[/:]", -1)[1]);
    boolean seconds = what.equals("s") || what.equals("paper-s");
    return String.format(Locale.ROOT, seconds ? "%,.2f" : ReportTable.format(data), value);
  }
}
