// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class SchemaFitterTest {
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

  /** A fitter that has seen so many cells of a column, beside a column of numbers. */
  private static SchemaFitter seen(String name, int rows, IntFunction<Object> cells) {
    SchemaFitter fitter = new SchemaFitter(List.of(name, "x"), Map.of());
    for (int i = 0; i < rows; i++) {
      fitter.add(row(cells.apply(i), i * 0.37 % 1));
    }
    return fitter;
  }

  private static Column.Kind kind(String name, int rows, IntFunction<Object> cells) {
    return seen(name, rows, cells).fit().columns().get(0).kind();
  }

  private static List<SchemaFitter.Finding> findings(
      String name, int rows, IntFunction<Object> cells) {
    SchemaFitter fitter = seen(name, rows, cells);
    fitter.fit();
    return fitter.findings();
  }

  @Test
  void identifiersAreLeftOutInSmallFilesToo() {
    assertEquals(Column.Kind.DROPPED, kind("customer_id", 20, i -> 5000 + 17 * i % 101));
    assertEquals(Column.Kind.DROPPED, kind("customerId", 20, i -> 5000 + i));
    assertEquals(Column.Kind.DROPPED, kind("email", 20, i -> "u" + i + "@example.org"));
    assertEquals(Column.Kind.DROPPED, kind("name", 100, i -> "person " + i % 95));
    assertEquals(Column.Kind.DROPPED, kind("Unnamed: 0", 20, i -> i));
    assertEquals(
        List.of(new SchemaFitter.Finding("email", SchemaFitter.Finding.What.IDENTIFIER, "20")),
        findings("email", 20, i -> "u" + i + "@example.org"));
  }

  @Test
  void quantitiesAndRepeatedValuesStay() {
    assertEquals(Column.Kind.NUMBER, kind("income", 20, i -> 5000 + 17 * i));
    assertEquals(Column.Kind.NUMBER, kind("year", 20, i -> 1990 + i));
    assertEquals(Column.Kind.NUMBER, kind("air_quality_index", 20, i -> 10 + 3 * i));
    assertEquals(Column.Kind.NUMBER, kind("sensor_id", 20, i -> i % 5));
    assertEquals(Column.Kind.CATEGORY, kind("tail", 1000, i -> "N" + i * 7919 % 700));
    assertEquals(Column.Kind.CATEGORY, kind("colour", 5, i -> "c" + i));
  }

  @Test
  void anIdentifierCanBeForcedIn() {
    SchemaFitter fitter =
        new SchemaFitter(
            List.of("id", "mail"), Map.of("id", Column.Kind.NUMBER, "mail", Column.Kind.CATEGORY));
    for (int i = 0; i < 50; i++) {
      fitter.add(row(i, "m" + i));
    }
    Schema schema = fitter.fit();
    assertEquals(Column.Kind.NUMBER, schema.columns().get(0).kind());
    assertEquals(50, schema.columns().get(1).categories().size());
    assertEquals(List.of(), fitter.findings());
  }

  @Test
  void freeTextIsLeftOutAndSaid() {
    IntFunction<Object> review = i -> "the room number " + i + " was very clean and quiet";
    assertEquals(
        List.of(new SchemaFitter.Finding("review", SchemaFitter.Finding.What.FREE_TEXT, "60")),
        findings("review", 60, review));
    assertEquals(Column.Kind.CATEGORY, kind("answer", 60, i -> "I do not agree at all " + i % 3));
  }

  private static List<SchemaFitter.Finding> code(String detail) {
    return List.of(new SchemaFitter.Finding("bmi", SchemaFitter.Finding.What.MISSING_CODE, detail));
  }

  @Test
  void aNumberThatSeemsToMeanMissingIsFound() {
    IntFunction<Object> bmi = i -> 18 + i * 7 % 31;
    assertEquals(
        code("-999 in 20 of 200 rows, far below"),
        findings("bmi", 200, i -> i % 10 == 0 ? -999 : bmi.apply(i)));
    assertEquals(
        code("99999 in 10 of 1000 rows, far above"),
        findings("bmi", 1000, i -> i % 100 == 7 ? 99999 : i * 0.01));
    assertEquals(
        code("-9 in 50 of 100 rows, far below"),
        findings("bmi", 100, i -> i % 2 == 0 ? -9 : i / 2 % 2));
    List<SchemaFitter.Finding> money =
        findings("bmi", 200, i -> i % 10 == 0 ? "-999.0" : "$1,0" + (10 + i % 50));
    assertEquals(code("-999 in 20 of 200 rows, far below"), money.subList(1, 2));
    assertEquals(
        code("-99 in 33 of 99 rows, far below"),
        findings("bmi", 99, i -> i % 3 == 0 ? -99 : i % 3 == 1 ? -999 : i));
  }

  @Test
  void numbersAmongTheOthersOrRareOnesMeanWhatTheySay() {
    assertEquals(List.of(), findings("a", 1000, i -> i % 200 == 0 ? -999 : 18 + i % 31));
    assertEquals(List.of(), findings("a", 200, i -> i % 10 == 0 ? -998 : 18 + i % 31));
    assertEquals(List.of(), findings("a", 200, i -> i % 10 == 0 ? -999 : 18 + 7 * i));
    assertEquals(List.of(), findings("a", 200, i -> i % 10 == 0 ? 999 : 18 + 7 * i));
    assertEquals(List.of(), findings("a", 200, i -> i % 2 == 0 ? -9 : 9));
    assertEquals(List.of(), findings("a", 200, i -> i % 10 == 0 ? -999 : 1));
    assertEquals(List.of(), findings("a", 200, i -> i % 10 == 0 ? 99 : i % 10));
    SchemaFitter told =
        new SchemaFitter(List.of("a", "x"), Map.of())
            .cells(CellReader.DEFAULT.withMissing(List.of("-999")));
    for (int i = 0; i < 200; i++) {
      told.add(row(i % 10 == 0 ? -999 : 18 + i % 31, i * 0.37 % 1));
    }
    told.fit();
    assertEquals(List.of(), told.findings());
  }

  @Test
  void numbersWithAUnitAreFound() {
    List<SchemaFitter.Finding> area =
        List.of(
            new SchemaFitter.Finding("area", SchemaFitter.Finding.What.NUMBERS_WITH_UNIT, "40 m2"));
    assertEquals(area, findings("area", 300, i -> 40 + i % 90 + " m2"));
    assertEquals(area, findings("area", 300, i -> i % 4 == 3 ? "55" : 40 + i % 90 + " m2"));
    assertEquals(
        "NUMBERS_WITH_UNIT", findings("kg", 300, i -> 0.5 * i + " kg").get(0).what().toString());
    assertEquals(List.of(), findings("doors", 300, i -> 2 + i % 4 + " doors"));
    assertEquals(List.of(), findings("flat", 300, i -> 1 + i % 20 + (i % 3 == 0 ? "A" : "B")));
    assertEquals(List.of(), findings("town", 300, i -> "town " + i % 30));
    assertEquals(List.of(), findings("age", 300, i -> 10 * (i % 20) + "-" + 9 * (i % 20)));
  }

  @Test
  void moneyAndPercentagesAreNumbers() {
    assertEquals(
        Column.Kind.NUMBER, kind("price", 40, i -> i % 7 == 0 ? "12" : "$50,0" + (10 + i)));
    SchemaFitter fitter = seen("price", 40, i -> "$50,0" + (10 + i));
    Schema schema = fitter.fit();
    assertEquals(Column.Kind.NUMBER, schema.columns().get(0).kind());
    assertEquals(
        List.of(
            new SchemaFitter.Finding(
                "price", SchemaFitter.Finding.What.WRITTEN_NUMBERS, "$50,010")),
        fitter.findings());
    RowEncoder encoder = schema.encoder(List.of("price", "x"));
    assertEquals(7012.5, encoder.encode(row("$7,012.50", 0)).get(0));
    assertEquals(7, encoder.encode(row(7, 0)).get(0));
    assertEquals(0, encoder.unusableCount());
    assertEquals(50_029.5, encoder.encode(row("cheap", 0)).get(0), 1e-9);
    assertEquals(1, encoder.unusableCount());
    assertEquals(Column.Kind.NUMBER, kind("rate", 40, i -> i / 10.0 + "%"));
  }

  @Test
  void theOrderOfDatesComesFromTheData() {
    IntFunction<Object> european = i -> (1 + i % 28) + "/" + (1 + i % 12) + "/2023";
    IntFunction<Object> american = i -> (1 + i % 12) + "/" + (1 + i % 28) + "/2023 10:30";
    IntFunction<Object> either = i -> (1 + i % 9) + "/" + (1 + i % 7) + "/2023";
    assertEquals(
        List.of(new SchemaFitter.Finding("d", SchemaFitter.Finding.What.DATES, "dd/MM/yyyy")),
        findings("d", 60, european));
    assertEquals(
        List.of(new SchemaFitter.Finding("d", SchemaFitter.Finding.What.DATES, "MM/dd/yyyy")),
        findings("d", 60, american));
    assertEquals(
        List.of(
            new SchemaFitter.Finding("d", SchemaFitter.Finding.What.AMBIGUOUS_DATES, "MM/dd/yyyy")),
        findings("d", 60, either));
    assertEquals(
        List.of(
            new SchemaFitter.Finding("d", SchemaFitter.Finding.What.AMBIGUOUS_DATES, "dd/MM/yyyy")),
        findings("d", 60, i -> either.apply(i).toString().replace('/', '.')));
    assertEquals(
        List.of(new SchemaFitter.Finding("d", SchemaFitter.Finding.What.DATES, "yyyy-MM-dd")),
        findings("d", 60, i -> i == 7 ? "unknown" : "2023-01-" + (10 + i % 20)));
    assertEquals(Column.Kind.DATE, kind("d", 60, i -> "1/1/2023"));
  }

  @Test
  void declaredValuesAreAllThere() {
    SchemaFitter fitter = new SchemaFitter(List.of("v", "x"), Map.of());
    fitter.declared(Map.of("v", List.of("low", "mid", "high")));
    fitter.add(row("mid", 1));
    Column column = fitter.fit().columns().get(0);
    assertEquals(List.of("low", "mid", "high"), column.categories());
    assertEquals(3, column.width());
  }

  @Test
  void noValueIsLostWhereManyAreTold() {
    SchemaFitter fitter = new SchemaFitter(List.of("zip"), Map.of("zip", Column.Kind.CATEGORY));
    for (int i = 0; i < 900; i++) {
      fitter.add(row(10_000 + i % 450));
    }
    assertEquals(450, fitter.fit().columns().get(0).categories().size());
  }

  @Test
  void beyondTheBoundValuesAreHashedIntoAsManyFeaturesAsTheyNeed() {
    SchemaFitter fitter = new SchemaFitter(List.of("v", "x"), Map.of()).mostValues(100);
    Random random = new Random(4);
    for (int i = 0; i < 1000; i++) {
      fitter.add(row("v" + (int) (400 * random.nextDouble() * random.nextDouble()), 1));
    }
    Schema schema = fitter.fit();
    Column column = schema.columns().get(0);
    assertEquals(50, column.categories().size());
    assertTrue(column.categories().contains("v1"), column.categories().toString());
    assertTrue(column.buckets() >= 512, column.buckets() + " buckets");
    assertEquals(SchemaFitter.Finding.What.HASHED, fitter.findings().get(0).what());
    RowEncoder encoder = schema.encoder(List.of("v", "x"));
    encoder.encode(row("never seen", 1));
    assertEquals(0, encoder.unusableCount());
  }

  @Test
  void sparseSchemasStandardiseNumbers() {
    SchemaFitter fitter = new SchemaFitter(List.of("v", "x", "heavy", "d"), Map.of());
    for (int i = 0; i < 1800; i++) {
      double heavy = i % 300 == 0 ? 1e6 : i % 3;
      fitter.add(row("v" + i % 900, 1000 + i % 2, heavy, "2023-01-0" + (1 + i % 2)));
    }
    Schema schema = fitter.fit();
    assertTrue(schema.isSparse());
    RowEncoder encoder = schema.encoder(List.of("v", "x", "heavy", "d"));
    FeatureVector x = encoder.encode(row("v3", 1001, 1e9, "2023-01-02"));
    int number = schema.dimension() - 6;
    assertEquals(0.375, x.get(3));
    assertEquals(0.375, x.get(number), 1e-9);
    assertEquals(1.5, x.get(number + 1), 1e-9);
    assertEquals(0.375, x.get(number + 3), 1e-9);
    assertEquals(1001, schema.original(number, x.get(number)), 1e-9);
    assertEquals(1, schema.original(3, x.get(3)), 1e-12);
    assertEquals("x", schema.featureName(number));
    for (int k = 0; k < x.count(); k++) {
      assertTrue(Math.abs(x.values()[k]) <= 1.5);
    }
    assertTrue(schema.columns().get(2).details().standard().logarithm());
    assertFalse(schema.columns().get(1).details().standard().logarithm());
  }

  @Test
  void rowNumbersInFrontOfColumnsWithoutNamesAreLeftOut() {
    SchemaFitter fitter = new SchemaFitter(List.of("c1", "c2", "c3"), Map.of());
    for (int i = 0; i < 30; i++) {
      fitter.add(row(i + 1, 3 * i % 7, i % 2));
    }
    assertEquals(Column.Kind.DROPPED, fitter.fit().columns().get(0).kind());
    assertEquals(SchemaFitter.Finding.What.ROW_NUMBER, fitter.findings().get(0).what());
  }
}
