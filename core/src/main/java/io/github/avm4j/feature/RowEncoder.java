// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Schema} bound to the order in which a reader gives its cells. Holds the scratch of one
 * thread: the vector it returns is valid until the next call. Allocates nothing for numbers.
 */
public final class RowEncoder {
  private static final int HOURS = 24;
  private static final int WEEK = 7;

  private final Schema schema;
  private final int[] source;
  private final List<Map<String, Integer>> categories;
  private final double[] dense;
  private final FeatureVector denseView;
  private final int[] indices;
  private final double[] values;
  private final int[] unusable;
  private int count;
  private int unusableCount;

  RowEncoder(Schema schema, int[] source) {
    this.schema = schema;
    this.source = source;
    this.categories = schema.columns().stream().map(RowEncoder::positions).toList();
    boolean sparse = schema.isSparse();
    dense = new double[sparse ? 0 : schema.dimension()];
    denseView = FeatureVector.dense(dense);
    int room = 5 * schema.columns().size();
    indices = new int[sparse ? room : 0];
    values = new double[sparse ? room : 0];
    unusable = new int[source.length];
  }

  private static Map<String, Integer> positions(Column column) {
    Map<String, Integer> positions = new HashMap<>();
    for (String category : column.categories()) {
      positions.put(category, positions.size());
    }
    return positions;
  }

  /** The features of {@code row}. */
  public FeatureVector encode(Row row) {
    if (schema.isNumbered()) {
      return row.features();
    }
    if (row.featureCount() > 0) {
      throw new IllegalArgumentException(
          "the row has numbered features, the model has columns "
              + schema.columns().stream().map(Column::name).toList());
    }
    count = 0;
    unusableCount = 0;
    if (!schema.isSparse()) {
      java.util.Arrays.fill(dense, 0);
    }
    for (int c = 0; c < source.length; c++) {
      encodeColumn(row, c);
    }
    return schema.isSparse() ? FeatureVector.sparse(indices, values, count) : denseView;
  }

  /**
   * Number of cells of the row last encoded that hold something which could not be used and was
   * taken as missing: no number in a numeric column, no time in a temporal one, a category that is
   * not of the schema.
   */
  public int unusableCount() {
    return unusableCount;
  }

  /** Column of the schema that unusable cell {@code k} belongs to; they ascend. */
  public int unusableColumn(int k) {
    return unusable[Objects.checkIndex(k, unusableCount)];
  }

  /** Text of unusable cell {@code k}, from the row that was encoded last. */
  public String unusableText(Row row, int k) {
    return row.text(source[unusableColumn(k)]);
  }

  private void encodeColumn(Row row, int c) {
    Column column = schema.columns().get(c);
    int cell = source[c];
    Row.Kind kind = cell < 0 ? Row.Kind.MISSING : row.kind(cell);
    switch (column.kind()) {
      case NUMERIC -> {
        put(c, 0, kind == Row.Kind.NUMBER ? row.number(cell) : column.fill());
        check(c, kind != Row.Kind.TEXT);
      }
      case CATEGORICAL -> {
        Integer position = kind == Row.Kind.MISSING ? null : categories.get(c).get(row.text(cell));
        if (position != null) {
          put(c, position, 1);
        }
        check(c, position != null || kind == Row.Kind.MISSING);
      }
      case HASHED -> {
        if (kind != Row.Kind.MISSING) {
          put(c, bucket(row.text(cell), column.buckets()), 1);
        }
      }
      case TEMPORAL -> {
        LocalDateTime time = kind == Row.Kind.TEXT ? parseTime(row.text(cell)) : null;
        if (time != null) {
          putTime(c, time);
        }
        check(c, time != null || kind == Row.Kind.MISSING);
      }
      case DROPPED -> {}
    }
  }

  private void check(int c, boolean used) {
    if (!used) {
      unusable[unusableCount++] = c;
    }
  }

  private void put(int c, int k, double value) {
    int j = schema.offset(c) + k;
    if (!schema.isSparse()) {
      dense[j] = value;
    } else if (value != 0) {
      indices[count] = j;
      values[count++] = value;
    }
  }

  private void putTime(int c, LocalDateTime time) {
    double hour = time.getHour() + time.getMinute() / 60.0 + time.getSecond() / 3600.0;
    double weekday = time.getDayOfWeek().getValue() - 1 + hour / HOURS;
    put(c, 0, time.toLocalDate().toEpochDay() + hour / HOURS);
    put(c, 1, Math.sin(2 * Math.PI * hour / HOURS));
    put(c, 2, Math.cos(2 * Math.PI * hour / HOURS));
    put(c, 3, Math.sin(2 * Math.PI * weekday / WEEK));
    put(c, 4, Math.cos(2 * Math.PI * weekday / WEEK));
  }

  /** FNV-1a over UTF-16 with a final mix; part of the file format, never to change. */
  static int bucket(String text, int buckets) {
    int h = 0x811C9DC5;
    for (int i = 0; i < text.length(); i++) {
      h = (h ^ text.charAt(i)) * 0x01000193;
    }
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    return Math.floorMod(h ^ (h >>> 13), buckets);
  }

  /** An ISO date, or date and time with 'T' or a blank between; null if it is neither. */
  static @Nullable LocalDateTime parseTime(String text) {
    if (text.length() < 10 || text.length() > 35 || text.charAt(4) != '-') {
      return null;
    }
    try {
      if (text.length() == 10) {
        return LocalDate.parse(text).atStartOfDay();
      }
      String iso = text.charAt(10) == ' ' ? text.substring(0, 10) + "T" + text.substring(11) : text;
      int zone = zoneStart(iso);
      return LocalDateTime.parse(zone < 0 ? iso : iso.substring(0, zone));
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Where a zone begins (Z, +hh:mm, −hh:mm), or −1; times are taken as written. */
  private static int zoneStart(String iso) {
    for (int i = 11; i < iso.length(); i++) {
      char ch = iso.charAt(i);
      if (ch == 'Z' || ch == '+' || ch == '-') {
        return i;
      }
    }
    return -1;
  }
}
