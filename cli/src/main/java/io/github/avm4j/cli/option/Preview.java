// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.FailureException;
import io.github.avm4j.cli.row.Fit;
import io.github.avm4j.cli.row.RowSource;
import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.Position;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first rows of a reader to infer the schema and the task, then gives all rows from
 * the first on.
 */
public final class Preview implements RowSource, Closeable {
  /** Rows looked at. */
  public static final int ROWS = 1000;

  private static final int MOST_CLASSES = 50;

  private final RowReader reader;
  private final List<Row> first = new ArrayList<>();
  private final List<Position> positions = new ArrayList<>();
  private final Schema schema;
  private final List<String> inferences = new ArrayList<>();
  private final Task task;
  private final boolean told;
  private final Set<String> labels = new HashSet<>();
  private int replayed;

  /**
   * Reads the first rows; owns the reader from now on.
   *
   * @param kinds encodings of columns that are not to be found
   * @param toldTask the task if it is not to be inferred
   */
  public Preview(RowReader reader, Map<String, Column.Kind> kinds, @Nullable Task toldTask)
      throws IOException {
    this(reader, kinds, toldTask, SchemaFitter.MOST_VALUES);
  }

  /** The same with a bound on the values of categorical columns that get features. */
  public Preview(
      RowReader reader, Map<String, Column.Kind> kinds, @Nullable Task toldTask, int mostValues)
      throws IOException {
    this.reader = reader;
    SchemaFitter fitter =
        new SchemaFitter(reader.columns(), kinds)
            .declared(reader.declared())
            .mostValues(mostValues);
    Row row = new Row();
    while (first.size() < ROWS && reader.next(row)) {
      fitter.add(row);
      Row copy = new Row();
      copy.copyFrom(row);
      first.add(copy);
      positions.add(reader.position());
      if (row.labelKind() != Row.Kind.MISSING) {
        labels.add(row.labelText());
      }
    }
    if (first.isEmpty()) {
      throw new FailureException(
          reader.position().file() + ": there is no row in it: nothing to learn from");
    }
    schema = fitter.fit();
    if (!schema.isNumbered() && schema.dimension() == 0) {
      throw new FailureException(reader.position().file() + ": " + noFeatures());
    }
    told = toldTask != null;
    if (toldTask != null) {
      task = toldTask;
    } else {
      boolean nominal = reader.declared().containsKey(target());
      TargetInference inferred = TargetInference.of(first, target(), nominal);
      task = inferred.task();
      inferences.add(inferred.line());
    }
    inferences.addAll(InferenceNotes.of(fitter.findings()));
  }

  private String noFeatures() {
    List<String> reasons = new ArrayList<>();
    List<String> columns = reader.columns();
    for (int c = 0; c < columns.size(); c++) {
      int column = c;
      String text =
          first.stream()
              .filter(row -> row.kind(column) != Row.Kind.MISSING)
              .map(row -> row.text(column))
              .findFirst()
              .orElse("");
      String name = Escaped.text(columns.get(c));
      String shown = Escaped.text(text.length() > 20 ? text.substring(0, 20) + "…" : text);
      reasons.add(name + (text.isEmpty() ? " (empty)" : " (such as '" + shown + "')"));
    }
    return "no column is left to learn from: "
        + Fit.brief(reasons)
        + ". Left out are empty columns, those named with --drop, identifiers and free text;"
        + " --numeric or --categorical COLUMN uses one. Numbers need a decimal point, or a comma"
        + " where ';' stands between fields";
  }

  /** Lines on what was inferred, why, and how to change it; empty if there is nothing to say. */
  public String inferences() {
    List<String> lines = new ArrayList<>(inferences);
    String warning = warning();
    if (!warning.isEmpty()) {
      lines.add(warning);
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** What looks wrong with the first rows; empty if nothing does. */
  private String warning() {
    long labelled = first.stream().filter(row -> row.labelKind() != Row.Kind.MISSING).count();
    if (task != Task.CLASSIFICATION
        || labels.size() <= MOST_CLASSES
        || 2L * labels.size() < labelled) {
      return "";
    }
    return "nearly every label is new: "
        + labels.size()
        + " classes in "
        + labelled
        + " rows. If they are numbers, say --task regression; if another column is to be"
        + " predicted, say --label";
  }

  @Override
  public boolean next(Row row) throws IOException {
    if (replayed < first.size()) {
      row.copyFrom(first.get(replayed++));
      return true;
    }
    return reader.next(row);
  }

  @Override
  public Position position() {
    boolean replaying = replayed < first.size() || reader.rows() == first.size();
    return replaying && replayed > 0 ? positions.get(replayed - 1) : reader.position();
  }

  /** From rows to vectors. */
  public Schema schema() {
    return schema;
  }

  /** The task, set by the user or inferred. */
  public Task task() {
    return task;
  }

  /** The reader, for what it knows of the rows. */
  public RowReader reader() {
    return reader;
  }

  /** Name of the label's column, empty if unknown. */
  public String target() {
    String name = reader.labelName();
    return name == null ? "" : name;
  }

  /** The first rows as vectors. */
  List<FeatureVector> vectors() {
    RowEncoder encoder = schema.encoder(reader.columns());
    List<FeatureVector> vectors = new ArrayList<>();
    for (Row row : first) {
      vectors.add(encoder.encode(row).copy());
    }
    return vectors;
  }

  /** The targets of the first rows that have a number for one. */
  public List<Double> targets() {
    return first.stream()
        .filter(row -> row.labelKind() == Row.Kind.NUMBER)
        .map(Row::labelNumber)
        .toList();
  }

  /** One line: what was found. */
  public String describe() {
    String what =
        task == Task.CLASSIFICATION
            ? "classification (" + labels.size() + " classes so far" + (told ? ")" : ", inferred)")
            : "regression" + (told ? "" : " (inferred)");
    String of = target().isEmpty() ? "" : " of " + target();
    return what + of + " from " + (schema.isNumbered() ? "numbered features" : columns());
  }

  private String columns() {
    Map<Column.Kind, List<String>> byKind =
        schema.columns().stream()
            .collect(
                Collectors.groupingBy(
                    Column::kind,
                    java.util.TreeMap::new,
                    Collectors.mapping(Column::name, Collectors.toList())));
    String list =
        byKind.entrySet().stream()
            .map(kind -> kind.getValue().size() + " " + word(kind.getKey()) + names(kind))
            .collect(Collectors.joining(", "));
    return list + " columns (" + schema.used() + " features)";
  }

  private static String names(Map.Entry<Column.Kind, List<String>> kind) {
    boolean plain = kind.getKey() == Column.Kind.NUMERIC || kind.getValue().size() > 8;
    return plain ? "" : " " + kind.getValue();
  }

  private static String word(Column.Kind kind) {
    return kind.name().toLowerCase(java.util.Locale.ROOT);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
