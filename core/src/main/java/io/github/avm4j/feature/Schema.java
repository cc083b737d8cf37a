// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * How raw rows become feature vectors. It is declared, or inferred from the first rows of a stream,
 * and saved with the model, so that a model predicts a raw row on its own. While a learner learns,
 * new values of a categorical column may get features of their own, and what stands for missing
 * cells follows the means ({@link GrowingSchema}); nothing else changes.
 *
 * <pre>{@code
 * List<String> names = List.of("age", "city");
 * SchemaFitter fitter = new SchemaFitter(names, Map.of());
 * rows.forEach(fitter::add);
 * Schema schema = fitter.fit();
 * RowEncoder encoder = schema.encoder(names); // one per thread
 * FeatureVector x = encoder.encode(rows.get(0)); // valid until the next call
 * }</pre>
 *
 * <p>A row's columns are matched by name; extra columns are ignored and absent ones are missing
 * cells. What a cell means is part of the schema ({@link CellReader}), not of what it comes
 * through. A schema without columns passes numbered features through.
 *
 * <p>Immutable. Whether the vectors are dense or sparse is fixed too: sparse if there are many
 * features and most of them are one-hot or hashed.
 */
public final class Schema {
  private static final int DENSE_LIMIT = 512;

  private final List<Column> columns;
  private final CellReader cells;
  private final int[] offsets;
  private final int dimension;
  private final boolean sparse;

  /**
   * A schema of these columns, features in their order, whose cells are read by default rules.
   *
   * @param columns the columns
   */
  public Schema(List<Column> columns) {
    this(columns, CellReader.DEFAULT);
  }

  /**
   * A schema of these columns, features in their order.
   *
   * @param columns the columns
   * @param cells how cells are read
   */
  public Schema(List<Column> columns, CellReader cells) {
    this.columns = List.copyOf(columns);
    this.cells = cells;
    this.offsets = new int[columns.size()];
    int next = 0;
    int oneHot = 0;
    int hot = 0;
    for (int c = 0; c < offsets.length; c++) {
      Column column = columns.get(c);
      offsets[c] = next;
      next = Math.addExact(next, column.width());
      if (column.isOneHot()) {
        oneHot += column.width();
        hot++;
      }
    }
    dimension = next;
    sparse = next > DENSE_LIMIT && 4 * (next - oneHot + hot) < next;
  }

  /** {@return the schema of numbered features: no columns, vectors as they are} */
  public static Schema numbered() {
    return new Schema(List.of());
  }

  /**
   * {@return a builder that collects columns by name and kind, where they are known and need not be
   * inferred}
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the schema that is inferred from the first 1,000 rows, as {@code avm train} infers it}
   * All their columns become features: of rows that have the column to be predicted, {@code
   * Inference.of(rows, target)} infers the schema without it, and the task.
   *
   * @param rows values by column name: numbers, texts, Booleans, dates, or null
   * @throws IllegalArgumentException if there is no row, or a value is no cell
   */
  public static Schema infer(Iterable<? extends Map<String, ? extends @Nullable Object>> rows) {
    SchemaFitter fitter = new SchemaFitter(SchemaFitter.columns(rows, 1000), Map.of());
    int count = 0;
    for (Map<String, ? extends @Nullable Object> row : rows) {
      if (count++ == 1000) {
        break;
      }
      fitter.add(row);
    }
    return fitter.fit();
  }

  /** Builder for a schema; features stand in the order of the columns. */
  public static final class Builder {
    /** Values of a categorical column that get a feature of their own as they come. */
    private static final int ROOM = 32;

    /** Features that further values are hashed into. */
    private static final int BUCKETS = 16;

    private final List<Column> columns = new ArrayList<>();
    private CellReader cells = CellReader.DEFAULT;

    private Builder() {}

    /**
     * A column of numbers; a missing one counts as the mean of the numbers learned from.
     *
     * @param name name of the column
     * @return this builder
     */
    public Builder number(String name) {
      return add(name, Column.Kind.NUMBER, 0, Column.Details.NEWEST);
    }

    /**
     * A column of categories; the first 32 values get a feature each, others share 16.
     *
     * @param name name of the column
     * @return this builder
     */
    public Builder category(String name) {
      return add(name, Column.Kind.CATEGORY, BUCKETS, Column.Details.NEWEST.withRoom(ROOM));
    }

    /**
     * A column of dates or of dates with times, the year first. Its features are the time of day
     * and of the week; a missing date counts as the mean of the dates learned from.
     *
     * @param name name of the column
     * @return this builder
     */
    public Builder date(String name) {
      return add(name, Column.Kind.DATE, 0, Column.Details.NEWEST);
    }

    /**
     * How cells are read, in every column and through whatever they come.
     *
     * @param value the rules
     * @return this builder
     */
    public Builder cells(CellReader value) {
      cells = value;
      return this;
    }

    private Builder add(String name, Column.Kind kind, int buckets, Column.Details details) {
      if (columns.stream().anyMatch(column -> column.name().equals(name))) {
        throw new IllegalArgumentException(
            "column '" + name + "' is declared twice; names must differ");
      }
      columns.add(new Column(name, kind, Fill.NONE, List.of(), buckets, details));
      return this;
    }

    /**
     * The schema.
     *
     * @return the schema
     * @throws IllegalStateException if there is no column
     */
    public Schema build() {
      if (columns.isEmpty()) {
        throw new IllegalStateException(
            "a schema needs at least one column: call number, category or date");
      }
      return new Schema(columns, cells);
    }
  }

  /** {@return whether rows bring numbered features instead of cells} */
  public boolean isNumbered() {
    return columns.isEmpty();
  }

  /** {@return the columns} */
  public List<Column> columns() {
    return columns;
  }

  /** {@return how cells are read} */
  public CellReader cells() {
    return cells;
  }

  /** {@return the number of features; 0 if numbered} */
  public int dimension() {
    return dimension;
  }

  /**
   * {@return the number of features that rows can have now: without those reserved for categories
   * that were not met yet}
   */
  public int used() {
    int used = 0;
    for (Column column : columns) {
      boolean open = column.kind() == Column.Kind.CATEGORY && column.details().room() > 0;
      used += open ? column.categories().size() : column.width();
    }
    return used;
  }

  /** {@return whether {@link RowEncoder} gives sparse vectors} */
  public boolean isSparse() {
    return sparse || isNumbered();
  }

  /** Index of the first feature of column {@code c}. */
  int offset(int c) {
    return offsets[c];
  }

  /**
   * {@return the name of feature {@code j} (0-based), for people}
   *
   * @param j index of the feature, from 0
   */
  public String featureName(int j) {
    if (isNumbered()) {
      return Integer.toString(j + 1);
    }
    int c = columnOf(j);
    if (c < 0) {
      throw new IndexOutOfBoundsException("feature " + j + " of " + dimension);
    }
    return columns.get(c).featureName(j - offsets[c]);
  }

  /**
   * {@return the feature {@code j} of a vector in the data's own units}
   *
   * @param j index of the feature, from 0
   * @param feature value of the feature
   */
  public double original(int j, double feature) {
    int c = columnOf(j);
    return c < 0 ? feature : columns.get(c).original(j - offsets[c], feature);
  }

  private int columnOf(int j) {
    for (int c = columns.size() - 1; c >= 0; c--) {
      if (j >= offsets[c] && columns.get(c).width() > 0) {
        return c;
      }
    }
    return -1;
  }

  /**
   * {@return the same schema for encoders that run in parallel and cannot share new categories:
   * these are hashed into the features that were reserved for them}
   */
  public Schema closed() {
    return new Schema(columns.stream().map(Column::closed).toList(), cells);
  }

  /**
   * {@return an encoder for rows whose cells are named {@code names}, in that order}
   *
   * @param names column names of the rows, in the order of their cells
   */
  public RowEncoder encoder(List<String> names) {
    return new GrowingSchema(this).reader(names);
  }

  /**
   * {@return an encoder that leaves NaN where a number or date is missing, for readers apart from
   * the learner, which has the means: {@link GrowingSchema#filled} puts them in}
   *
   * @param names column names of the rows, in the order of their cells
   */
  public RowEncoder marker(List<String> names) {
    return new RowEncoder(this, sources(names), new GrowingSchema(this), false, true);
  }

  /**
   * {@return what stands for missing numbers and dates: for each such column the number of cells
   * learned from and their means}
   */
  public double[] fills() {
    return columns.stream()
        .map(Column::fill)
        .filter(fill -> !fill.means().isEmpty())
        .flatMapToDouble(
            fill ->
                DoubleStream.concat(
                    DoubleStream.of(fill.count()),
                    fill.means().stream().mapToDouble(Double::doubleValue)))
        .toArray();
  }

  /**
   * {@return the same schema with the fills of another time}
   *
   * @param fills as {@link #fills()} gave them
   * @throws IllegalArgumentException if they are not of these columns
   */
  public Schema with(double[] fills) {
    if (fills.length != fills().length) {
      throw new IllegalArgumentException(
          "fills must be %d numbers for the columns of this schema, were %d"
              .formatted(fills().length, fills.length));
    }
    List<Column> filled = new ArrayList<>();
    int at = 0;
    for (Column column : columns) {
      int means = column.fill().means().size();
      if (means > 0) {
        double[] own = Arrays.copyOfRange(fills, at + 1, at + 1 + means);
        filled.add(column.with(new Fill((long) fills[at], DoubleStream.of(own).boxed().toList())));
        at += 1 + means;
      } else {
        filled.add(column);
      }
    }
    return new Schema(filled, cells);
  }

  /** For each column the place of its cell in rows of {@code names}, or −1. */
  int[] sources(List<String> names) {
    Map<String, Integer> positions = new HashMap<>();
    for (int p = 0; p < names.size(); p++) {
      positions.putIfAbsent(names.get(p), p);
    }
    int[] source = new int[columns.size()];
    for (int c = 0; c < source.length; c++) {
      source[c] = positions.getOrDefault(columns.get(c).name(), -1);
    }
    return source;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schema schema
        && columns.equals(schema.columns)
        && cells.equals(schema.cells);
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }

  /** {@return the columns by their kinds, for people} */
  @Override
  public String toString() {
    if (isNumbered()) {
      return "numbered features";
    }
    StringJoiner kinds = new StringJoiner(", ", "", " columns (" + used() + " features)");
    for (Column.Kind kind : Column.Kind.values()) {
      List<String> names =
          columns.stream().filter(c -> c.kind() == kind).map(Column::name).toList();
      boolean plain = kind == Column.Kind.NUMBER || names.size() > 8;
      if (!names.isEmpty()) {
        String word = kind.name().toLowerCase(Locale.ROOT);
        kinds.add(names.size() + " " + word + (plain ? "" : " " + names));
      }
    }
    return kinds.toString();
  }
}
