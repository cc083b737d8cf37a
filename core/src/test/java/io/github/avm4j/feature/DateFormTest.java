// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DateFormTest {
  @ParameterizedTest
  @CsvSource({
    "YEAR_FIRST, 2001-02-03, 2001-02-03T00:00",
    "YEAR_FIRST, 2001/2/3, 2001-02-03T00:00",
    "YEAR_FIRST, 2001-02-03 04:05, 2001-02-03T04:05",
    "YEAR_FIRST, 2001-02-03T04:05:06+02:00, 2001-02-03T04:05:06",
    "YEAR_FIRST, 2001-02-03T04:05:06.789Z, 2001-02-03T04:05:06",
    "YEAR_FIRST, 2001-02-03 04:05 UTC, 2001-02-03T04:05",
    "ISO, 2001-02-03T04:05:06-0200, 2001-02-03T04:05:06",
    "DAY_FIRST, 31/01/2024, 2024-01-31T00:00",
    "DAY_FIRST, 31.1.24, 2024-01-31T00:00",
    "DAY_FIRST, 1-2-1999 23:59, 1999-02-01T23:59",
    "DAY_FIRST, 31.12.70, 1970-12-31T00:00",
    "MONTH_FIRST, 1/31/2024 12:30 AM, 2024-01-31T00:30",
    "MONTH_FIRST, 01/31/2024 1:30PM, 2024-01-31T13:30",
    "MONTH_FIRST, 1/31/24 12:00 pm, 2024-01-31T12:00"
  })
  void datesAreReadAsWritten(DateForm form, String text, LocalDateTime expected) {
    assertEquals(expected, form.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yesterday",
        "2001-13-03",
        "2001-02-30",
        "31/01/2024",
        "01-02",
        "2001-02-03x",
        "2001-02-03 25:00",
        "2001-02-03 10",
        "2001-02-03 13:00 PM",
        "2001-02/03",
        "20010203",
        "10.0.0.1",
        "1.2.3",
        "2001-02-03 04:05 later",
        "1-2-3-4",
        "2001-02-03T"
      })
  void othersAreNoDates(String text) {
    assertNull(DateForm.YEAR_FIRST.parse(text));
  }

  @Test
  void theOrderDecides() {
    assertEquals(LocalDateTime.of(2024, 2, 1, 0, 0), DateForm.DAY_FIRST.parse("01/02/2024"));
    assertEquals(LocalDateTime.of(2024, 1, 2, 0, 0), DateForm.MONTH_FIRST.parse("01/02/2024"));
    assertNull(DateForm.MONTH_FIRST.parse("31/01/2024"));
    assertNull(DateForm.DAY_FIRST.parse("2024-01-31"));
    LocalDateTime iso = DateForm.DAY_FIRST.parseOrIso("2024-01-31");
    assertEquals(LocalDateTime.of(2024, 1, 31, 0, 0), iso);
    assertNull(DateForm.DAY_FIRST.parseOrIso("01/31/2024"));
  }
}
