// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;
import org.jspecify.annotations.Nullable;

/**
 * Some columns of a Flink table, and their values as the cells of a {@link Row}. Where no schema is
 * given, numbers are numbers, texts and booleans categories, dates and timestamps (local ones in
 * UTC) dates.
 */
final class SqlCells implements Serializable {
  private static final long serialVersionUID = 1;

  private final ArrayList<String> names = new ArrayList<>();
  private final ArrayList<Column.Kind> kinds = new ArrayList<>();
  private final ArrayList<Integer> positions = new ArrayList<>();

  /** What a column of that type is to a learner; null if it is nothing it could use. */
  static Column.@Nullable Kind kind(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE, DECIMAL -> Column.Kind.NUMBER;
      case CHAR, VARCHAR, BOOLEAN -> Column.Kind.CATEGORY;
      case DATE, TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Column.Kind.DATE;
      default -> null;
    };
  }

  /**
   * Adds a column.
   *
   * @param position where it stands in the rows
   * @throws IllegalArgumentException if its type is none that a model can use
   */
  void add(String name, LogicalType type, int position) {
    Column.Kind kind = kind(type);
    if (kind == null) {
      throw new IllegalArgumentException(
          "column "
              + name
              + " has the type "
              + type.asSummaryString()
              + ", which no model can use; CAST it to a number, STRING, BOOLEAN, DATE or TIMESTAMP,"
              + " or leave it out");
    }
    names.add(name);
    kinds.add(kind);
    positions.add(position);
  }

  /** The names, in the order of the cells. */
  List<String> names() {
    return names;
  }

  /** The first column that is no number; null if all are. */
  @Nullable String firstOther() {
    for (int c = 0; c < names.size(); c++) {
      if (kinds.get(c) != Column.Kind.NUMBER) {
        return names.get(c);
      }
    }
    return null;
  }

  /** A schema for learners that start with these columns. */
  Schema schema() {
    Schema.Builder schema = Schema.builder();
    for (int c = 0; c < names.size(); c++) {
      switch (kinds.get(c)) {
        case NUMBER -> schema.number(names.get(c));
        case DATE -> schema.date(names.get(c));
        default -> schema.category(names.get(c));
      }
    }
    return schema.build();
  }

  /**
   * Puts the values of a row into cells.
   *
   * @param from the value at a position, in Flink's internal form or as users' functions get it;
   *     Flink does not cast an INT that is given for a DOUBLE
   */
  void fill(IntFunction<@Nullable Object> from, Row cells) {
    cells.reset(names.size());
    for (int c = 0; c < names.size(); c++) {
      cells.set(c, value(from.apply(positions.get(c)), kinds.get(c)));
    }
  }

  /** Puts the values of a row, all numbers, into features numbered by position; NULL is 0. */
  void number(IntFunction<@Nullable Object> from, Row features) {
    features.reset(0);
    for (int c = 0; c < names.size(); c++) {
      Object value = from.apply(positions.get(c));
      double number = value == null ? 0 : number(value);
      if (number != 0 && Double.isFinite(number)) {
        features.addFeature(c, number);
      }
    }
  }

  /** A numeric value. */
  static double number(Object value) {
    return value instanceof DecimalData decimal
        ? decimal.toBigDecimal().doubleValue()
        : ((Number) value).doubleValue();
  }

  /** The value as Java has it, where it comes in a form of Flink's own. */
  static @Nullable Object value(@Nullable Object value, Column.Kind kind) {
    if (value instanceof Integer day && kind == Column.Kind.DATE) {
      return LocalDate.ofEpochDay(day);
    }
    return value instanceof DecimalData decimal
        ? decimal.toBigDecimal()
        : value instanceof TimestampData time
            ? time.toLocalDateTime()
            : value instanceof StringData text ? text.toString() : value;
  }
}
