// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Row;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Infers the task, classification or regression, from the labels of the first rows.
 *
 * <p>Texts mean classification; fractions, amounts of money and percentages mean regression.
 * Integers mean classification if they look like class codes: two different values, or consecutive
 * ones that begin at −1, 0 or 1 with several rows each. Of more than ten values, at most a tenth
 * may be rare, and their frequencies must not rise and fall smoothly as those of counts do. A
 * column named as a quantity means classification only if it has two values.
 *
 * @param task the task
 * @param reason reason, as the end of a sentence
 */
record TargetInference(Task task, String reason) {
  private static final int MOST_CLASSES = 50;
  private static final int FEW = 10;
  private static final int LARGEST_CODE = 20;
  private static final double SMOOTH = 0.4;
  private static final Pattern QUANTITY =
      Pattern.compile(
          "(?:.*[_\\s.-])?(?:ages?|prices?|costs?|amounts?|counts?|cnt|nums?|numbers?|quantity|qty"
              + "|totals?|visits|children|rooms|rings|years?|months?|weeks?|days?|hours?|minutes?"
              + "|seconds?|duration|delay|distance|length|width|height|weight|speed|temperature"
              + "|temp|income|salary|wage|sales|revenue|demand|volume|population|value|points"
              + "|clicks|views|orders|units|kwh|watts?)|(?:n|no|num|number|count)[_\\s.-].*");

  /** Infers the task of these rows. */
  static TargetInference of(List<Row> rows, String name, boolean nominal) {
    if (nominal) {
      return classification("the file declares the values of the label");
    }
    TreeMap<Double, Integer> counts = new TreeMap<>();
    boolean written = false;
    for (Row row : rows) {
      if (row.labelKind() != Row.Kind.MISSING) {
        double number = row.labelAsNumber();
        if (Double.isNaN(number) || isTruth(row)) {
          return classification("the labels are texts");
        }
        written |= row.labelKind() == Row.Kind.TEXT;
        counts.merge(number, 1, Integer::sum);
      }
    }
    if (counts.isEmpty()) {
      return classification("no row has a label");
    }
    if (written) {
      return regression("the labels are amounts or percentages");
    }
    boolean whole = counts.keySet().stream().allMatch(value -> value == Math.rint(value));
    return whole ? ofWhole(counts, name) : regression("the labels have fractions");
  }

  /** True and false are 1 and 0 in a column of numbers, but as labels they are classes. */
  private static boolean isTruth(Row row) {
    String label = row.labelText();
    return label.equalsIgnoreCase("true") || label.equalsIgnoreCase("false");
  }

  private static TargetInference ofWhole(TreeMap<Double, Integer> counts, String name) {
    int k = counts.size();
    int rows = counts.values().stream().mapToInt(Integer::intValue).sum();
    double least = counts.firstKey();
    double most = counts.lastKey();
    String seen =
        String.format(
            Locale.ROOT,
            "the labels are %,d integers from %s to %s in %,d rows",
            k,
            Row.canonical(least),
            Row.canonical(most),
            rows);
    if (k == 1) {
      return classification("every label so far is " + Row.canonical(least));
    }
    double span = most - least + 1;
    boolean quantity = QUANTITY.matcher(name.toLowerCase(Locale.ROOT)).matches();
    if (k == 2) {
      boolean apart = span > 100 && rows < 2 * FEW;
      return apart ? regression(seen + ", far apart") : classification(seen);
    }
    if (k > MOST_CLASSES) {
      return regression(seen);
    }
    if (quantity) {
      return regression(seen + ", and " + name + " names a quantity");
    }
    if (least < -1 || (least > 1 && (span > k || most > LARGEST_CODE))) {
      return regression(seen + ", which do not start at 0 or 1");
    }
    if (rows < (k <= 5 ? 2 : k <= FEW ? 3 : 8) * k) {
      return regression(seen + ", with too few rows per value for classes");
    }
    boolean codes = k <= FEW ? span <= 2 * k : span <= 1.15 * k && 10 * rare(counts) <= k;
    if (!codes) {
      return regression(seen + ", with gaps or rare values");
    }
    boolean smooth = k > FEW && smoothness(counts) > SMOOTH;
    return smooth
        ? regression(seen + ", whose frequencies look like those of counts")
        : classification(seen);
  }

  /**
   * Correlation of the log frequencies of neighbouring values; 0 if all values are about equally
   * frequent. It is high for counts and low for class codes.
   */
  private static double smoothness(TreeMap<Double, Integer> counts) {
    double[] logs = counts.values().stream().mapToDouble(Math::log).toArray();
    double mean = Arrays.stream(logs).average().orElse(0);
    double together = 0;
    double squares = 0;
    for (int i = 0; i < logs.length; i++) {
      squares += (logs[i] - mean) * (logs[i] - mean);
      together += i == 0 ? 0 : (logs[i] - mean) * (logs[i - 1] - mean);
    }
    return squares < logs.length / 4.0 ? 0 : together / squares;
  }

  /** Number of labels with one or two rows. */
  private static long rare(Map<Double, Integer> counts) {
    return counts.values().stream().filter(rows -> rows < 3).count();
  }

  private static TargetInference classification(String reason) {
    return new TargetInference(Task.CLASSIFICATION, reason);
  }

  private static TargetInference regression(String reason) {
    return new TargetInference(Task.REGRESSION, reason);
  }

  /** One line: the task, the reason, and how to change it. */
  String line() {
    boolean classes = task == Task.CLASSIFICATION;
    String other =
        classes
            ? "--task regression predicts the number instead"
            : "--task classification makes every value a class";
    boolean texts = classes && (reason.contains("texts") || reason.contains("declares"));
    return "task: "
        + (classes ? "classification" : "regression")
        + ", because "
        + reason
        + (texts ? "" : "; " + other);
  }
}
