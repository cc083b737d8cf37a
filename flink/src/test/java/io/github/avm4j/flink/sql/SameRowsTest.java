// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.data.Format;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.TextFormat;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.testkit.RawRows;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A row means to a job and to a table what it means in Java; see testkit's RowMeansOneThingTest.
 */
class SameRowsTest {
  private static final int ROWS = 12;

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  private static RowModel model(RawRows rows) {
    RowLearner learner = RowLearner.regressor(rows.schema()).build().lenient();
    for (int i = 0; i < 5; i++) {
      learner.learn(rows.row(false), i);
    }
    return RowModel.read(learner.snapshot().toBytes()).lenient();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameFeaturesOrTheSameRefusal(long seed) {
    RawRows rows = new RawRows(seed);
    RowModel model = model(rows);
    List<String> names = rows.names();
    char delimiter = rows.schema().cells().decimalComma() ? ';' : ',';
    RecordFormat csv = format(Format.CSV, names, delimiter, model);
    RecordFormat json = format(Format.JSONL, names, ',', model);
    RowEncoder encoder = model.schema().encoder(names);
    for (int i = 0; i < ROWS; i++) {
      Map<String, @Nullable Object> values = rows.row(i == ROWS - 1);
      String about = seed + " " + model.schema() + model.schema().cells() + " " + values;
      Parsed fromJson = parse(json, RawRows.json(values));
      if (values.values().stream().anyMatch(List.class::isInstance)) {
        BadRecord bad = fromJson.bad();
        assertNotNull(bad, about);
        assertTrue(bad.reason().contains(Row.EXPECTED), bad.reason());
        continue;
      }
      String expected = meaning(encoder, RawRows.inJava(values, names));
      assertEquals(expected, meaning(fromJson), "JSON: " + about);
      assertEquals(
          expected, meaning(parse(csv, RawRows.csv(values.values(), delimiter))), "CSV: " + about);
      assertEquals(expected, meaning(encoder, table(values)), "a table: " + about);
    }
  }

  private static RecordFormat format(
      Format format, List<String> names, char delimiter, RowModel model) {
    TextFormat text =
        new TextFormat(format, names, null, null, null, null, null, delimiter, 1 << 20);
    return new RecordFormat(text, model.toBytes(), false, Duration.ofHours(1));
  }

  private static Parsed parse(RecordFormat format, String record) {
    byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
    return format.parse(new RawRecord("x", 0, new byte[0], bytes, 0));
  }

  private static String meaning(Parsed parsed) {
    Example example = parsed.example();
    return example == null
        ? String.valueOf(parsed.bad())
        : RawRows.bits(example.x()) + parsed.unusable();
  }

  private static String meaning(RowEncoder encoder, Row row) {
    String features = RawRows.bits(encoder.encode(row));
    List<Integer> unusable = new ArrayList<>();
    for (int k = 0; k < encoder.unusableCount(); k++) {
      unusable.add(encoder.unusableColumn(k));
    }
    return features + unusable;
  }

  /** The cells of a table's row in Flink's internal form, each column of the type of its value. */
  private static Row table(Map<String, @Nullable Object> values) {
    SqlCells cells = new SqlCells();
    List<@Nullable Object> internal = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          cells.add(name, type(value), internal.size());
          internal.add(internal(value));
        });
    Row row = new Row();
    cells.fill(internal::get, row);
    return row;
  }

  private static LogicalType type(@Nullable Object value) {
    if (value instanceof BigDecimal number && number.scale() >= 0) {
      return new DecimalType(38, number.scale());
    }
    return value instanceof Integer
        ? new IntType()
        : value instanceof Short
            ? new SmallIntType()
            : value instanceof Long
                ? new BigIntType()
                : value instanceof Double
                    ? new DoubleType()
                    : value instanceof Float
                        ? new FloatType()
                        : value instanceof Boolean
                            ? new BooleanType()
                            : value instanceof LocalDate
                                ? new DateType()
                                : value instanceof LocalDateTime
                                    ? new TimestampType()
                                    : value instanceof Instant
                                        ? new LocalZonedTimestampType()
                                        : new VarCharType();
  }

  private static @Nullable Object internal(@Nullable Object value) {
    if (value instanceof BigDecimal number && number.scale() >= 0) {
      return DecimalData.fromBigDecimal(number, 38, number.scale());
    }
    if (value instanceof LocalDate day) {
      return (int) day.toEpochDay();
    }
    if (value instanceof LocalDateTime time) {
      return TimestampData.fromLocalDateTime(time);
    }
    if (value instanceof Instant instant) {
      return TimestampData.fromInstant(instant);
    }
    boolean same =
        value == null
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Long
            || value instanceof Double
            || value instanceof Float
            || value instanceof Boolean;
    return same ? value : StringData.fromString(RawRows.text(value));
  }
}
