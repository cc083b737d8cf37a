// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.inference;

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
import io.github.avm4j.model.AvmException;
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
 * Infers the schema and the task from the first rows of a reader, then replays these rows and the
 * rest.
 */
public final class Preview implements RowSource, Closeable {
  /** Number of rows for the inference. */
  public static final int ROWS = 1000;

  private static final int MOST_CLASSES = 50;

  private final RowReader reader;
  private final List<Row> first = new ArrayList<>();
  private final List<Position> positions = new ArrayList<>();
  private final Schema schema;
  private final List<String> inferences = new ArrayList<>();
  private final Task task;
  private final boolean taskSet;
  private final Set<String> labels = new HashSet<>();
  private int replayed;

  /**
   * Reads the first rows; closes the reader when closed.
   *
   * @param kinds encodings set by the user, by column name
   * @param setTask task set by the user, null to infer it
   */
  public Preview(RowReader reader, Map<String, Column.Kind> kinds, @Nullable Task setTask)
      throws IOException {
    this(reader, kinds, setTask, SchemaFitter.MOST_VALUES);
  }

  /** Reads the first rows; at most {@code mostValues} categorical values get features. */
  public Preview(
      RowReader reader, Map<String, Column.Kind> kinds, @Nullable Task setTask, int mostValues)
      throws IOException {
    this.reader = reader;
    SchemaFitter fitter =
        new SchemaFitter(reader.columns(), kinds)
            .declared(reader.declared())
            .cells(reader.cells())
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
      throw new AvmException(reader.position().file() + ": has no rows to learn from");
    }
    schema = fitter.fit();
    if (!schema.isNumbered() && schema.dimension() == 0) {
      throw new AvmException(reader.position().file() + ": " + noFeatures());
    }
    taskSet = setTask != null;
    if (setTask != null) {
      task = setTask;
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
    return "no column can be used as a feature: "
        + Escaped.brief(reasons)
        + ". Not used are empty columns, columns in --drop, identifiers and free text;"
        + " --numeric or --categorical COLUMN uses one. Numbers need a decimal point, or a decimal"
        + " comma if ';' is the delimiter";
  }

  /** Lines on what was inferred, why, and how to change it; may be empty. */
  public String inferences() {
    List<String> lines = new ArrayList<>(inferences);
    String warning = warning();
    if (!warning.isEmpty()) {
      lines.add(warning);
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** Warning about the labels of the first rows; may be empty. */
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
        + " rows. If they are numbers, use --task regression; to predict another column, use"
        + " --label";
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

  /** Inferred schema. */
  public Schema schema() {
    return schema;
  }

  /** Task, set by the user or inferred. */
  public Task task() {
    return task;
  }

  /** Reader of the rows. */
  public RowReader reader() {
    return reader;
  }

  /** Name of the label column, empty if unknown. */
  public String target() {
    String name = reader.labelName();
    return name == null ? "" : name;
  }

  /** Number of features of a vector: fixed by columns, else the most that the first rows have. */
  public int features() {
    int most = schema.dimension();
    for (FeatureVector x : vectors()) {
      most = Math.max(most, x.dimension());
    }
    return most;
  }

  /** Feature vectors of the first rows. */
  public List<FeatureVector> vectors() {
    RowEncoder encoder = schema.encoder(reader.columns());
    List<FeatureVector> vectors = new ArrayList<>();
    for (Row row : first) {
      vectors.add(encoder.encode(row).copy());
    }
    return vectors;
  }

  /** Numeric targets of the first rows. */
  public List<Double> targets() {
    return first.stream()
        .filter(row -> row.labelKind() == Row.Kind.NUMBER)
        .map(Row::labelNumber)
        .toList();
  }

  /** One line on task and columns. */
  public String describe() {
    String what =
        task == Task.CLASSIFICATION
            ? "classification ("
                + labels.size()
                + " classes so far"
                + (taskSet ? ")" : ", inferred)")
            : "regression" + (taskSet ? "" : " (inferred)");
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
