// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaTest {
  private static final List<String> NAMES = List.of("age", "colour", "when", "empty");

  private static Row row(Object... cells) {
    Row row = new Row();
    row.reset(cells.length);
    for (int c = 0; c < cells.length; c++) {
      if (cells[c] instanceof Number number) {
        row.setNumber(c, number.doubleValue());
      } else if (cells[c] instanceof String text) {
        row.setText(c, text);
      }
    }
    return row;
  }

  private static Schema fitted() {
    SchemaFitter fitter = new SchemaFitter(NAMES, Map.of());
    fitter.add(row(20, "red", "2024-01-01", null));
    fitter.add(row(40, "blue", "2024-01-02 12:00", null));
    fitter.add(row(null, "red", "2024-01-03T18:30:00Z", null));
    return fitter.fit();
  }

  @Test
  void kindsAreFoundFromTheFirstRows() {
    List<Column.Kind> kinds = fitted().columns().stream().map(Column::kind).toList();
    assertEquals(
        List.of(Column.Kind.NUMBER, Column.Kind.CATEGORY, Column.Kind.DATE, Column.Kind.DROPPED),
        kinds);
    assertEquals(1 + 2 + 4, fitted().used());
    assertEquals("age", fitted().featureName(0));
    assertEquals("colour=blue", fitted().featureName(2));
    assertEquals("when cos(weekday)", fitted().featureName(fitted().dimension() - 1));
  }

  @Test
  void datesOfAYearHaveItsTime() {
    for (String last : List.of("2023-12-30", "2023-12-31")) {
      SchemaFitter fitter = new SchemaFitter(List.of("when"), Map.of());
      fitter.add(row("2023-01-01"));
      fitter.add(row(last));
      Schema schema = fitter.fit();
      boolean yearly = last.endsWith("31");
      assertEquals(yearly ? 6 : 4, schema.dimension());
      if (yearly) {
        FeatureVector x = schema.encoder(List.of("when")).encode(row("1970-01-02 06:00"));
        assertEquals("when sin(year)", schema.featureName(4));
        assertEquals(Math.sin(2 * Math.PI * 1.25 / 365.2425), x.get(4), 1e-12);
        assertEquals(Math.cos(2 * Math.PI * 1.25 / 365.2425), x.get(5), 1e-12);
      }
    }
  }

  @Test
  void encodesNumbersCategoriesAndTimes() {
    FeatureVector x = fitted().encoder(NAMES).encode(row(33, "blue", "1970-01-02 06:00", null));
    assertFalse(x.isSparse());
    assertEquals(33, x.get(0));
    assertEquals(0, x.get(1));
    assertEquals(1, x.get(2));
    int time = fitted().dimension() - 4;
    assertEquals(1, x.get(time), 1e-12);
    assertEquals(0, x.get(time + 1), 1e-12);
    assertEquals(Math.sin(2 * Math.PI * 4.25 / 7), x.get(time + 2), 1e-12);
    assertEquals(Math.cos(2 * Math.PI * 4.25 / 7), x.get(time + 3), 1e-12);
  }

  @Test
  void missingUnseenAndExtraHaveTheirAnswers() {
    RowEncoder encoder = fitted().encoder(List.of("extra", "colour", "age"));
    FeatureVector x = encoder.encode(row("?", "green", "old"));
    double[] expected = new double[fitted().dimension()];
    expected[0] = 30;
    for (String day : List.of("2024-01-01", "2024-01-02 12:00", "2024-01-03 18:30")) {
      double[] times = fitted().encoder(NAMES).encode(row(0, "red", day, null)).values();
      for (int k = expected.length - 4; k < expected.length; k++) {
        expected[k] += times[k] / 3;
      }
    }
    for (int k = expected.length - 4; k < expected.length; k += 2) {
      double radius = Math.hypot(expected[k], expected[k + 1]);
      expected[k] /= radius;
      expected[k + 1] /= radius;
    }
    assertArrayEquals(expected, x.values(), 1e-12);
  }

  @Test
  void cellsThatCannotBeUsedAreTold() {
    RowEncoder encoder = fitted().encoder(NAMES);
    Row row = row("abc", "green", "2024-13-01", "x");
    encoder.encode(row);
    assertEquals(3, encoder.unusableCount());
    List<String> found = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      found.add(encoder.unusableColumn(k) + " " + encoder.unusableText(row, k));
    }
    assertEquals(List.of("0 abc", "1 green", "2 2024-13-01"), found);
    assertThrows(IndexOutOfBoundsException.class, () -> encoder.unusableColumn(3));
    encoder.encode(row(33, "red", 17, null));
    assertEquals(1, encoder.unusableCount());
    assertEquals(2, encoder.unusableColumn(0));
    encoder.encode(row(null, null, null, null));
    assertEquals(0, encoder.unusableCount());
  }

  @Test
  void numbersBeforeTheFirstTextAreCategoriesToo() {
    SchemaFitter fitter = new SchemaFitter(List.of("grade"), Map.of());
    for (Object grade : new Object[] {1, 2, "A", "B", 2}) {
      fitter.add(row(grade));
    }
    assertEquals(List.of("1", "2", "A", "B"), fitter.fit().columns().get(0).categories());
  }

  @Test
  void everyValueOfManyHasItsFeatureAndAllDifferentOnesAreLeftOut() {
    SchemaFitter fitter = new SchemaFitter(List.of("city", "id"), Map.of());
    for (int i = 0; i < 400; i++) {
      fitter.add(row("city" + i % 60, "id" + i));
    }
    Schema schema = fitter.fit();
    assertEquals(60, schema.columns().get(0).categories().size());
    assertEquals(Column.Kind.DROPPED, schema.columns().get(1).kind());
    assertEquals(
        List.of(new SchemaFitter.Finding("id", SchemaFitter.Finding.What.IDENTIFIER, "400")),
        fitter.findings());
    FeatureVector x = schema.encoder(List.of("city", "id")).encode(row("city7", "id9"));
    assertEquals(1, x.squaredNorm());
    assertEquals(1, x.get(7));
  }

  @Test
  void hashesNeverChange() {
    assertEquals(0, TextHash.FNV.bucket("EWR", 64));
    assertEquals(1, TextHash.FNV.bucket("JFK", 64));
    assertEquals(17, TextHash.FNV.bucket("LGA", 64));
    assertEquals(0, TextHash.FNV.bucket("", 1));
    assertEquals(0, TextHash.murmur3(""));
    assertEquals(0x248BFA47, TextHash.murmur3("hello"));
    assertEquals(0x149BBB7F, TextHash.murmur3("hello, world"));
    assertEquals(0x2E4FF723, TextHash.murmur3("The quick brown fox jumps over the lazy dog"));
    assertEquals(0x248BFA47 % 100, TextHash.MURMUR3.bucket("hello", 100));
    assertEquals(
        (int) (Integer.toUnsignedLong(TextHash.murmur3("test")) % 64),
        TextHash.MURMUR3.bucket("test", 64));
  }

  @Test
  void overridesWin() {
    Map<String, Column.Kind> told = Map.of("age", Column.Kind.CATEGORY);
    SchemaFitter fitter = new SchemaFitter(List.of("age"), told);
    fitter.add(row(7));
    fitter.add(row(8));
    Schema schema = fitter.fit();
    assertEquals(List.of("7", "8"), schema.columns().get(0).categories());
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new SchemaFitter(List.of("a"), Map.of("b", Column.Kind.NUMBER)))
            .getMessage();
    assertTrue(message.contains("no column is named b"), message);
  }

  @Test
  void aFewTextsDoNotMakeNumbersCategories() {
    SchemaFitter fitter = new SchemaFitter(List.of("v"), Map.of());
    for (int i = 0; i < 100; i++) {
      fitter.add(i == 50 ? row("oops") : row(i));
    }
    assertEquals(Column.Kind.NUMBER, fitter.fit().columns().get(0).kind());
  }

  @Test
  void manyCategoriesGiveSparseVectors() {
    Column wide = new Column("w", Column.Kind.HASHED, 0, List.of(), 1000);
    Column number = new Column("n", Column.Kind.NUMBER, 0, List.of(), 0);
    Schema schema = new Schema(List.of(number, wide));
    assertTrue(schema.isSparse());
    FeatureVector x = schema.encoder(List.of("n", "w")).encode(row(3, "x"));
    assertEquals(2, x.count());
    assertEquals(3, x.get(0));
  }

  @Test
  void numberedFeaturesPass() {
    Row row = new Row();
    row.reset(0);
    row.addFeature(4, 2);
    assertEquals(2, Schema.numbered().encoder(List.of()).encode(row).get(4));
    assertThrows(IllegalArgumentException.class, () -> fitted().encoder(NAMES).encode(row));
  }
}
