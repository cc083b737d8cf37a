// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.experiments.defaults.StreamData;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.lab.baselines.StreamHeader.Attribute;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A stream's rows as trees want them: a feature per column, numbers as they are, categories as
 * indices, NaN for a missing cell. A column is nominal where the default learner's encoding takes
 * it for one, where the stream names it, and where it has two values or fewer.
 *
 * @param data the rows
 * @param header what the features mean, and all labels
 */
record AttributeRows(StreamData data, StreamHeader header) {

  static AttributeRows read(ArenaStream stream, Path folder) throws IOException {
    ArenaStream.Input input = stream.input(folder);
    Schema schema = StreamData.schema(input.options(), input.files());
    StreamData.Targets targets = new StreamData.Targets(stream.source());
    List<double[]> cells = new ArrayList<>();
    List<Cells> columns = new ArrayList<>();
    try (RowReader reader = Readers.open(input.options(), input.files().toArray(Path[]::new))) {
      for (int c = 0; c < schema.columns().size(); c++) {
        int at = reader.columns().indexOf(schema.columns().get(c).name());
        columns.add(new Cells(schema.columns().get(c), at, stream.nominal()));
      }
      columns.removeIf(Cells::isDropped);
      Row row = new Row();
      while (reader.next(row)) {
        cells.add(schema.isNumbered() ? numbered(row) : row(row, columns));
        targets.add(row);
      }
    }
    return of(stream, names(schema, columns, cells), columns, cells, targets.values());
  }

  private static double[] row(Row row, List<Cells> columns) {
    double[] values = new double[columns.size()];
    for (int j = 0; j < values.length; j++) {
      values[j] = columns.get(j).of(row);
    }
    return values;
  }

  private static double[] numbered(Row row) {
    FeatureVector x = row.features();
    double[] values = new double[x.dimension()];
    for (int k = 0; k < x.count(); k++) {
      values[x.isSparse() ? x.indices()[k] : k] = x.values()[k];
    }
    return values;
  }

  private static List<String> names(Schema schema, List<Cells> columns, List<double[]> cells) {
    List<String> names = new ArrayList<>();
    if (schema.isNumbered()) {
      int width = cells.stream().mapToInt(row -> row.length).max().orElse(0);
      for (int j = 0; j < width; j++) {
        names.add("x" + (j + 1));
      }
    }
    columns.forEach(column -> names.add(column.name));
    return names;
  }

  private static AttributeRows of(
      ArenaStream stream,
      List<String> names,
      List<Cells> columns,
      List<double[]> cells,
      List<Double> targets) {
    int width = names.size();
    cells.replaceAll(row -> row.length < width ? Arrays.copyOf(row, width) : row);
    List<Attribute> attributes = new ArrayList<>();
    for (int j = 0; j < width; j++) {
      boolean numeric = columns.isEmpty() || !columns.get(j).nominal;
      attributes.add(
          numeric
              ? numeric(names.get(j), cells, j)
              : new Attribute(names.get(j), List.copyOf(columns.get(j).values.keySet())));
    }
    List<FeatureVector> x = new ArrayList<>(cells.size());
    cells.forEach(row -> x.add(FeatureVector.dense(row)));
    boolean classes = stream.task() == Task.CLASSIFICATION;
    List<Double> labels = classes ? List.copyOf(new TreeSet<>(targets)) : List.of();
    return new AttributeRows(
        new StreamData(stream.name(), stream.task(), stream.source().ordered(), x, targets),
        new StreamHeader(stream.task(), attributes, labels));
  }

  /** The attribute of a column of numbers, whose cells become indices if it has two values. */
  private static Attribute numeric(String name, List<double[]> cells, int j) {
    TreeSet<Double> met = new TreeSet<>();
    for (double[] row : cells) {
      if (!Double.isNaN(row[j])) {
        met.add(row[j]);
      }
      if (met.size() > 2) {
        return Attribute.number(name);
      }
    }
    for (double[] row : cells) {
      row[j] = Double.isNaN(row[j]) ? Double.NaN : met.headSet(row[j]).size();
    }
    return met.isEmpty()
        ? Attribute.number(name)
        : new Attribute(name, met.stream().map(String::valueOf).toList());
  }

  /** A column of the file: where its cells are, and its values if they are categories. */
  private static final class Cells {
    private final String name;
    private final Column.Kind kind;
    private final int at;
    private final boolean nominal;
    private final Map<String, Integer> values = new LinkedHashMap<>();

    Cells(Column column, int at, java.util.Set<String> named) {
      this.name = column.name();
      this.kind = column.kind();
      this.at = at;
      this.nominal =
          kind == Column.Kind.CATEGORY || kind == Column.Kind.HASHED || named.contains(name);
      if (kind == Column.Kind.DATE) {
        throw new IllegalArgumentException("dates are not supported, column " + name);
      }
    }

    boolean isDropped() {
      return kind == Column.Kind.DROPPED;
    }

    double of(Row row) {
      if (row.kind(at) == Row.Kind.MISSING) {
        return Double.NaN;
      }
      if (!nominal) {
        return row.kind(at) == Row.Kind.NUMBER ? row.number(at) : Double.NaN;
      }
      return values.computeIfAbsent(row.text(at), text -> values.size());
    }
  }
}
