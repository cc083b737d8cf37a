// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Row;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Whether labels are classes or numbers, inferred from those of the first rows.
 *
 * <p>Texts are classes; fractions, amounts of money and percentages are numbers. Whole numbers are
 * classes if they look like the codes of classes: two of them, or consecutive ones that begin at
 * −1, 0 or 1, of which each has several rows. Of more than ten, hardly one may be absent or rare,
 * and frequencies must not rise and fall smoothly as those of counts do. A column whose name says
 * that it counts or measures holds classes only if it has two values.
 *
 * @param task the task
 * @param reason why, as the end of a sentence
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

  /** The task of these rows. */
  static TargetInference of(List<Row> rows, String name, boolean nominal) {
    if (nominal) {
      return classes("the file declares the values of the label");
    }
    TreeMap<Double, Integer> counts = new TreeMap<>();
    boolean written = false;
    for (Row row : rows) {
      if (row.labelKind() != Row.Kind.MISSING) {
        double number = row.labelAsNumber();
        if (Double.isNaN(number)) {
          return classes("the labels are texts");
        }
        written |= row.labelKind() == Row.Kind.TEXT;
        counts.merge(number, 1, Integer::sum);
      }
    }
    if (counts.isEmpty()) {
      return classes("no row has a label");
    }
    if (written) {
      return numbers("the labels are amounts or percentages");
    }
    boolean whole = counts.keySet().stream().allMatch(value -> value == Math.rint(value));
    return whole ? ofWhole(counts, name) : numbers("the labels have fractions");
  }

  private static TargetInference ofWhole(TreeMap<Double, Integer> counts, String name) {
    int k = counts.size();
    int rows = counts.values().stream().mapToInt(Integer::intValue).sum();
    double least = counts.firstKey();
    double most = counts.lastKey();
    String seen =
        String.format(
            Locale.ROOT,
            "the labels are %,d whole numbers from %s to %s in %,d rows",
            k,
            Row.canonical(least),
            Row.canonical(most),
            rows);
    if (k == 1) {
      return classes("every label so far is " + Row.canonical(least));
    }
    double span = most - least + 1;
    boolean quantity = QUANTITY.matcher(name.toLowerCase(Locale.ROOT)).matches();
    if (k == 2) {
      boolean apart = span > 100 && rows < 2 * FEW;
      return apart ? numbers(seen + ", far apart") : classes(seen);
    }
    if (k > MOST_CLASSES) {
      return numbers(seen);
    }
    if (quantity) {
      return numbers(seen + ", and " + name + " names a quantity");
    }
    if (least < -1 || (least > 1 && (span > k || most > LARGEST_CODE))) {
      return numbers(seen + ", which do not begin at 0 or 1");
    }
    if (rows < (k <= 5 ? 2 : k <= FEW ? 3 : 8) * k) {
      return numbers(seen + ", too few rows each for classes");
    }
    boolean codes = k <= FEW ? span <= 2 * k : span <= 1.15 * k && 10 * rare(counts) <= k;
    if (!codes) {
      return numbers(seen + ", with gaps or rare values");
    }
    boolean smooth = k > FEW && smoothness(counts) > SMOOTH;
    return smooth
        ? numbers(seen + ", whose frequencies rise and fall as those of counts")
        : classes(seen);
  }

  /**
   * How alike the frequencies of neighbouring numbers are: the correlation of their logarithms, 0
   * if all numbers are about as frequent. Those of counts rise and fall smoothly; those of classes
   * follow no order.
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

  /** How many labels have one or two rows. */
  private static long rare(Map<Double, Integer> counts) {
    return counts.values().stream().filter(rows -> rows < 3).count();
  }

  private static TargetInference classes(String reason) {
    return new TargetInference(Task.CLASSIFICATION, reason);
  }

  private static TargetInference numbers(String reason) {
    return new TargetInference(Task.REGRESSION, reason);
  }

  /** One line: the task, why, and how to change it. */
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
