// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The order of day, month and year in a text, with {@code -}, {@code /} or {@code .} between them.
 * A time of day may follow after {@code T} or a blank, with AM or PM, and a zone, which is ignored:
 * times are taken as written. A year of two digits is one of 1969 to 2068.
 */
public enum DateForm {
  /** ISO dates as files of the first format have them: without the time of year. */
  ISO("yyyy-MM-dd"),
  /** {@code 2024-01-31}, {@code 2024/1/31}. */
  YEAR_FIRST("yyyy-MM-dd"),
  /** {@code 31/01/2024}, {@code 31.1.24}. */
  DAY_FIRST("dd/MM/yyyy"),
  /** {@code 01/31/2024}, {@code 1/31/24}. */
  MONTH_FIRST("MM/dd/yyyy");

  private static final int LONGEST = 40;
  private static final int PIVOT = 69;

  private final String pattern;

  DateForm(String pattern) {
    this.pattern = pattern;
  }

  /** {@return the order in the letters of date patterns} */
  public String pattern() {
    return pattern;
  }

  /** As {@link #parse}; a text that begins with the year is taken too, as it cannot be mistaken. */
  @Nullable LocalDateTime parseOrIso(String text) {
    LocalDateTime time = parse(text);
    return time == null && this != YEAR_FIRST ? YEAR_FIRST.parse(text) : time;
  }

  /**
   * {@return the date, or date and time, that {@code text} writes in this order; null if it does
   * not}
   *
   * @param text the text
   */
  public @Nullable LocalDateTime parse(String text) {
    if (text.length() < 6 || text.length() > LONGEST) {
      return null;
    }
    Cursor in = new Cursor(text);
    int first = in.number(4);
    int firstDigits = in.digits;
    char separator = in.next();
    int second = in.number(2);
    boolean parted = in.take(separator) && "-/.".indexOf(separator) >= 0;
    int third = in.number(4);
    boolean yearFirst = this == ISO || this == YEAR_FIRST;
    int yearDigits = yearFirst ? firstDigits : in.digits;
    int dayDigits = yearFirst ? in.digits : firstDigits;
    boolean lengths = (yearDigits == 4 || (yearDigits == 2 && !yearFirst)) && dayDigits <= 2;
    if (!parted || first < 0 || second < 0 || third < 0 || !lengths) {
      return null;
    }
    int written = yearFirst ? first : third;
    int year = yearDigits == 4 ? written : written + (written < PIVOT ? 2000 : 1900);
    int month = this == MONTH_FIRST ? first : second;
    int day = yearFirst ? third : this == MONTH_FIRST ? second : first;
    double seconds = in.timeOfDay();
    if (Double.isNaN(seconds)) {
      return null;
    }
    try {
      return LocalDate.of(year, month, day).atStartOfDay().plusSeconds((long) seconds);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Reads a text from left to right. */
  private static final class Cursor {
    private final String text;
    private int at;
    int digits;

    Cursor(String text) {
      this.text = text;
    }

    boolean atEnd() {
      return at >= text.length();
    }

    char next() {
      return atEnd() ? 0 : text.charAt(at++);
    }

    boolean take(char wanted) {
      boolean there = !atEnd() && text.charAt(at) == wanted;
      at += there ? 1 : 0;
      return there;
    }

    /** A number of at most so many digits, or −1; how many they were is in {@link #digits}. */
    int number(int most) {
      int value = 0;
      digits = 0;
      while (!atEnd() && digits < most && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        value = 10 * value + text.charAt(at++) - '0';
        digits++;
      }
      return digits == 0 ? -1 : value;
    }

    /** Seconds of the day, 0 if no time follows; NaN if what follows is no time. */
    double timeOfDay() {
      if (atEnd()) {
        return 0;
      }
      take(',');
      if (!take('T') && !take(' ')) {
        return Double.NaN;
      }
      int hour = number(2);
      int minute = take(':') ? number(2) : -1;
      int second = take(':') ? number(2) : 0;
      while (second >= 0 && (take('.') || take(','))) {
        number(9);
      }
      boolean range = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second < 60;
      if (!range || second < 0) {
        return Double.NaN;
      }
      int half = half();
      if (half >= 0 && (hour == 0 || hour > 12)) {
        return Double.NaN;
      }
      int hours = half < 0 ? hour : hour % 12 + 12 * half;
      return isZone(text.substring(at)) ? 3600.0 * hours + 60 * minute + second : Double.NaN;
    }

    /** 0 for AM, 1 for PM, −1 for neither. */
    private int half() {
      int start = !atEnd() && text.charAt(at) == ' ' ? at + 1 : at;
      boolean morning = text.regionMatches(true, start, "AM", 0, 2);
      boolean evening = text.regionMatches(true, start, "PM", 0, 2);
      if (morning || evening) {
        at = start + 2;
      }
      return morning ? 0 : evening ? 1 : -1;
    }

    private static boolean isZone(String rest) {
      return rest.isEmpty() || rest.matches(" ?(Z|UTC|GMT|[-+]\\d\\d(:?\\d\\d){0,2})");
    }
  }
}
