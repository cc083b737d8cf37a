// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.RowPrediction;
import io.github.avm4j.serve.models.ServedModel;
import java.io.IOException;
import java.util.Map;

/**
 * {@code POST /v1/explain}: predicts one raw row, with the core points that decided it. See {@link
 * Explanation} for the numbers.
 */
public final class Explain implements Endpoint.Handler {
  private static final int USUAL_POINTS = 10;
  private static final int MOST_POINTS = 1000;

  private final Models models;
  private final Limits limits;

  /** Explains predictions of these models. */
  public Explain(Models models, Limits limits) {
    this.models = models;
    this.limits = limits;
  }

  @Override
  public String form() {
    return "one row as JSON, such as {\"age\": 41}";
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    ServedModel model = models.find(call.query("model"), call.query("version"));
    long points = model.distances();
    long combined = Math.min(points, Explanation.MOST_COMBINED);
    long cost = (combined + 1) * Predict.cost(call, model) + combined * combined * combined / 6;
    return Endpoint.Job.of(cost, () -> reply(call, model));
  }

  private record Explained(RowPrediction prediction, Explanation why) {}

  private Reply reply(Call call, ServedModel model) {
    int most = call.query("points", USUAL_POINTS, 0, MOST_POINTS);
    RowReader reader = new RowReader(model.encoding(), limits);
    Explained one =
        Json.readRows(
            call.body(),
            parser -> {
              FeatureVector x = reader.single(parser);
              RowPrediction prediction = Predict.predict(model, x, 0);
              return new Explained(prediction, Explanation.of(model.rows().model(), x, most));
            });
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", call.id());
          json.writeStringField("model", model.name());
          json.writeStringField("version", model.version());
          Predict.write(json, model, one.prediction);
          write(json, model, one);
          Predict.writeUnknown(json, reader);
          json.writeEndObject();
        });
  }

  private void write(JsonGenerator json, ServedModel model, Explained one) throws IOException {
    Explanation why = one.why;
    json.writeNumberField("explained_score", why.score());
    json.writeNumberField("intercept", why.intercept());
    json.writeNumberField("rest", why.rest());
    json.writeArrayFieldStart("points");
    for (Explanation.Part part : why.parts()) {
      json.writeStartObject();
      json.writeNumberField("point", part.point());
      if (!Double.isNaN(part.prediction())) {
        json.writeStringField("prediction", model.rows().name(part.prediction()));
      }
      json.writeNumberField("share", part.share());
      json.writeNumberField("similarity", part.similarity());
      json.writeNumberField("weight", part.weight());
      json.writeNumberField("score", part.score());
      json.writeNumberField("contribution", part.contribution());
      if (one.prediction.winner() >= 0) {
        writeSide(json, model, one.prediction.winner(), part.contribution());
      }
      json.writeObjectFieldStart("at");
      for (Map.Entry<String, Double> cell : model.rows().point(part.example()).entrySet()) {
        json.writeNumberField(cell.getKey(), cell.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /**
   * Which class a contribution speaks for. Of two classes the margin is explained, so it speaks for
   * one of them; of more the winner's score, so it speaks for or against the winner.
   */
  private static void writeSide(
      JsonGenerator json, ServedModel model, int winner, double contribution) throws IOException {
    if (model.rows().model().classes() <= 2) {
      int side = contribution > 0 ? model.rows().model().classes() - 1 : 0;
      json.writeStringField("towards", model.className(side));
    } else {
      json.writeStringField(contribution > 0 ? "towards" : "against", model.className(winner));
    }
  }
}
