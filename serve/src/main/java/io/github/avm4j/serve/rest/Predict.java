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

  /**
   * With these models and limits.
   *
   * @param hindsight where answers wait for their labels; null if no feedback can come
   */
  public Predict(Models models, Limits limits, @Nullable Hindsight hindsight) {
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
    return call.body().length / 8L * model.rows().model().size();
  }

  @Override
  public Reply reply(Call call) {
    ServedModel model = models.find(call.query("model"), call.query("version"));
    RowReader reader = new RowReader(model, limits);
    List<Answer> answers = new ArrayList<>(1);
    boolean single =
        Json.read(
            call.body(),
            0,
            call.body().length,
            parser ->
                reader.read(
                    parser,
                    x -> {
                      call.checkWanted();
                      answers.add(answer(model, x, answers.size()));
                    }));
    String id = call.id();
    remember(id, model, single, answers);
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", id);
          json.writeStringField("model", model.name());
          json.writeStringField("version", model.version());
          if (single) {
            write(json, model, answers.get(0));
          } else {
            json.writeArrayFieldStart("answers");
            for (int r = 0; r < answers.size(); r++) {
              json.writeStartObject();
              json.writeStringField("id", rowId(id, r));
              write(json, model, answers.get(r));
              json.writeEndObject();
            }
            json.writeEndArray();
          }
          writeUnknown(json, reader);
          json.writeEndObject();
        });
  }

  private static String rowId(String id, int row) {
    return id + "/" + row;
  }

  private void remember(String id, ServedModel model, boolean single, List<Answer> answers) {
    if (hindsight != null) {
      for (int r = 0; r < answers.size(); r++) {
        hindsight.remember(single ? id : rowId(id, r), model, answers.get(r));
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
