// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.config.SettingText;
import java.math.BigDecimal;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of numbers on the command line, with messages that do not name Java types. */
public final class Numbers {
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

  /** Parses a number of bytes: {@code 1000000}, {@code 64kB}, {@code 1.5GB}, {@code 1MiB}. */
  static final class Bytes implements ITypeConverter<Long> {
    Bytes() {}

    @Override
    public Long convert(String value) {
      try {
        return SettingText.size(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
