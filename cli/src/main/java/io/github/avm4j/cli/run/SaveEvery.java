// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.config.SettingText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Interval between saves of a model during training.
 *
 * @param rows number of rows, 0 for none
 * @param nanos nanoseconds, 0 for none
 */
public record SaveEvery(long rows, long nanos) {
  /** Converts {@code 10000} rows, {@code 30s}, {@code 5m}, {@code 1h}; 0 for never. */
  public static final class Converter implements ITypeConverter<SaveEvery> {
    public Converter() {}

    @Override
    public SaveEvery convert(String value) {
      if (value.matches("[0-9]{1,15}")) {
        return new SaveEvery(Long.parseLong(value), 0);
      }
      try {
        return new SaveEvery(0, SettingText.duration(value).toNanos());
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new TypeConversionException(
            "'" + value + "' is neither a number of rows nor a duration such as 30s, 5m or 1h");
      }
    }
  }

  /** Whether a save is due, given the rows and nanoseconds since the last one. */
  public boolean isDue(long rowsSince, long nanosSince) {
    return (rows > 0 && rowsSince >= rows) || (nanos > 0 && nanosSince >= nanos);
  }
}
