// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.pipeline.ClassNames;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Table of recall and precision per class, with a note on rare classes. */
final class ClassTable {
  private static final int MOST_CLASSES = 12;
  private static final int LONGEST_NAME = 24;

  /** Share of rows below which a class counts as rare. */
  private static final double RARE = 0.1;

  private final ClassificationScore score;
  private final ClassNames names;

  ClassTable(ClassificationScore score, ClassNames names) {
    this.score = score;
    this.names = names;
  }

  /** Mean recall of the classes that occurred, in percent; NaN if none did. */
  static double balancedAccuracy(ClassificationScore score) {
    return IntStream.range(0, score.classes())
        .filter(c -> score.weight(c) > 0)
        .mapToDouble(score::recall)
        .average()
        .orElse(Double.NaN);
  }

  /** Balanced accuracy of a baseline that always predicts one class. */
  static double balancedByOneClass(ClassificationScore score) {
    long occurred = IntStream.range(0, score.classes()).filter(c -> score.weight(c) > 0).count();
    return 100.0 / occurred;
  }

  /** Classes in descending order of frequency. */
  static List<Integer> byFrequency(ClassificationScore score) {
    return IntStream.range(0, score.classes())
        .boxed()
        .sorted(Comparator.comparingDouble(c -> -score.weight(c)))
        .toList();
  }

  /** Table with an explanation. */
  String text() {
    List<Integer> order = byFrequency(score);
    if (order.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(line("class", "instances", "recall %", "precision %"));
    for (int c : order.subList(0, Math.min(MOST_CLASSES, order.size()))) {
      text.append(
          line(
              name(c),
              String.format(Locale.ROOT, "%,.0f", score.weight(c)),
              percent(score.recall(c)),
              percent(score.precision(c))));
    }
    if (order.size() > MOST_CLASSES) {
      text.append("… and ").append(order.size() - MOST_CLASSES);
      text.append(" more classes; --json prints all\n");
    }
    text.append("recall: share of the instances of a class that were predicted correctly;");
    text.append(" precision: share of the predictions of a class that were correct\n");
    text.append(
        String.format(
            Locale.ROOT,
            "balanced accuracy (mean recall) %s %%; always predicting one class: %s %%%n",
            percent(balancedAccuracy(score)),
            percent(balancedByOneClass(score))));
    return text.append(rare(order)).toString();
  }

  /** Compares with the majority baseline if one of two classes is rare. */
  private String rare(List<Integer> order) {
    if (order.size() != 2) {
      return "";
    }
    int common = order.get(0);
    int rare = order.get(1);
    double share = score.weight(rare) / (score.weight(common) + score.weight(rare));
    if (share == 0 || share >= RARE) {
      return "";
    }
    ClassificationFigures figures = score.cumulative();
    return String.format(
        Locale.ROOT,
        "%s is rare (%s %% of the instances): always predicting %s makes %s %% mistakes, avm %s %%."
            + " avm finds %s %% of the %s; %s.%n",
        name(rare),
        digits(100 * share),
        name(common),
        digits(100 * share),
        digits(figures.mistakeRate()),
        percent(score.recall(rare)),
        name(rare),
        Double.isNaN(score.precision(rare))
            ? "it never predicts " + name(rare)
            : percent(score.precision(rare))
                + " % of its predictions of "
                + name(rare)
                + " are correct");
  }

  private String name(int c) {
    String name = Escaped.text(names.nameOf(score.label(c)));
    return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME - 1) + "…" : name;
  }

  private static String line(String name, String count, String recall, String precision) {
    return String.format(Locale.ROOT, "%-24s %11s %11s %11s%n", name, count, recall, precision);
  }

  private static String percent(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }

  /** Two significant decimals, also for small percentages. */
  private static String digits(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, value >= 1 ? "%.2f" : "%.2g", value);
  }
}
