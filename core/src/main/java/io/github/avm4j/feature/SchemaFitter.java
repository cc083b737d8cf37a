// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds a {@link Schema} from the first rows of a stream: which columns are numbers, categories or
 * times, which categories there are, what a missing number is replaced by. Looks at features only,
 * never at labels.
 */
public final class SchemaFitter {
  /** Up to this many distinct values get a feature each; more are hashed. */
  public static final int MOST_CATEGORIES = 32;

  /** Features for a hashed column. */
  public static final int BUCKETS = 64;

  private final List<String> names;
  private final Map<String, Column.Kind> overrides;
  private final List<Profile> profiles = new ArrayList<>();

  private static final class Profile {
    long numbers;
    long texts;
    long times;
    double mean;
    double smallest = Double.POSITIVE_INFINITY;
    double largest = Double.NEGATIVE_INFINITY;
    final Map<String, Integer> values = new LinkedHashMap<>();
    boolean tooMany;
    boolean repeated;

    void number(double value) {
      numbers++;
      mean += (value - mean) / numbers;
      smallest = Math.min(smallest, value);
      largest = Math.max(largest, value);
    }

    void value(String text) {
      if (!tooMany) {
        repeated |= values.merge(text, 1, Integer::sum) > 1;
        tooMany = values.size() > 4 * MOST_CATEGORIES;
      }
    }
  }

  /**
   * A fitter for rows of these columns; {@code overrides} fixes the kind of some by name.
   *
   * @throws IllegalArgumentException if an override names no column
   */
  public SchemaFitter(List<String> names, Map<String, Column.Kind> overrides) {
    this.names = List.copyOf(names);
    this.overrides = Map.copyOf(overrides);
    for (String name : this.overrides.keySet()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException("no column is named " + name + "; there are " + names);
      }
    }
    names.forEach(name -> profiles.add(new Profile()));
  }

  /** Looks at one row. */
  public void add(Row row) {
    for (int c = 0; c < profiles.size(); c++) {
      Profile profile = profiles.get(c);
      switch (row.kind(c)) {
        case NUMBER -> {
          profile.number(row.number(c));
          // A later text may make categories of all values, those before it too.
          if (!profile.tooMany) {
            profile.value(row.text(c));
          }
        }
        case TEXT -> {
          profile.texts++;
          profile.times += RowEncoder.parseTime(row.text(c)) == null ? 0 : 1;
          profile.value(row.text(c));
        }
        case MISSING -> {}
      }
    }
  }

  /** The schema of what was seen; numbered if there are no columns. */
  public Schema fit() {
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < names.size(); c++) {
      columns.add(column(names.get(c), profiles.get(c)));
    }
    return new Schema(columns);
  }

  private Column column(String name, Profile profile) {
    Column.Kind kind = overrides.getOrDefault(name, kindOf(profile));
    boolean many = profile.tooMany || profile.values.size() > MOST_CATEGORIES;
    if (kind == Column.Kind.CATEGORICAL && many && !overrides.containsKey(name)) {
      kind = Column.Kind.HASHED;
    }
    List<String> categories =
        kind == Column.Kind.CATEGORICAL ? List.copyOf(profile.values.keySet()) : List.of();
    double fill = kind == Column.Kind.NUMERIC ? profile.mean : 0;
    return new Column(name, kind, fill, categories, kind == Column.Kind.HASHED ? BUCKETS : 0);
  }

  /** Text wins over numbers unless it is rare; a column that says nothing is dropped. */
  private Column.Kind kindOf(Profile profile) {
    if (profile.texts == 0) {
      return profile.numbers == 0 ? Column.Kind.DROPPED : Column.Kind.NUMERIC;
    }
    if (profile.times == profile.texts && profile.numbers == 0) {
      return Column.Kind.TEMPORAL;
    }
    if (profile.numbers > 20 * profile.texts) {
      return Column.Kind.NUMERIC;
    }
    boolean identifies = profile.tooMany && !profile.repeated && profile.numbers == 0;
    return identifies ? Column.Kind.DROPPED : Column.Kind.CATEGORICAL;
  }
}
