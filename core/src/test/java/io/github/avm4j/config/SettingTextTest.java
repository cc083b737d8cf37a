// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTextTest {
  @Test
  void readsDurations() {
    assertEquals(Duration.ofMillis(500), SettingText.duration("500ms"));
    assertEquals(Duration.ofSeconds(30), SettingText.duration("30s"));
    assertEquals(Duration.ofMinutes(5), SettingText.duration("5m"));
    assertEquals(Duration.ofHours(1), SettingText.duration("1h"));
    assertEquals(Duration.ofDays(7), SettingText.duration("7d"));
    assertEquals(Duration.ZERO, SettingText.duration("0s"));
    assertEquals(Duration.ofDays(999_999_999), SettingText.duration("999999999d"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "30",
        "0",
        "30 s",
        "5 min",
        "5min",
        "-1s",
        "1.5h",
        "1e3s",
        "30S",
        "1234567890s"
      })
  void refusesOtherDurations(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> SettingText.duration(text));
    assertEquals(
        "must be a duration such as 500ms, 30s, 5m, 1h or 7d, was " + text, e.getMessage());
  }

  @Test
  void readsSizes() {
    assertEquals(65_536, SettingText.size("65536"));
    assertEquals(7, SettingText.size("7B"));
    assertEquals(300_000, SettingText.size("300kB"));
    assertEquals(1_500_000_000, SettingText.size("1.5GB"));
    assertEquals(1_000_000, SettingText.size("1MB"));
    assertEquals(1_000_000, SettingText.size("1mb"));
    assertEquals(2048, SettingText.size("2KiB"));
    assertEquals(16_777_216, SettingText.size("16MiB"));
    assertEquals(1L << 32, SettingText.size("4GiB"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "MB", "1 MB", "1M", "1k", "-1", "1e6", "9223372036854775807.5GB", "9e9"})
  void refusesOtherSizes(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> SettingText.size(text));
    assertTrue(String.valueOf(e.getMessage()).endsWith("was " + text), e.getMessage());
  }

  @Test
  void readsBooleans() {
    assertTrue(SettingText.flag("true"));
    assertFalse(SettingText.flag("false"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "no", "on", "TRUE", "1"})
  void refusesOtherBooleans(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> SettingText.flag(text));
    assertEquals("must be true or false, was " + text, e.getMessage());
  }
}
