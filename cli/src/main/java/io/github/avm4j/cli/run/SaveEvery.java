// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Interval between saves of a model during training.
 *
 * @param rows number of rows, 0 for none
 * @param nanos nanoseconds, 0 for none
 */
public record SaveEvery(long rows, long nanos) {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})(s|m|h|)");
  private static final long SECOND = 1_000_000_000;

  /** Converts {@code 10000} rows, {@code 30s}, {@code 5m}, {@code 1h}; 0 for never. */
  public static final class Converter implements ITypeConverter<SaveEvery> {
    public Converter() {}

    @Override
    public SaveEvery convert(String value) {
      Matcher form = FORM.matcher(value);
      if (!form.matches()) {
        throw new TypeConversionException(
            "'" + value + "' is neither a number of rows nor a time such as 30s, 5m or 1h");
      }
      long number = Long.parseLong(form.group(1));
      return switch (form.group(2)) {
        case "s" -> new SaveEvery(0, Math.multiplyExact(number, SECOND));
        case "m" -> new SaveEvery(0, Math.multiplyExact(number, 60 * SECOND));
        case "h" -> new SaveEvery(0, Math.multiplyExact(number, 3600 * SECOND));
        default -> new SaveEvery(number, 0);
      };
    }
  }

  /** Whether a save is due, given the rows and nanoseconds since the last one. */
  public boolean isDue(long rowsSince, long nanosSince) {
    return (rows > 0 && rowsSince >= rows) || (nanos > 0 && nanosSince >= nanos);
  }
}
