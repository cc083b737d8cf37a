// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.serve.guard.Json;
import io.github.avm4j.serve.guard.Limits;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.repository.Answer;
import io.github.avm4j.serve.repository.Hindsight;
import io.github.avm4j.serve.repository.ServedModel;
import io.github.avm4j.serve.repository.Trials;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/predict}: raw rows in, answers out. Encoding and scaling are the model's. An
 * answer's id is what {@code /v1/feedback} takes later.
 */
public final class Predict implements Endpoint.Immediate {
  private final Models models;
  private final Limits limits;
  private final @Nullable Hindsight hindsight;
  private final @Nullable Trials trials;

  /**
   * With these models and limits.
   *
   * @param hindsight where answers wait for their labels; null if no feedback can come
   * @param trials which requests a version on trial answers; null if there are no trials
   */
  public Predict(
      Models models, Limits limits, @Nullable Hindsight hindsight, @Nullable Trials trials) {
    this.trials = trials;
    this.models = models;
    this.limits = limits;
    this.hindsight = hindsight;
  }

  @Override
  public long cost(Call call) {
    ServedModel model = models.find(call.query("model"), call.query("version"));
    return cost(call, model);
  }

  /** A number takes about eight bytes of text, and meets every core point. */
  static long cost(Call call, ServedModel model) {
    return call.body().length / 8L * model.distances();
  }

  /** What one version predicts for all rows of a request. */
  private record Predicted(
      ServedModel model, RowReader reader, List<Answer> answers, boolean single) {}

  @Override
  public Reply reply(Call call) {
    String wanted = call.query("version");
    ServedModel current = models.find(call.query("model"), wanted);
    ServedModel rival =
        trials == null || (wanted != null && !wanted.isEmpty())
            ? null
            : models.challenger(current.name());
    String id = call.id();
    if (rival == null || trials == null || rival == current) {
      Predicted only = predict(call, current);
      remember(id, only, null, false);
      return write(id, only);
    }
    Predicted shadow = tried(call, rival);
    Predicted known = predict(call, current);
    boolean chosen = shadow != null && trials.isChosen(id);
    if (shadow != null) {
      remember(id, chosen ? shadow : known, chosen ? known : shadow, !chosen);
    }
    return write(id, chosen && shadow != null ? shadow : known);
  }

  private Predicted predict(Call call, ServedModel model) {
    RowReader reader = new RowReader(model, limits);
    List<Answer> answers = new ArrayList<>(1);
    boolean single =
        Json.readRows(
            call.body(),
            parser ->
                reader.read(
                    parser,
                    x -> {
                      call.checkWanted();
                      answers.add(answer(model, x, answers.size()));
                    }));
    return new Predicted(model, reader, answers, single);
  }

  /** A challenger that cannot read the rows predicts nothing, so it gets no labels either. */
  private @Nullable Predicted tried(Call call, ServedModel rival) {
    try {
      return predict(call, rival);
    } catch (Problem e) {
      return null;
    }
  }

  private static Reply write(String id, Predicted done) {
    ServedModel model = done.model;
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", id);
          json.writeStringField("model", model.name());
          json.writeStringField("version", model.version());
          if (done.single) {
            write(json, model, done.answers.get(0));
          } else {
            json.writeArrayFieldStart("answers");
            for (int r = 0; r < done.answers.size(); r++) {
              json.writeStartObject();
              json.writeStringField("id", rowId(id, r));
              write(json, model, done.answers.get(r));
              json.writeEndObject();
            }
            json.writeEndArray();
          }
          writeUnknown(json, done.reader);
          json.writeEndObject();
        });
  }

  private static String rowId(String id, int row) {
    return id + "/" + row;
  }

  /**
   * Keeps predictions until their labels come.
   *
   * @param shadow what the other version predicted; null if no trial is on
   * @param rival whether the other version is the challenger
   */
  private void remember(String id, Predicted done, @Nullable Predicted shadow, boolean rival) {
    if (hindsight == null) {
      return;
    }
    for (int r = 0; r < done.answers.size(); r++) {
      String row = done.single ? id : rowId(id, r);
      if (shadow == null) {
        hindsight.remember(row, done.model, done.answers.get(r));
      } else {
        Answer other = shadow.answers.get(r);
        hindsight.remember(row, done.model, done.answers.get(r), shadow.model, other, rival);
      }
    }
  }

  static Answer answer(ServedModel model, FeatureVector x, int r) {
    try {
      return model.answer(x);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("row " + r + ": " + e.getMessage());
    }
  }

  static void write(JsonGenerator json, ServedModel model, Answer answer) throws IOException {
    if (answer.winner() < 0) {
      json.writeNumberField("prediction", answer.score());
      return;
    }
    json.writeStringField("label", model.className(answer.winner()));
    json.writeNumberField("score", answer.score());
    double[] probabilities = answer.probabilities();
    if (probabilities != null) {
      json.writeObjectFieldStart("probabilities");
      for (int j = 0; j < probabilities.length; j++) {
        json.writeNumberField(model.className(j), probabilities[j]);
      }
      json.writeEndObject();
    }
  }

  /** A misspelt column, or a cell taken as missing, would be silence otherwise. */
  static void writeUnknown(JsonGenerator json, RowReader reader) throws IOException {
    if (!reader.unknown().isEmpty()) {
      json.writeArrayFieldStart("unknown_columns");
      for (String name : reader.unknown()) {
        json.writeString(name);
      }
      json.writeEndArray();
    }
    if (!reader.unusable().isEmpty()) {
      json.writeArrayFieldStart("unusable_cells");
      for (RowReader.Unusable cell : reader.unusable()) {
        json.writeStartObject();
        json.writeNumberField("row", cell.row());
        json.writeStringField("column", cell.column().name());
        json.writeStringField("value", cell.value());
        json.writeStringField("problem", cell.problem());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }
}
