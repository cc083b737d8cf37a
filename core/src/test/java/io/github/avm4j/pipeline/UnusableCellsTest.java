// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.DateForm;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.Schema;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.JapaneseDate;
import java.time.chrono.ThaiBuddhistChronology;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that are maps are taken as they are meant, or not at all; leniently they are counted. */
class UnusableCellsTest {
  private static final Schema SCHEMA =
      Schema.builder().number("age").category("city").date("since").build();
  private static final Map<String, Object> GOOD =
      Map.of("age", 41, "city", "Oslo", "since", "2024-05-01");

  private static RowLearner classifier() {
    RowLearner learner = RowLearner.classifier(SCHEMA).build();
    learner.learn(GOOD, "yes");
    learner.learn(Map.of("age", 19, "city", "Lima", "since", "2024-05-04"), "no");
    return learner;
  }

  private static RowLearner regressor() {
    RowLearner learner = RowLearner.regressor(SCHEMA).build();
    learner.learn(GOOD, 1);
    learner.learn(Map.of("age", 19, "city", "Lima", "since", "2024-05-04"), 2);
    return learner;
  }

  private static RowDetector detector() {
    Schema closed = SCHEMA.closed();
    RowDetector detector =
        new RowDetector(closed, Avm.detector().features(closed.dimension()).budget(8).build());
    detector.detectThenLearn(GOOD);
    return detector;
  }

  private static Pending pending() {
    return new Pending(
        classifier(), new WaitingRows(1 << 20, Duration.ofHours(1), Clock.systemUTC()));
  }

  private static Map<String, @Nullable Object> with(String column, @Nullable Object value) {
    Map<String, @Nullable Object> row = new HashMap<>(GOOD);
    row.put(column, value);
    return row;
  }

  static Stream<Arguments> unusable() {
    return Stream.of(
        Arguments.of("agee", 41, "no column 'agee'; did you mean 'age'? Its columns are age, city"),
        Arguments.of("City", "Oslo", "no column 'City'; did you mean 'city'?"),
        Arguments.of("sicne", null, "no column 'sicne'; did you mean 'since'?"),
        Arguments.of(
            "income", 5, "no column 'income'. Its columns are age, city, since; lenient()"),
        Arguments.of("age", "old", "column age must be a number, was 'old'; leave it out"),
        Arguments.of("age", "2024-05-01", "column age must be a number, was '2024-05-01'"),
        Arguments.of("age", List.of(4, 1), "column age: a cell is a number, a text, true"),
        Arguments.of("age", List.of(4, 1), "; was [4, 1] of class java.util."),
        Arguments.of("city", new int[0], "column city: a cell is"),
        Arguments.of("since", 41, "column since must be a date (yyyy-MM-dd), was '41'"),
        Arguments.of("since", "31/12/2024", "must be a date (yyyy-MM-dd), was '31/12/2024'"),
        Arguments.of("since", true, "must be a date (yyyy-MM-dd), was 'true'"),
        Arguments.of("since", LocalTime.NOON, "must be a date (yyyy-MM-dd), was '12:00'"),
        Arguments.of("since", Year.of(2024), "must be a date (yyyy-MM-dd), was '2024'"),
        Arguments.of("since", Duration.ofDays(1), "column since: a cell is a number"),
        Arguments.of("age", "x".repeat(500), "was '" + "x".repeat(40) + "…'"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void everyCallRefusesThemAndNothingIsLeft(
      String column, @Nullable Object value, String expected) {
    Map<String, @Nullable Object> row = with(column, value);
    RowLearner classes = classifier();
    RowLearner numbers = regressor();
    RowModel model = classes.snapshot();
    RowModel numberModel = numbers.snapshot();
    RowDetector detector = detector();
    Pending pending = pending();
    List<byte[]> before =
        List.of(classes.toBytes(), numbers.toBytes(), detector.toBytes(), pending.toBytes());
    for (Consumer<Map<String, @Nullable Object>> call :
        List.<Consumer<Map<String, @Nullable Object>>>of(
            r -> classes.learn(r, "maybe"),
            r -> classes.learn(r, "maybe", 2),
            r -> numbers.learn(r, 3),
            r -> classes.predictClassThenLearn(r, "maybe"),
            r -> numbers.predictNumberThenLearn(r, 3),
            classes::predictClass,
            classes::probabilities,
            numbers::predictNumber,
            r -> classes.predictionSet(r, 0.9),
            r -> numbers.interval(r, 0.9),
            r -> classes.explain(r, 1),
            model::predictClass,
            model::probabilities,
            r -> model.predictClasses(List.of(GOOD, r)),
            r -> model.explain(r, 1),
            numberModel::predictNumber,
            r -> numberModel.predictNumbers(List.of(GOOD, r)),
            detector::detect,
            detector::detectThenLearn,
            pending::predict)) {
      String message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> call.accept(row)).getMessage());
      assertTrue(message.contains(expected), message);
    }
    assertArrayEquals(before.get(0), classes.toBytes());
    assertArrayEquals(before.get(1), numbers.toBytes());
    assertArrayEquals(before.get(2), detector.toBytes());
    assertArrayEquals(before.get(3), pending.toBytes());
    assertEquals(List.of("yes", "no"), classes.names().toList());
    assertEquals(0, classes.unusable().count() + model.unusable().count());
  }

  @Test
  void lenientlyTheyAreMissingAndCounted() throws Exception {
    RowLearner learner = classifier().lenient();
    Map<String, @Nullable Object> row = with("age", "old");
    row.put("agee", 4);
    row.put("since", List.of());
    Map<String, Object> absent = Map.of("city", "Oslo");
    assertEquals(learner.probabilities(absent), learner.probabilities(row));
    assertEquals(Map.of("age", 1L, "agee", 1L, "since", 1L), learner.unusable().byColumn());
    RowLearner other = RowLearner.read(learner.toBytes());
    learner.learn(row, "yes");
    other.learn(absent, "yes");
    assertArrayEquals(other.toBytes(), learner.toBytes());
    assertEquals(6, learner.unusable().count());
    RowModel model = learner.snapshot();
    assertEquals(model.predictClasses(List.of(absent)), model.predictClasses(List.of(row)));
    assertEquals(3, model.unusable().count(), "a model counts its own");
    assertEquals(6, learner.unusable().count());
    assertEquals(0, model.lenient().unusable().count());
    RowDetector detector = detector().lenient();
    assertEquals(detector.detect(absent), detector.detect(row));
    assertEquals("3 unusable cells {age=1, agee=1, since=1}", detector.unusable().toString());
    RowLearner again = RowLearner.read(learner.toBytes());
    assertThrows(IllegalArgumentException.class, () -> again.predictClass(row));
  }

  @Test
  void streamsBringNewCategoriesAndMissingCells() {
    RowLearner learner = classifier();
    RowModel model = learner.snapshot();
    for (Object city : new Object[] {"Rome", 7, true, 'x', DayOfWeek.MONDAY, "y".repeat(5000)}) {
      model.predictClass(with("city", city));
      learner.predictClassThenLearn(with("city", city), "no");
    }
    Map<String, Double> absent = learner.probabilities(Map.of("city", "Oslo"));
    for (Object missing : new Object[] {Double.NaN, Float.POSITIVE_INFINITY, "", " ", "n/a"}) {
      Map<String, Object> row = Map.of("age", missing, "city", "Oslo", "since", missing);
      assertEquals(absent, learner.probabilities(row));
    }
    assertEquals(absent, learner.probabilities(Map.of("age", "?", "city", "Oslo")));
  }

  @Test
  void aRowMayHaveItsTarget() {
    RowLearner learner = new RowLearner(SCHEMA, "stays", Avm.classifier().build());
    Map<String, @Nullable Object> row = with("stays", "yes");
    learner.learn(row, "yes");
    assertEquals(Optional.of("yes"), learner.predictClass(row));
    assertEquals(Optional.of("yes"), learner.snapshot().predictClass(row));
  }

  /** All that have a date in java.time, and java.util.Date, are the date that they stand for. */
  @Test
  void datesOfAnyTypeAreDates() {
    LocalDateTime time = LocalDateTime.of(2024, 5, 1, 18, 30);
    RowLearner learner = regressor();
    for (int hour = 0; hour < 200; hour++) {
      LocalDateTime then = time.plusHours(hour);
      learner.learn(with("since", then), then.getHour());
    }
    double expected = learner.predictNumber(with("since", "2024-05-01 18:30"));
    Date date = Date.from(time.toInstant(ZoneOffset.UTC));
    for (Object value :
        new Object[] {
          time,
          time.atZone(ZoneId.of("Asia/Tokyo")),
          time.atOffset(ZoneOffset.ofHours(-3)),
          time.toInstant(ZoneOffset.UTC),
          date,
          ThaiBuddhistChronology.INSTANCE.localDateTime(time),
          ThaiBuddhistChronology.INSTANCE.zonedDateTime(time.atZone(ZoneOffset.UTC)),
          GregorianCalendar.from(time.atZone(ZoneOffset.UTC)).toZonedDateTime()
        }) {
      assertEquals(expected, learner.predictNumber(with("since", value)), value.toString());
    }
    double day = learner.predictNumber(with("since", "2024-05-01"));
    assertEquals(day, learner.predictNumber(with("since", time.toLocalDate())));
    assertEquals(day, learner.predictNumber(with("since", JapaneseDate.from(time))));
  }

  @Test
  void aColumnOfDatesNamesItsForm() {
    Column.Details details = Column.Details.NEWEST.withDates(DateForm.DAY_FIRST, false);
    Column since = new Column("since", Column.Kind.DATE, Fill.NONE, List.of(), 0, details);
    RowLearner learner = RowLearner.regressor(new Schema(List.of(since))).build();
    learner.learn(Map.of("since", "31/12/2024"), 1);
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> learner.learn(Map.of("since", "12/31/2024"), 1))
                .getMessage());
    assertTrue(message.contains("must be a date (dd/MM/yyyy or yyyy-MM-dd), was '12/31"), message);
  }

  @Test
  void namesWithoutEndAreNotKept() {
    RowLearner learner = classifier().lenient();
    for (int i = 0; i < 3000; i++) {
      learner.predictClass(Map.of("age", 30, "column " + i, i));
    }
    assertEquals(3000, learner.unusable().count());
    assertEquals(1000, learner.unusable().byColumn().size());
  }
}
