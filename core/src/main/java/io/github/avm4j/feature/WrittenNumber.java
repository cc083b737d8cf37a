// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as people write them: money ({@code $50,012}, {@code 3,50 €}, {@code (1,200.00)}),
 * percentages ({@code 10.3%} is 10.3) and groups of thousands ({@code 1,234,567}). A plain number
 * is not of this kind: readers have made it a number already.
 *
 * <p>A comma before exactly three digits separates thousands. A comma before one or two digits is a
 * decimal comma, and then a currency or percent sign must stand beside it. Where both a comma and a
 * point occur, the last of them is the decimal one.
 */
final class WrittenNumber {
  private static final int LONGEST = 40;
  private static final String CURRENCY =
      "(?:(?:US|CA|AU|NZ|HK)?\\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|BRL)";
  private static final Pattern SHAPE =
      Pattern.compile(
          "(\\()?([-+\u2212]?)\\s?("
              + CURRENCY
              + ")?\\s?([-+\u2212]?)([0-9][0-9.,'\u00A0\u202F]*|\\.[0-9]+)\\s?(%|"
              + CURRENCY
              + ")?(\\))?");
  private static final Pattern COMMA_GROUPS =
      Pattern.compile("[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]+)?");
  private static final Pattern OTHER_GROUPS =
      Pattern.compile("[0-9]{1,3}(?:['\u00A0\u202F][0-9]{3})+(?:[.,][0-9]+)?");
  private static final Pattern POINT_GROUPS =
      Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\\.[0-9]{3}){2,}");
  private static final Pattern PLAIN = Pattern.compile("[0-9]*\\.?[0-9]+|[0-9]+\\.");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[0-9]+,[0-9]{1,2}");

  private static final Pattern WITH_UNIT =
      Pattern.compile("[-+\u2212]?[0-9][0-9.,'\u00A0\u202F]*\\s?([\\p{L}°][^0-9]{0,11}[23]?)");

  private WrittenNumber() {}

  /** The unit that follows a number, as {@code m2} in {@code 120 m2}; null if none does. */
  static @Nullable String unit(String text) {
    Matcher shape = text.length() > LONGEST ? null : WITH_UNIT.matcher(text);
    return shape != null && shape.matches() ? shape.group(1) : null;
  }

  /** The number that {@code text} writes, or NaN. */
  public static double parse(String text) {
    int length = text.length();
    if (length < 2 || length > LONGEST) {
      return Double.NaN;
    }
    Matcher shape = SHAPE.matcher(text);
    if (!shape.matches() || (shape.group(1) == null) != (shape.group(7) == null)) {
      return Double.NaN;
    }
    boolean signs = !shape.group(2).isEmpty() && !shape.group(4).isEmpty();
    boolean marked = shape.group(3) != null || shape.group(6) != null;
    String digits = signs ? null : plain(shape.group(5), marked);
    if (digits == null) {
      return Double.NaN;
    }
    String sign = shape.group(2) + shape.group(4);
    boolean negative = shape.group(1) != null || sign.equals("-") || sign.equals("\u2212");
    double value = Double.parseDouble(digits);
    return negative ? -value : value;
  }

  private static @Nullable String plain(String body, boolean marked) {
    if (COMMA_GROUPS.matcher(body).matches()) {
      return body.replace(",", "");
    }
    if (POINT_GROUPS.matcher(body).matches()) {
      return body.replace(".", "").replace(',', '.');
    }
    if (OTHER_GROUPS.matcher(body).matches()) {
      return body.replaceAll("['\u00A0\u202F]", "").replace(',', '.');
    }
    if (marked && PLAIN.matcher(body).matches()) {
      return body;
    }
    return marked && DECIMAL_COMMA.matcher(body).matches() ? body.replace(',', '.') : null;
  }
}
