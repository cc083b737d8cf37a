// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of numbers on the command line, with messages that do not name Java types. */
public final class Numbers {
  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?(|k|m|g)(i?)b?");
  private static final Map<String, Integer> POWERS = Map.of("", 0, "k", 1, "m", 2, "g", 3);

  private Numbers() {}

  /** Registers the converters for all commands of {@code line}. */
  public static void register(CommandLine line) {
    line.registerConverter(int.class, Numbers::wholeInt);
    line.registerConverter(Integer.class, Numbers::wholeInt);
    line.registerConverter(long.class, Numbers::whole);
    line.registerConverter(Long.class, Numbers::whole);
    line.registerConverter(double.class, Numbers::real);
    line.registerConverter(Double.class, Numbers::real);
  }

  private static int wholeInt(String value) {
    long number = whole(value);
    if (number != (int) number) {
      throw new TypeConversionException(
          "'" + value + "' is too large: the maximum is " + Integer.MAX_VALUE);
    }
    return (int) number;
  }

  private static long whole(String value) {
    try {
      return new BigDecimal(value.replace("_", "")).longValueExact();
    } catch (NumberFormatException | ArithmeticException e) {
      throw new TypeConversionException("'" + value + "' is not a whole number, such as 1000");
    }
  }

  private static double real(String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + value + "' is not a number, such as 0.5 or 1e-3");
    }
  }

  /**
   * Parses a number of bytes: {@code 1000000}, {@code 64kB}, {@code 1MB}, {@code 1.5GB}, {@code
   * 1MiB}.
   */
  static final class Bytes implements ITypeConverter<Long> {
    Bytes() {}

    @Override
    public Long convert(String value) {
      Matcher form = SIZE.matcher(value.strip().toLowerCase(Locale.ROOT));
      if (!form.matches()) {
        throw new TypeConversionException(
            "'" + value + "' is not a number of bytes, such as 1000000, 1MB or 1.5GB");
      }
      int power = POWERS.getOrDefault(form.group(2), 0);
      int base = form.group(3).isEmpty() ? 1000 : 1024;
      return new BigDecimal(form.group(1))
          .multiply(BigDecimal.valueOf(base).pow(power))
          .longValue();
    }
  }
}
