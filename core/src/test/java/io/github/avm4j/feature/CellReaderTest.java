// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What values of any type are in columns of each kind. */
class CellReaderTest {
  private static final CellReader CODED =
      CellReader.DEFAULT.withMissing(List.of("-999", "unknown"));

  private static Row row(@Nullable Object value) {
    Row row = new Row();
    row.reset(1);
    row.set(0, value);
    return row;
  }

  private static double number(CellReader cells, @Nullable Object value) {
    return cells.isMissing(row(value), 0) ? Double.NaN : cells.number(row(value), 0);
  }

  private static String key(Object value) {
    return CellReader.DEFAULT.key(row(value), 0, false);
  }

  @Test
  void aNumberIsOneHoweverItIsWritten() {
    for (Object value :
        new Object[] {
          120,
          120L,
          120.0,
          120f,
          (short) 120,
          new BigDecimal("120.00"),
          BigInteger.valueOf(120),
          "120",
          " +120.0 ",
          "1.2e2",
          "$120",
          "120%",
          CharBuffer.wrap("120")
        }) {
      assertEquals(120, number(CellReader.DEFAULT, value), value.getClass() + " " + value);
    }
    assertEquals(0.1, number(CellReader.DEFAULT, 0.1f));
    assertEquals(1, number(CellReader.DEFAULT, true));
    assertEquals(0, number(CellReader.DEFAULT, "False"));
    assertTrue(Double.isNaN(number(CellReader.DEFAULT, "abc")));
    assertTrue(Double.isNaN(number(CellReader.DEFAULT, "1,5")));
    assertEquals(1.5, number(CellReader.DEFAULT.withDecimalComma(true), "1,5"));
    assertEquals(1.2, number(CellReader.DEFAULT.withDecimalComma(true), "1,200"));
    assertEquals(1200, number(CellReader.DEFAULT, "1,200"));
  }

  @Test
  void aCategoryIsOneHoweverItIsWritten() {
    for (Object value :
        new Object[] {7, 7.0, 7f, "7", "07", "+7.0", "7e0", new BigDecimal("7.00")}) {
      assertEquals("7", key(value), value.getClass() + " " + value);
    }
    for (Object value : new Object[] {true, "true", "TRUE", "True"}) {
      assertEquals("true", key(value));
    }
    assertEquals("0.1", key(0.1f));
    assertEquals("a b", key(" a b "));
    assertEquals("x", key('x'));
    assertEquals("MONDAY", key(DayOfWeek.MONDAY));
    assertEquals("07", CellReader.DEFAULT.key(row("07"), 0, true), "as written");
    assertEquals("7", CellReader.DEFAULT.key(row(7.0), 0, true), "as written");
    assertEquals("0.5", CellReader.DEFAULT.withDecimalComma(true).key(row("0,5"), 0, false));
    for (String text : List.of("7", "07", "true", "True", "a", "-0")) {
      assertEquals(key(text), CellReader.DEFAULT.category(text));
    }
  }

  @Test
  void wordsAndNumbersThatMeanMissing() {
    for (Object value :
        new Object[] {
          null,
          "",
          "  ",
          "?",
          "na",
          "N/A",
          "NaN",
          "NULL",
          "None",
          Double.NaN,
          Float.NaN,
          Double.POSITIVE_INFINITY,
          "inf",
          "-Infinity",
          "+inf",
          "UNKNOWN",
          -999,
          "-999.0",
          "-9.99e2"
        }) {
      assertTrue(CODED.isMissing(row(value), 0), String.valueOf(value));
      assertTrue(value == null || CODED.isMissing(value.toString()), String.valueOf(value));
    }
    for (Object value : new Object[] {-998, "nanny", "info", "x", 0, "1e999", "-"}) {
      assertFalse(CODED.isMissing(row(value), 0), String.valueOf(value));
    }
    assertFalse(CellReader.DEFAULT.isMissing(row(-999), 0));
  }

  @Test
  void allDatesOfJavaAreDates() {
    LocalDateTime time = LocalDateTime.of(2024, 5, 31, 10, 30);
    Instant instant = time.toInstant(ZoneOffset.UTC);
    for (Object value :
        new Object[] {
          time,
          instant,
          Date.from(instant),
          time.atOffset(ZoneOffset.ofHours(-7)),
          time.atZone(ZoneId.of("Europe/Paris")),
          OffsetDateTime.of(time, ZoneOffset.UTC),
          "2024-05-31 10:30",
          "2024/5/31T10:30:00Z"
        }) {
      for (DateForm form : DateForm.values()) {
        assertEquals(time, CellReader.DEFAULT.time(row(value), 0, form), value.toString());
      }
    }
    LocalDate day = LocalDate.of(2024, 5, 31);
    assertEquals(day.atStartOfDay(), CellReader.DEFAULT.time(row(day), 0, DateForm.DAY_FIRST));
    assertEquals(null, CellReader.DEFAULT.time(row(20240531), 0, DateForm.YEAR_FIRST));
  }

  @Test
  void whatIsNoCellIsRefused() {
    for (Object value :
        new Object[] {List.of(1), Map.of(), new int[] {1}, Optional.of(1), new Object()}) {
      String message = assertThrows(IllegalArgumentException.class, () -> row(value)).getMessage();
      assertTrue(message.startsWith(Row.EXPECTED), message);
    }
  }

  @Test
  void aRowKeepsHowNumbersAreWritten() {
    Row row = new Row();
    row.reset(3);
    row.set(0, "007");
    row.set(1, 12);
    row.setText(2, " 1e2 ");
    Row copy = new Row();
    copy.copyFrom(row);
    row.reset(3);
    row.set(0, "9999");
    for (Row each : List.of(copy, copy)) {
      assertEquals("007", each.written(0));
      assertEquals("7", each.text(0));
      assertEquals("12", each.written(1));
      assertEquals("1e2", each.written(2));
      assertEquals(100, each.number(2));
    }
  }

  @Test
  void aSchemaReadsByItsRules() {
    Schema schema =
        Schema.builder()
            .number("n")
            .category("zip")
            .cells(CODED.withVerbatim(Set.of("zip")))
            .build();
    GrowingSchema growing = new GrowingSchema(schema);
    RowEncoder encoder = growing.encoder(List.of("n", "zip"));
    Row row = new Row();
    for (Object zip : new Object[] {"01234", 1234, "unknown", "1234"}) {
      row.reset(2);
      row.set(0, -999);
      row.set(1, zip);
      encoder.encode(row);
      assertEquals(0, encoder.unusableCount());
    }
    assertEquals(List.of("01234", "1234"), growing.schema().columns().get(1).categories());
    assertEquals(schema.cells(), growing.schema().cells());
    assertEquals(schema.cells(), schema.closed().cells());
  }
}
