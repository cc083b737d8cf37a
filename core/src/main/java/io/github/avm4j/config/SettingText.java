// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations, sizes and Booleans as settings are written: {@code 30s}, {@code 1MB}, {@code true}.
 * The command's options, the server's settings and a job's file are all read here, so that what was
 * learned of one can be written in the others.
 *
 * @since 0.1.0
 */
public final class SettingText {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,6})?)(.*)");
  private static final Map<String, Long> FACTORS =
      Map.of(
          "", 1L,
          "B", 1L,
          "KB", 1000L,
          "MB", 1_000_000L,
          "GB", 1_000_000_000L,
          "KIB", 1L << 10,
          "MIB", 1L << 20,
          "GIB", 1L << 30);

  private SettingText() {}

  /**
   * Reads a duration: a whole number and its unit, without a blank.
   *
   * @param text such as {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 7d}
   * @return the duration
   * @throws IllegalArgumentException if it is none; the message says what it must be
   */
  public static Duration duration(String text) {
    Matcher parts = DURATION.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be a duration such as 500ms, 30s, 5m, 1h or 7d, was " + text);
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  /**
   * Reads a size: a number of bytes, or one with a unit in any case, without a blank. A kilobyte
   * {@code kB} is 1,000 bytes, a kibibyte {@code KiB} 1,024.
   *
   * @param text such as {@code 65536}, {@code 300kB}, {@code 1MB}, {@code 16MiB}
   * @return the number of bytes
   * @throws IllegalArgumentException if it is none; the message says what it must be
   */
  public static long size(String text) {
    Matcher parts = SIZE.matcher(text);
    @Nullable Long factor =
        parts.matches() ? FACTORS.get(parts.group(2).toUpperCase(Locale.ROOT)) : null;
    if (factor != null) {
      BigDecimal bytes = new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(factor));
      if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
        return bytes.longValue();
      }
    }
    throw new IllegalArgumentException(
        "must be a size such as 65536, 300kB, 1MB, 1.5GB or 16MiB, was " + text);
  }

  /**
   * Reads a Boolean.
   *
   * @param text {@code true} or {@code false}
   * @return the Boolean
   * @throws IllegalArgumentException if it is none; the message says what it must be
   */
  public static boolean flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("must be true or false, was " + text);
    }
    return text.equals("true");
  }
}
