// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.Pending;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.ModelRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A learner of rows, saved as {@code avm train} saves, with the rows that wait for labels. */
final class LearnerFile extends Pupil {
  private static final String NAME = "learner.avm";
  private static final String SCHEMA = "schema.json";
  private static final String FORM =
      "{\"task\": \"classification\" or \"regression\", \"columns\": {NAME: \"number\","
          + " \"category\" or \"date\", …}}";

  private final LoopLearner learner;
  private final WaitingRows waiting;
  private final ModelRepository repository;
  private long modelRows;

  /**
   * Reads what is there, and learns the rows of the journal again.
   *
   * @param waiting gets the rows that waited when the learner was saved
   * @throws IOException if that cannot be done, saying what to do
   */
  LearnerFile(LearnFolder folder, WaitingRows waiting, ModelRepository repository)
      throws IOException {
    this(folder, file(folder), waiting, repository);
  }

  private LearnerFile(
      LearnFolder folder, Path file, WaitingRows waiting, ModelRepository repository)
      throws IOException {
    super(folder, file, folder.files().getOrDefault(file, new byte[0]));
    byte[] bytes = folder.files().getOrDefault(file, new byte[0]);
    learner = start(folder.path().resolve(SCHEMA), file, bytes, waiting);
    this.waiting = waiting;
    this.repository = repository;
    replay();
  }

  private static Path file(LearnFolder folder) throws IOException {
    Set<Path> files = folder.files().keySet();
    if (files.size() > 1) {
      throw new IOException(
          folder.path() + ": has " + files.size() + " files *.avm; leave only the one to continue");
    }
    return files.isEmpty() ? folder.path().resolve(NAME) : files.iterator().next();
  }

  private static LoopLearner start(Path schema, Path file, byte[] bytes, WaitingRows waiting)
      throws IOException {
    if (bytes.length == 0) {
      return Files.exists(schema) ? new LoopLearner(declared(schema)) : new LoopLearner();
    }
    try {
      RowLearner read = Pending.read(bytes, waiting, null).learner();
      if (read.schema().isNumbered()) {
        throw new IOException(
            file
                + ": has numbered features, but rows here have named columns; train it from a file"
                + " with columns");
      }
      return new LoopLearner(read);
    } catch (InvalidModelException e) {
      throw new IOException(file + ": " + e.getMessage() + "; put a file of avm train here", e);
    }
  }

  private static RowLearner declared(Path path) throws IOException {
    byte[] text = Files.readAllBytes(path);
    try {
      return Json.read(text, 0, text.length, LearnerFile::declared);
    } catch (Problem | IllegalArgumentException | IllegalStateException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  private static RowLearner declared(JsonParser parser) throws IOException {
    Task task = null;
    Schema.Builder columns = Schema.builder();
    Json.expect(parser, JsonToken.START_OBJECT, FORM);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("task")) {
        task =
            switch (parser.getText()) {
              case "classification" -> Task.CLASSIFICATION;
              case "regression" -> Task.REGRESSION;
              default -> throw Problem.badRequest(FORM + " is expected");
            };
      } else if (name.equals("columns")) {
        columns(parser, columns);
      } else {
        throw Problem.badRequest(FORM + " is expected");
      }
    }
    if (task == null) {
      throw Problem.badRequest(FORM + " is expected");
    }
    Schema schema = columns.build();
    return task == Task.REGRESSION
        ? RowLearner.regressor(schema).build()
        : RowLearner.classifier(schema).build();
  }

  private static void columns(JsonParser parser, Schema.Builder columns) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, FORM);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String column = parser.currentName();
      parser.nextToken();
      switch (parser.getText()) {
        case "number" -> columns.number(column);
        case "category" -> columns.category(column);
        case "date" -> columns.date(column);
        default -> throw Problem.badRequest(FORM + " is expected");
      }
    }
  }

  @Override
  int again(List<byte[]> lines) {
    List<TaughtRow> rows = new ArrayList<>();
    for (byte[] line : lines) {
      try {
        TaughtRow row = row(JsonRows.line(line));
        rows.add(row);
        if (!row.id().isEmpty()) {
          waiting.settle(row.id());
        }
      } catch (Problem e) {
        // counted below
      }
    }
    learner.again(rows);
    return lines.size() - rows.size();
  }

  /** The row of a journal's line, its truth taken out of its cells. */
  private TaughtRow row(Map<String, String> cells) {
    String id = cells.remove(JsonRows.ID);
    boolean number =
        learner.task() == null
            ? !cells.containsKey(Truth.LABEL)
            : learner.task() == Task.REGRESSION;
    String text = cells.remove(learner.target(new Truth("", number)));
    if (text == null) {
      throw Problem.badRequest("a line without a label");
    }
    Truth truth = new Truth(text, number);
    if (number) {
      Truths.number(text);
    }
    return new TaughtRow(cells, truth, id == null ? "" : id);
  }

  LoopLearner learner() {
    return learner;
  }

  @Override
  long rows() {
    return learner.rows();
  }

  /** Rows that the published model has learned. */
  long modelRows() {
    return modelRows;
  }

  /**
   * Learns a row.
   *
   * @param last whether it is the last one before it is to predict
   * @throws IllegalArgumentException if it cannot be learned
   */
  void learn(TaughtRow row, boolean last) {
    learner.learn(row, last);
    changed();
  }

  /** A row as a line of the journal. */
  byte[] line(TaughtRow row) {
    return JsonRows.line(
        learner.cells(row), learner.target(row.truth()), row.truth().text(), row.id());
  }

  @Override
  void show() {
    RowModel model = learner.snapshot();
    if (model != null) {
      repository.publish(
          new Arrival(name(), "", learner.rows(), file().toString(), folder.clock().instant()),
          model);
    }
    modelRows = learner.rows();
  }

  @Override
  byte @Nullable [] toBytes() {
    return learner.toBytes(waiting);
  }
}
