// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the first rows show of one column: counts of kinds, values and moments. */
final class ColumnProfile {
  /** Distinct values that are counted; more only set {@link #tooMany}. */
  static final int MOST_VALUES = 1 << 16;

  private static final int MOST_NUMBERS = 1 << 12;

  /** Fewer values with a unit are as good as categories. */
  private static final int FEW = 10;

  /** Numbers that files have in place of missing ones. */
  private static final Pattern CODE = Pattern.compile("-9+|9{3,}");

  /** Days from the first to the last of a year. */
  private static final int YEAR = 364;

  private static final DateForm[] FORMS = {
    DateForm.YEAR_FIRST, DateForm.DAY_FIRST, DateForm.MONTH_FIRST
  };

  final Map<String, Integer> values = new LinkedHashMap<>();
  final Moments plain = new Moments();
  final Moments logs = new Moments();
  long numbers;
  long texts;
  long writtenNumbers;
  long words;
  boolean tooMany;
  boolean whole = true;
  boolean counting = true;
  double first = Double.NaN;
  @Nullable String writtenNumber;
  @Nullable String withUnit;

  private @Nullable String unit;
  private long units;
  private final List<Long> firstMet = new ArrayList<>();
  private final long[] dates = new long[FORMS.length];
  private final Moments[] days = {new Moments(), new Moments(), new Moments()};
  private final double[][] cycles = new double[FORMS.length][Cycles.MOST];
  private final double[] cycle = new double[Cycles.MOST];

  /** Mean, spread and reach of numbers. */
  static final class Moments {
    private double count;
    private double mean;
    private double squares;
    private double smallest = Double.POSITIVE_INFINITY;
    private double largest = Double.NEGATIVE_INFINITY;

    void add(double value) {
      double change = value - mean;
      count++;
      mean += change / count;
      squares += change * (value - mean);
      smallest = Math.min(smallest, value);
      largest = Math.max(largest, value);
    }

    double mean() {
      return mean;
    }

    private double deviation() {
      return count == 0 ? 0 : Math.sqrt(squares / count);
    }

    double reach() {
      double deviation = deviation();
      return deviation == 0 ? 0 : Math.max(largest - mean, mean - smallest) / deviation;
    }

    double span() {
      return largest - smallest;
    }

    Standard standard(boolean logarithm) {
      double deviation = deviation();
      boolean varies = deviation > 1e-12 * Math.max(Math.abs(smallest), Math.abs(largest));
      double scale = varies && Double.isFinite(1 / deviation) ? 1 / deviation : 1;
      return new Standard(mean, scale, logarithm);
    }
  }

  /** Looks at a cell that is not missing. */
  void add(Row row, int c, CellReader cells, boolean asWritten) {
    String key = cells.key(row, c, asWritten);
    if (row.kind(c) == Row.Kind.TEXT) {
      text(row.text(c), key, cells.writtenNumber(row.text(c)));
      return;
    }
    numbers++;
    number(row.number(c));
    if (values.size() < MOST_NUMBERS) {
      value(key);
    } else {
      tooMany = true;
    }
  }

  private void number(double value) {
    if (plain.count == 0) {
      first = value;
    }
    counting &= value == first + plain.count;
    whole &= value == Math.rint(value);
    plain.add(value);
    logs.add(Math.copySign(Math.log1p(Math.abs(value)), value));
  }

  private void text(String text, String key, double number) {
    texts++;
    value(key);
    if (!Double.isNaN(number)) {
      writtenNumbers++;
      writtenNumber = writtenNumber == null ? text : writtenNumber;
      number(number);
      return;
    }
    words += wordsOf(text);
    String found = WrittenNumber.unit(text);
    if (found != null) {
      unit = unit == null ? found : unit;
      withUnit = withUnit == null ? text : withUnit;
      // Flats are 1A and 1B, areas 35 m2 and 35 sqm.
      units += found.length() > 1 || found.equals(unit) ? 1 : 0;
    }
    for (int f = 0; f < FORMS.length; f++) {
      LocalDateTime time = FORMS[f].parse(text);
      if (time != null) {
        dates[f]++;
        days[f].add(time.toLocalDate().toEpochDay());
        Cycles.of(time, cycle);
        for (int k = 0; k < cycle.length; k++) {
          cycles[f][k] += cycle[k];
        }
      }
    }
  }

  private static int wordsOf(String text) {
    int words = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      boolean letter = !Character.isWhitespace(text.charAt(i));
      words += letter && !inside ? 1 : 0;
      inside = letter;
    }
    return words;
  }

  private void value(String text) {
    if (values.size() < MOST_VALUES || values.containsKey(text)) {
      if (values.merge(text, 1, Integer::sum) == 1) {
        firstMet.add(cells());
      }
    } else {
      tooMany = true;
    }
  }

  /** Cells that hold something. */
  long cells() {
    return numbers + texts;
  }

  /** How many values are met exactly so often. */
  long metTimes(int times) {
    return values.values().stream().filter(count -> count == times).count();
  }

  /**
   * How many values there may be that were not met: Chao's estimate for rows in random order, and
   * twice as many as were new in the second half of the rows for streams whose values change.
   */
  int unmet() {
    double once = metTimes(1);
    double twice = metTimes(2);
    double chao = Math.ceil(once * (once - 1) / (2 * (twice + 1)));
    long late = firstMet.stream().filter(cell -> 2 * cell > cells()).count();
    return (int) Math.min(MOST_VALUES, Math.max(chao, 2 * late));
  }

  /** Whether values that were not met are so many that no number of them can be foreseen. */
  boolean isOpen() {
    int unmet = unmet();
    return cells() >= 500 && unmet >= 16 && 4 * unmet > values.size();
  }

  /** Whether nearly all texts are dates. */
  boolean isDates() {
    long most = Math.max(dates[0], Math.max(dates[1], dates[2]));
    return numbers == 0 && writtenNumbers == 0 && most > 20 * (texts - most);
  }

  /** The order of dates that fits most texts; of two that fit alike, the month first for '/'. */
  DateForm dateForm() {
    if (dates[0] >= Math.max(dates[1], dates[2])) {
      return DateForm.YEAR_FIRST;
    }
    boolean slashes = values.keySet().iterator().next().indexOf('/') >= 0;
    boolean monthFirst = dates[2] > dates[1] || (dates[2] == dates[1] && slashes);
    return monthFirst ? DateForm.MONTH_FIRST : DateForm.DAY_FIRST;
  }

  /** Whether the dates span a year, so that its time can matter. */
  boolean isYearly() {
    return days[form()].span() >= YEAR;
  }

  /** What stands for a missing number: the mean, as a feature. */
  Fill numberFill(Standard standard) {
    double mean = standard.isNone() ? plain.mean() : 0;
    return new Fill((long) plain.count, List.of(mean));
  }

  /** What stands for a missing date. */
  Fill dateFill(int features) {
    int f = form();
    double count = Math.max(1, dates[f]);
    return new Fill(
        dates[f], Arrays.stream(cycles[f], 0, features).map(sum -> sum / count).boxed().toList());
  }

  private int form() {
    return List.of(FORMS).indexOf(dateForm());
  }

  /** Whether day and month cannot be distinguished. */
  boolean isAmbiguous() {
    boolean differ = dates[1] != dates[2];
    return dateForm() != DateForm.YEAR_FIRST && !differ && isTwoSided();
  }

  /** Whether some date is another one with day and month exchanged. */
  private boolean isTwoSided() {
    for (String text : values.keySet()) {
      LocalDateTime day = DateForm.DAY_FIRST.parse(text);
      if (day != null && !day.equals(DateForm.MONTH_FIRST.parse(text))) {
        return true;
      }
    }
    return false;
  }

  /** Whether nearly all cells are numbers, many of them different, some with a unit. */
  boolean hasUnit() {
    long others = texts - writtenNumbers - units;
    return units > 0 && values.size() > FEW && cells() - others > 20 * others;
  }

  /**
   * What seems to be a code for missing numbers, as {@code -999 in 12 of 400 rows, far below};
   * empty if nothing does. It is written in nines alone, stands in 1 % of the rows or more, and is
   * farther from all other numbers than these are from each other.
   */
  String missingCode(long rows) {
    DoubleSummaryStatistics others =
        values.keySet().stream()
            .filter(text -> !CODE.matcher(text).matches())
            .mapToDouble(ColumnProfile::parsed)
            .filter(Double::isFinite)
            .summaryStatistics();
    double range = others.getMax() - others.getMin();
    for (Map.Entry<String, Integer> value : values.entrySet()) {
      int count = value.getValue();
      boolean repeats = !tooMany && count > 1 && 100L * count >= rows;
      if (range > 0 && repeats && CODE.matcher(value.getKey()).matches()) {
        double code = Decimals.parse(value.getKey());
        boolean below = others.getMin() - code > range;
        if (below || code - others.getMax() > range) {
          String side = below ? "below" : "above";
          return "%s in %d of %d rows, far %s".formatted(value.getKey(), count, rows, side);
        }
      }
    }
    return "";
  }

  private static double parsed(String text) {
    double number = Decimals.parse(text);
    return Double.isNaN(number) ? WrittenNumber.parse(text) : number;
  }

  /** Whether the numbers have so long a tail that their logarithm is better. */
  boolean isHeavy() {
    return plain.reach() > 10 && logs.reach() < plain.reach();
  }
}
