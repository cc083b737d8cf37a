// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.DateForm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.GrowingSchema;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random schemas, and random rows of raw cells for them, for the law that a row means the same
 * through every door: files, maps, requests, records, tables. A row is a map from column names to
 * Java values; {@link #csv}, {@link #json} and {@link #text} are what people write for it.
 */
public final class RawRows {
  private static final List<String> CODES = List.of("-999", "9999", "unknown", "-1.5");

  private final SplittableRandom random;
  private final Schema schema;

  /**
   * Rows of a random schema.
   *
   * @param seed of schema and rows
   */
  public RawRows(long seed) {
    random = new SplittableRandom(seed);
    schema = makeSchema();
  }

  private Schema makeSchema() {
    List<Column> columns = new ArrayList<>();
    int count = 2 + random.nextInt(5);
    boolean asWritten = random.nextInt(3) == 0;
    for (int c = 0; c < count; c++) {
      String name = "c " + c + (c == 1 ? ", \"ü\"" : "");
      Column.Details details = Column.Details.NEWEST;
      columns.add(
          switch (random.nextInt(5)) {
            case 0, 1 ->
                new Column(
                    name,
                    Column.Kind.NUMBER,
                    new Fill(9, List.of(1.0 * random.nextInt(9))),
                    List.of(),
                    0,
                    details);
            case 2 -> {
              List<String> known = List.of("red", "7", "0.5", "true", "none of it");
              int room = random.nextInt(3);
              yield new Column(
                  name,
                  Column.Kind.CATEGORY,
                  Fill.NONE,
                  known,
                  random.nextInt(2) * 4,
                  details.withRoom(room));
            }
            case 3 -> new Column(name, Column.Kind.HASHED, Fill.NONE, List.of(), 64, details);
            default -> {
              DateForm[] forms = DateForm.values();
              DateForm form = forms[random.nextInt(forms.length)];
              yield new Column(
                  name,
                  Column.Kind.DATE,
                  Fill.NONE,
                  List.of(),
                  0,
                  details.withDates(form, random.nextBoolean()));
            }
          });
    }
    CellReader cells =
        CellReader.DEFAULT
            .withMissing(random.nextBoolean() ? CODES : List.of())
            .withDecimalComma(random.nextInt(3) == 0)
            .withVerbatim(asWritten ? Set.of("c 0") : Set.of());
    return new Schema(columns, cells);
  }

  /** {@return the schema} */
  public Schema schema() {
    return schema;
  }

  /** {@return the names of the columns} */
  public List<String> names() {
    return schema.columns().stream().map(Column::name).toList();
  }

  /**
   * {@return a row of values, nulls among them, in the order of the columns}
   *
   * @param nested whether a value may be a list, which no cell is
   */
  public Map<String, @Nullable Object> row(boolean nested) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (Column column : schema.columns()) {
      boolean text = schema.cells().verbatim().contains(column.name());
      Object value = text ? pick("07", "7", "True", "a", "none", "", " 07", "1e3") : value(column);
      row.put(column.name(), nested && random.nextInt(20) == 0 ? List.of(1, "x") : value);
    }
    return row;
  }

  private @Nullable Object value(Column column) {
    return switch (random.nextInt(10)) {
      case 0 -> null;
      case 1 -> pick("", "?", "na", "N/A", "NaN", "NULL", "none", "-Infinity", "  ");
      case 2 -> pick("-999", -999, -999.0, "-999.0", "9999", 9999L, "Unknown", -1.5f, "-9.99e2");
      case 3 -> pick(true, false, "true", "False", "TRUE");
      case 4 -> number();
      case 5 ->
          pick(
              "120",
              " +5 ",
              "007",
              "1e3",
              ".5",
              "5.",
              "1,5",
              "1,200",
              "-2,75",
              "$1,200.50",
              "10.3%",
              "1,234,567",
              "(1,200.00)",
              "0x10",
              "1e999",
              "abc",
              "-",
              "1 2");
      default ->
          switch (column.kind()) {
            case NUMBER -> number();
            case DATE -> date();
            default ->
                pick(
                    "red",
                    "7",
                    7,
                    7.0,
                    "07",
                    "0.5",
                    0.5f,
                    "green",
                    "true",
                    'x',
                    "none of it",
                    "a,b",
                    "say \"no\"",
                    "it's",
                    "two\nlines",
                    "tab\there",
                    "üß€",
                    " red ",
                    "{1}",
                    "%",
                    "\\",
                    LocalDate.of(2024, 5, 31),
                    "z".repeat(1100));
          };
    };
  }

  private @Nullable Object number() {
    double value = random.nextGaussian() * Math.pow(10, random.nextInt(-8, 9));
    return switch (random.nextInt(12)) {
      case 0 -> random.nextInt(-2000, 2000);
      case 1 -> random.nextLong();
      case 2 -> (short) random.nextInt(99);
      case 3 -> (float) value;
      case 4 -> BigDecimal.valueOf(random.nextLong(-1_000_000, 1_000_000), random.nextInt(6));
      case 5 -> new BigDecimal("1e400");
      case 6 -> BigInteger.ONE.shiftLeft(random.nextInt(200));
      case 7 -> pick(Double.NaN, Double.POSITIVE_INFINITY, Float.NaN, 0.0, -0.0);
      case 8 -> Double.toString(value);
      case 9 -> Math.rint(value);
      default -> value;
    };
  }

  private Object date() {
    LocalDateTime time =
        LocalDateTime.of(1900, 1, 1, 0, 0)
            .plusSeconds(random.nextLong(200L * 365 * 86_400))
            .plusNanos(random.nextBoolean() ? 0 : random.nextInt(1000) * 1_000_000L);
    Instant instant = time.toInstant(ZoneOffset.UTC);
    LocalDate day = time.toLocalDate();
    return switch (random.nextInt(12)) {
      case 0 -> time;
      case 1 -> instant;
      case 2 -> Date.from(instant);
      case 3 -> time.atOffset(ZoneOffset.ofHours(random.nextInt(-12, 13)));
      case 4 -> time.atZone(ZoneId.of("America/New_York"));
      case 5 -> day.getDayOfMonth() + "/" + day.getMonthValue() + "/" + day.getYear() + " 5:30 PM";
      case 6 ->
          String.format(
              "%02d.%02d.%04d", day.getMonthValue(), 1 + day.getDayOfMonth() % 12, day.getYear());
      case 7 -> day.toString().replace('-', '/');
      case 8 -> YearMonth.from(day);
      case 9 -> LocalTime.of(10, 30);
      case 10 -> day + " 10:30:15.25Z";
      default -> day;
    };
  }

  private @Nullable Object pick(@Nullable Object... values) {
    return values[random.nextInt(values.length)];
  }

  /**
   * {@return what people write for a value in a file of text; empty for null}
   *
   * @param value the value
   */
  public static String text(@Nullable Object value) {
    if (value instanceof ZonedDateTime time) {
      return time.toOffsetDateTime().toString();
    }
    return value == null
        ? ""
        : value instanceof Date date ? date.toInstant().toString() : value.toString();
  }

  /**
   * {@return a line of CSV}
   *
   * @param values values of its fields
   * @param delimiter between fields
   */
  public static String csv(Iterable<? extends @Nullable Object> values, char delimiter) {
    List<String> fields = new ArrayList<>();
    values.forEach(value -> fields.add('"' + text(value).replace("\"", "\"\"") + '"'));
    return String.join(String.valueOf(delimiter), fields);
  }

  /**
   * {@return a row as a JSON object; numbers that JSON has not are texts}
   *
   * @param row values by column name
   */
  public static String json(Map<String, ? extends @Nullable Object> row) {
    return row.entrySet().stream()
        .map(cell -> quoted(cell.getKey()) + ":" + value(cell.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String value(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(RawRows::value).collect(Collectors.joining(",", "[", "]"));
    }
    boolean finite = value instanceof Number number && !text(number).matches("-?NaN|.*Infinity");
    boolean bare = value == null || value instanceof Boolean || finite;
    return bare ? String.valueOf(value) : quoted(text(value));
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(
          switch (c) {
            case '"', '\\' -> "\\" + c;
            case '\n' -> "\\n";
            case '\t' -> "\\t";
            default -> String.valueOf(c);
          });
    }
    return out.append('"').toString();
  }

  /** What comes of the rows of one door, one after the other: it learns new categories. */
  public static final class Door {
    private final GrowingSchema growing;
    private final RowEncoder encoder;
    private final RowEncoder reader;

    /**
     * A door that has seen no row.
     *
     * @param schema of the rows
     * @param names of the cells, in the order of the door
     */
    public Door(Schema schema, List<String> names) {
      growing = new GrowingSchema(schema);
      reader = growing.reader(names);
      encoder = growing.encoder(names);
    }

    /**
     * {@return the features of a row before and after learning its categories, and the columns
     * whose cells could not be used}
     *
     * @param row the row
     */
    public String meaning(Row row) {
      return meaning(reader, row) + " " + meaning(encoder, row);
    }

    private static String meaning(RowEncoder encoder, Row row) {
      FeatureVector x = encoder.encode(row);
      List<Integer> unusable = new ArrayList<>();
      for (int k = 0; k < encoder.unusableCount(); k++) {
        unusable.add(encoder.unusableColumn(k));
      }
      return bits(x) + unusable;
    }
  }

  /**
   * {@return the bits of a vector's features}
   *
   * @param x the vector
   */
  public static String bits(FeatureVector x) {
    List<String> features = new ArrayList<>();
    for (int k = 0; k < x.count(); k++) {
      features.add(
          (x.isSparse() ? x.indices()[k] : k) + ":" + Double.doubleToLongBits(x.values()[k]));
    }
    return Collections.unmodifiableList(features).toString();
  }

  /**
   * {@return a row of the cells of a map, as Java sets them}
   *
   * @param values values by column name
   * @param names of the cells, in order
   * @throws IllegalArgumentException if a value is no cell
   */
  public static Row inJava(Map<String, ? extends @Nullable Object> values, List<String> names) {
    Row row = new Row();
    row.reset(names.size());
    for (int c = 0; c < names.size(); c++) {
      row.set(c, values.get(names.get(c)));
    }
    return row;
  }
}
