// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Interval;
import io.github.avm4j.serve.feedback.FeedbackEvaluation;
import io.github.avm4j.serve.feedback.LabelRequests;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.learn.Learn;
import io.github.avm4j.serve.learn.Learning;
import io.github.avm4j.serve.models.RowPrediction;
import io.github.avm4j.serve.models.ServedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/predict}: predicts raw rows. Encoding and scaling are the model's. The id of a
 * prediction is what {@code /v1/feedback} takes later.
 */
public final class Predict implements Endpoint.Handler {
  private static final boolean[] NONE = {};

  private final Models models;
  private final Limits limits;
  private final @Nullable FeedbackEvaluation evaluation;
  private final LabelRequests labels;
  private final @Nullable Taught taught;

  /**
   * Predicts with these models.
   *
   * @param evaluation stores predictions until their labels arrive; null without feedback
   * @param labels which predictions want a label
   * @param taught the model that callers teach; null if there is none
   */
  public Predict(
      Models models,
      Limits limits,
      @Nullable FeedbackEvaluation evaluation,
      LabelRequests labels,
      @Nullable Taught taught) {
    this.taught = taught;
    this.labels = labels;
    this.models = models;
    this.limits = limits;
    this.evaluation = evaluation;
  }

  @Override
  public String form() {
    return "a row as JSON, such as {\"age\": 41}, or an array of rows";
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    Taught mine = taught;
    if (mine != null && mine.isMeant(call.query("model"), call.query("version"))) {
      ServedModel model = models.current(mine.learning().name());
      return Endpoint.Job.of(model == null ? 0 : cost(call, model), () -> reply(call, mine, model));
    }
    ServedModel model = models.find(call.query("model"), call.query("version"));
    return Endpoint.Job.of(cost(call, model), () -> reply(call, model));
  }

  /** Predicts, if anything has been learned, and lets the rows wait for their labels. */
  private Reply reply(Call call, Taught mine, @Nullable ServedModel model) {
    Double level = model == null ? null : level(call, model);
    Predicted done = model == null ? null : predict(call, model);
    boolean[] wanted = done == null ? NONE : wanted(done);
    Taught.Ids ids = mine.await(call, limits.rows());
    Learning.State state = mine.learning().state();
    String id = ids.single() ? ids.rows().get(0) : call.id();
    return Reply.json(
        json -> {
          json.writeStartObject();
          if (done == null) {
            writeNothing(json, id, mine.learning().name(), ids);
          } else {
            write(json, id, ids.rows(), done, wanted, level);
          }
          Learn.writeInference(json, state);
          json.writeEndObject();
        });
  }

  private static void writeNothing(JsonGenerator json, String id, String model, Taught.Ids ids)
      throws IOException {
    json.writeStringField("id", id);
    json.writeStringField("model", model);
    if (ids.single()) {
      json.writeNullField("prediction");
      return;
    }
    json.writeArrayFieldStart("predictions");
    for (String row : ids.rows()) {
      json.writeStartObject();
      json.writeStringField("id", row);
      json.writeNullField("prediction");
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** A number takes about eight bytes of text, and meets every core point. */
  static long cost(Call call, ServedModel model) {
    return call.body().length / 8L * model.distances();
  }

  /** The predictions of one version for all rows of a request. */
  private record Predicted(
      ServedModel model, RowReader reader, List<RowPrediction> predictions, boolean single) {}

  private Reply reply(Call call, ServedModel model) {
    Double level = level(call, model);
    Predicted done = predict(call, model);
    boolean[] wanted = wanted(done);
    List<String> rows = ids(call.id(), done);
    remember(call.caller(), rows, done, wanted);
    return write(call.id(), rows, done, wanted, level);
  }

  /** An id per row: that of the request if it is one row, not an array. */
  private static List<String> ids(String id, Predicted done) {
    if (done.single) {
      return List.of(id);
    }
    List<String> rows = new ArrayList<>(done.predictions.size());
    for (int r = 0; r < done.predictions.size(); r++) {
      rows.add(rowId(id, r));
    }
    return rows;
  }

  /** Of each row whether its label is wanted; empty if none are asked for. */
  private boolean[] wanted(Predicted done) {
    return labels.isOn() ? labels.wanted(done.model, done.predictions) : NONE;
  }

  /** The coverage of intervals or sets that is asked for; null if none is. */
  private static @Nullable Double level(Call call, ServedModel model) {
    String text = call.query("level");
    if (text == null) {
      return null;
    }
    List<Double> levels = model.rows().model().calibration().levels();
    try {
      double level = Double.parseDouble(text);
      if (levels.contains(level)) {
        return level;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Problem.badRequest(
        levels.isEmpty()
            ? "model " + model + " keeps no intervals; leave level out"
            : "level must be one of " + levels);
  }

  private Predicted predict(Call call, ServedModel model) {
    RowReader reader = new RowReader(model.encoding(), limits);
    List<RowPrediction> predictions = new ArrayList<>(1);
    boolean single =
        Json.readRows(
            call.body(),
            parser ->
                reader.read(
                    parser,
                    x -> {
                      call.checkCancelled();
                      predictions.add(predict(model, x, predictions.size()));
                    }));
    return new Predicted(model, reader, predictions, single);
  }

  private static Reply write(
      String id, List<String> rows, Predicted done, boolean[] wanted, @Nullable Double level) {
    return Reply.json(
        json -> {
          json.writeStartObject();
          write(json, id, rows, done, wanted, level);
          json.writeEndObject();
        });
  }

  private static void write(
      JsonGenerator json,
      String id,
      List<String> rows,
      Predicted done,
      boolean[] wanted,
      @Nullable Double level)
      throws IOException {
    ServedModel model = done.model;
    json.writeStringField("id", id);
    json.writeStringField("model", model.name());
    json.writeStringField("version", model.version());
    if (done.single) {
      write(json, model, done.predictions.get(0));
      writeRange(json, model, done.predictions.get(0), level);
      writeWanted(json, wanted, 0);
    } else {
      json.writeArrayFieldStart("predictions");
      for (int r = 0; r < done.predictions.size(); r++) {
        json.writeStartObject();
        json.writeStringField("id", rows.get(r));
        write(json, model, done.predictions.get(r));
        writeRange(json, model, done.predictions.get(r), level);
        writeWanted(json, wanted, r);
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    writeUnknown(json, done.reader);
  }

  private static void writeWanted(JsonGenerator json, boolean[] wanted, int row)
      throws IOException {
    if (wanted.length > 0) {
      json.writeBooleanField("wants_label", wanted[row]);
    }
  }

  static String rowId(String id, int row) {
    return id + "/" + row;
  }

  /** Stores predictions until their labels arrive. */
  private void remember(String caller, List<String> rows, Predicted done, boolean[] wanted) {
    if (evaluation == null) {
      return;
    }
    for (int r = 0; r < done.predictions.size(); r++) {
      boolean asked = wanted.length > 0 && wanted[r];
      evaluation.remember(rows.get(r), caller, done.model, done.predictions.get(r), asked);
    }
  }

  static RowPrediction predict(ServedModel model, FeatureVector x, int r) {
    try {
      return model.predict(x);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("row " + r + ": " + e.getMessage());
    }
  }

  static void write(JsonGenerator json, ServedModel model, RowPrediction prediction)
      throws IOException {
    if (prediction.winner() < 0) {
      json.writeNumberField("prediction", prediction.score());
      return;
    }
    json.writeStringField("prediction", model.className(prediction.winner()));
    json.writeNumberField("score", prediction.score());
    double[] probabilities = prediction.probabilities();
    if (probabilities != null) {
      json.writeObjectFieldStart("probabilities");
      for (int j = 0; j < probabilities.length; j++) {
        json.writeNumberField(model.className(j), probabilities[j]);
      }
      json.writeEndObject();
    }
  }

  /** The interval or the set of classes of a level, if one is asked for. */
  private static void writeRange(
      JsonGenerator json, ServedModel model, RowPrediction prediction, @Nullable Double level)
      throws IOException {
    if (level == null) {
      return;
    }
    Calibration calibration = model.rows().model().calibration();
    double[] probabilities = prediction.probabilities();
    if (prediction.winner() < 0) {
      Interval interval = calibration.interval(prediction.score(), level);
      json.writeArrayFieldStart("interval");
      writeEnd(json, interval.lower());
      writeEnd(json, interval.upper());
      json.writeEndArray();
    } else if (probabilities != null) {
      int classes = probabilities.length;
      boolean[] set = calibration.set(probabilities, classes, prediction.winner(), level);
      json.writeArrayFieldStart("set");
      for (int j = 0; j < set.length; j++) {
        if (set[j]) {
          json.writeString(model.className(j));
        }
      }
      json.writeEndArray();
    }
  }

  /** JSON has no infinity. */
  private static void writeEnd(JsonGenerator json, double end) throws IOException {
    if (Double.isInfinite(end)) {
      json.writeNull();
    } else {
      json.writeNumber(end);
    }
  }

  /** Reports misspelt columns and cells taken as missing, which would go unnoticed otherwise. */
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
