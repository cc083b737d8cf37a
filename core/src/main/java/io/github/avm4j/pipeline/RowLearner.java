// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.GrowingSchema;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.List;

/**
 * A learner of raw rows: a schema, the names of the classes seen, and a learner of vectors.
 *
 * <pre>{@code
 * RowEncoder encoder = rows.encoder(reader.columns());
 * while (reader.next(row)) {
 *   rows.learner().learn(encoder.encode(row), rows.target(row), row.weight());
 * }
 * }</pre>
 */
public final class RowLearner {
  private final GrowingSchema schema;
  private final String targetName;
  private final ClassNames names;
  private final Learner learner;

  /** For a stream of that schema; {@code targetName} is for people, empty if unknown. */
  public RowLearner(Schema schema, String targetName, Learner learner) {
    this(schema, targetName, new ClassNames(List.of()), learner);
  }

  RowLearner(Schema schema, String targetName, ClassNames names, Learner learner) {
    this.schema = new GrowingSchema(schema);
    this.targetName = targetName;
    this.names = names;
    this.learner = learner;
  }

  /** From rows to vectors, with the values of categorical columns seen so far. */
  public Schema schema() {
    return schema.schema();
  }

  /** An encoder for rows to learn from; it gives new values of categorical columns features. */
  public RowEncoder encoder(List<String> columns) {
    return schema.encoder(columns);
  }

  /** An encoder for rows to predict only; it knows the values seen at the time of each row. */
  public RowEncoder reader(List<String> columns) {
    return schema.reader(columns);
  }

  /** Name of the predicted column, empty if unknown. */
  public String targetName() {
    return targetName;
  }

  /** The same learner for parallel streams: its schema is {@link Schema#closed}. */
  public RowLearner closed() {
    return new RowLearner(schema().closed(), targetName, names, learner);
  }

  /** The classes seen so far. */
  public ClassNames names() {
    return names;
  }

  /** From vectors to answers. */
  public Learner learner() {
    return learner;
  }

  /**
   * The label or number of {@code row} as the learner takes it; a new class gets a name.
   *
   * @throws IllegalArgumentException if it is missing, or text where a number is to be learned
   */
  public double target(Row row) {
    if (row.labelKind() == Row.Kind.MISSING) {
      throw new IllegalArgumentException("the row has no label");
    }
    if (learner.task() == Task.CLASSIFICATION) {
      return names.add(row.labelText());
    }
    double number = row.labelAsNumber();
    if (Double.isNaN(number)) {
      throw new IllegalArgumentException(
          "the label '" + row.labelText() + "' is not a number (is this a classification task?)");
    }
    return number;
  }

  /** An immutable copy of what was learned. */
  public RowModel snapshot() {
    return new RowModel(schema(), targetName, names.toList(), learner.snapshot());
  }

  /** All state; the file is a model's too. */
  public byte[] toBytes() {
    return RowFormat.write(this);
  }

  /** The learner in the bytes of {@link #toBytes}, to go on as if it had never stopped. */
  public static RowLearner read(byte[] file) throws InvalidModelException {
    return RowFormat.readLearner(file);
  }
}
