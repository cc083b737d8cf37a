// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import blue.strategic.parquet.Dehydrator;
import blue.strategic.parquet.ParquetWriter;
import io.github.avm4j.data.BadRowException;
import io.github.avm4j.data.Format;
import io.github.avm4j.data.Header;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RecordParser;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A row means the same through every door: the same features, bit for bit, and the same unusable
 * cells, or a refusal in the same words. Here are files, records and Java; the server's door is in
 * {@code SameRowsTest} of serve, Flink's are in that of flink.
 */
class RowMeansOneThingTest {
  private static final int ROWS = 12;
  private static final int PARQUET_ROWS = 2;

  @TempDir Path folder;

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  private static ReaderOptions options(RawRows rows) {
    return ReaderOptions.defaults()
        .withHasLabel(false)
        .withLabel("no label")
        .withHeader(Header.YES)
        .withDelimiter(rows.schema().cells().decimalComma() ? ';' : ',');
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameFeaturesThroughFilesRecordsAndJava(long seed) throws IOException {
    RawRows rows = new RawRows(seed);
    List<String> names = rows.names();
    ReaderOptions options = options(rows);
    char delimiter = rows.schema().cells().decimalComma() ? ';' : ',';
    RecordParser csv = RecordParser.of(options.withFormat(Format.CSV), names);
    RecordParser json = RecordParser.of(options.withFormat(Format.JSONL), names);
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    StringBuilder csvFile = new StringBuilder(RawRows.csv(names, delimiter)).append('\n');
    StringBuilder jsonFile = new StringBuilder();
    RawRows.Door inJava = new RawRows.Door(rows.schema(), names);
    RawRows.Door inCsv = new RawRows.Door(rows.schema(), names);
    RawRows.Door inJson = new RawRows.Door(rows.schema(), names);
    List<String> expected = new ArrayList<>();
    Row row = new Row();
    for (int i = 0; i < ROWS; i++) {
      Map<String, @Nullable Object> values = rows.row(false);
      String about = seed + " " + rows.schema() + rows.schema().cells() + " " + values;
      String meaning = inJava.meaning(RawRows.inJava(values, names));
      csv.parse(bytes(RawRows.csv(values.values(), delimiter)), row);
      assertEquals(meaning, inCsv.meaning(row), "a record of CSV: " + about);
      json.parse(bytes(RawRows.json(values)), row);
      assertEquals(meaning, inJson.meaning(row), "a record of JSON: " + about);
      all.add(values);
      expected.add(meaning);
      csvFile.append(RawRows.csv(values.values(), delimiter)).append('\n');
      jsonFile.append(RawRows.json(values)).append('\n');
    }
    same(expected, rows, Readers.open(options.withFormat(Format.CSV), "x", stream(csvFile)), seed);
    same(
        expected,
        rows,
        Readers.open(options.withFormat(Format.JSONL), "x", stream(jsonFile)),
        seed);
    RawRows.Door inArff = new RawRows.Door(rows.schema(), names);
    RawRows.Door inParquet = new RawRows.Door(rows.schema(), names);
    for (int i = 0; i < ROWS; i++) {
      String about = seed + " " + rows.schema() + rows.schema().cells() + " " + all.get(i);
      assertEquals(expected.get(i), inArff.meaning(arff(all.get(i))), "ARFF: " + about);
      if (i < PARQUET_ROWS) {
        assertEquals(expected.get(i), inParquet.meaning(parquet(all.get(i))), "Parquet: " + about);
      }
    }
  }

  private static void same(List<String> expected, RawRows rows, RowReader reader, long seed)
      throws IOException {
    RawRows.Door door = new RawRows.Door(rows.schema(), reader.columns());
    Row row = new Row();
    try (reader) {
      for (int i = 0; i < expected.size(); i++) {
        assertTrue(reader.next(row));
        assertEquals(expected.get(i), door.meaning(row), seed + ", " + reader.position());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameRefusalThroughJsonAndJava(long seed) {
    RawRows rows = new RawRows(seed);
    RecordParser json = RecordParser.of(options(rows).withFormat(Format.JSONL), rows.names());
    for (int i = 0; i < ROWS; i++) {
      Map<String, @Nullable Object> values = rows.row(true);
      if (values.values().stream().anyMatch(List.class::isInstance)) {
        for (Exception e :
            List.of(
                assertThrows(
                    IllegalArgumentException.class, () -> RawRows.inJava(values, rows.names())),
                assertThrows(
                    BadRowException.class,
                    () -> json.parse(bytes(RawRows.json(values)), new Row())))) {
          assertTrue(String.valueOf(e.getMessage()).contains(Row.EXPECTED), e.getMessage());
        }
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ByteArrayInputStream stream(StringBuilder text) {
    return new ByteArrayInputStream(bytes(text.toString()));
  }

  private static Row first(RowReader reader) throws IOException {
    Row row = new Row();
    try (reader) {
      assertTrue(reader.next(row));
    }
    return row;
  }

  /** A file of one row: numbers as numbers, all else as strings. */
  private static Row arff(Map<String, @Nullable Object> values) throws IOException {
    StringBuilder header = new StringBuilder("@relation r\n");
    List<String> cells = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          boolean number =
              value instanceof Number && !RawRows.text(value).matches("NaN|.*Infinity");
          header
              .append("@attribute ")
              .append(quoted(name))
              .append(number ? " real\n" : " string\n");
          cells.add(value == null ? "?" : number ? value.toString() : quoted(RawRows.text(value)));
        });
    header.append("@data\n").append(String.join(",", cells)).append('\n');
    ReaderOptions options = ReaderOptions.defaults().withHasLabel(false).withLabel("no label");
    return first(Readers.open(options.withFormat(Format.ARFF), "x", stream(header)));
  }

  private static String quoted(String text) {
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return '"' + escaped.replace("\t", "\\t") + '"';
  }

  /** A file of one row, each column of the type that its value has. */
  private Row parquet(Map<String, @Nullable Object> values) throws IOException {
    Types.MessageTypeBuilder columns = Types.buildMessage();
    List<@Nullable Object> raw = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          PrimitiveTypeName type = PrimitiveTypeName.INT64;
          LogicalTypeAnnotation logical = null;
          Object stored = value;
          if (value instanceof Integer || value instanceof Short) {
            type = PrimitiveTypeName.INT32;
            stored = ((Number) value).intValue();
          } else if (value instanceof Double) {
            type = PrimitiveTypeName.DOUBLE;
          } else if (value instanceof Float) {
            type = PrimitiveTypeName.FLOAT;
          } else if (value instanceof Boolean) {
            type = PrimitiveTypeName.BOOLEAN;
          } else if (value instanceof LocalDate day) {
            type = PrimitiveTypeName.INT32;
            logical = LogicalTypeAnnotation.dateType();
            stored = (int) day.toEpochDay();
          } else if (value instanceof Instant || value instanceof Date) {
            Instant instant = value instanceof Date date ? date.toInstant() : (Instant) value;
            logical = LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS);
            stored = instant.toEpochMilli();
          } else if (value instanceof LocalDateTime time) {
            logical = LogicalTypeAnnotation.timestampType(false, TimeUnit.MICROS);
            stored = ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant(ZoneOffset.UTC));
          } else if (value instanceof BigDecimal number && number.scale() >= 0) {
            logical = LogicalTypeAnnotation.decimalType(number.scale(), 18);
            stored = number.unscaledValue().longValueExact();
          } else if (!(value instanceof Long)) {
            type = PrimitiveTypeName.BINARY;
            logical = LogicalTypeAnnotation.stringType();
            stored = value == null ? null : RawRows.text(value);
          }
          columns.addField(Types.optional(type).as(logical).named(name));
          raw.add(stored);
        });
    MessageType type = columns.named("m");
    Dehydrator<List<@Nullable Object>> writer =
        (row, out) -> {
          for (int c = 0; c < row.size(); c++) {
            Object value = row.get(c);
            if (value != null) {
              out.write(type.getFieldName(c), value);
            }
          }
        };
    Path file = folder.resolve("x.parquet");
    Files.deleteIfExists(file);
    try (ParquetWriter<List<@Nullable Object>> out =
        ParquetWriter.writeFile(type, file.toFile(), writer)) {
      out.write(raw);
    }
    ReaderOptions options = ReaderOptions.defaults().withHasLabel(false).withLabel("no label");
    return first(Readers.open(options, file));
  }
}
