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
import io.github.avm4j.pipeline.Inference;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Infers the schema and the task from the first rows of a reader, then replays these rows and the
 * rest.
 */
public final class Preview implements RowSource, Closeable {
  private final RowReader reader;
  private final List<Row> first = new ArrayList<>();
  private final List<Position> positions = new ArrayList<>();
  private final Inference inferred;
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
    while (first.size() < Inference.ROWS && reader.next(row)) {
      Row copy = new Row();
      copy.copyFrom(row);
      first.add(copy);
      positions.add(reader.position());
    }
    String file = reader.position().file();
    if (first.isEmpty()) {
      throw new AvmException(file + ": has no rows to learn from");
    }
    boolean declared = reader.declared().containsKey(target());
    try {
      inferred = Inference.of(fitter, first, target(), setTask, declared);
    } catch (IllegalArgumentException e) {
      throw new AvmException(file + ": " + Escaped.text(String.valueOf(e.getMessage())), e);
    }
  }

  /** Lines on what was inferred, why, and how to change it; may be empty. */
  public String inferences() {
    List<String> notes = new ArrayList<>(inferred.notes());
    if (reader.labelReason() != null) {
      notes.add(
          0, "label: " + target() + ", " + reader.labelReason() + "; --label NAME takes another");
    }
    return notes.stream().map(Escaped::text).collect(Collectors.joining(System.lineSeparator()));
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
    return inferred.schema();
  }

  /** Task, set by the user or inferred. */
  public Task task() {
    return inferred.task();
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
    int most = schema().dimension();
    for (FeatureVector x : vectors()) {
      most = Math.max(most, x.dimension());
    }
    return most;
  }

  /** Feature vectors of the first rows. */
  public List<FeatureVector> vectors() {
    RowEncoder encoder = schema().encoder(reader.columns());
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
    return inferred.toString();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
