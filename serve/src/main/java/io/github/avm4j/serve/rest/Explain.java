// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.serve.guard.Json;
import io.github.avm4j.serve.guard.Limits;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.repository.Answer;
import io.github.avm4j.serve.repository.ServedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /v1/explain}: one raw row in, its answer out with the core points that decided it.
 * See {@link Explanation} for what the numbers are.
 */
public final class Explain implements Endpoint.Immediate {
  private static final int USUAL_POINTS = 10;
  private static final int MOST_POINTS = 1000;

  private final Models models;
  private final Limits limits;

  /** With these models and limits. */
  public Explain(Models models, Limits limits) {
    this.models = models;
    this.limits = limits;
  }

  @Override
  public long cost(Call call) {
    ServedModel model = models.find(call.query("model"), call.query("version"));
    long points = model.rows().model().size();
    long combined = Math.min(points, Explanation.MOST_COMBINED);
    return (combined + 1) * Predict.cost(call, model) + combined * combined * combined / 6;
  }

  private record Explained(Answer answer, Explanation why) {}

  @Override
  public Reply reply(Call call) {
    ServedModel model = models.find(call.query("model"), call.query("version"));
    int most = call.query("points", USUAL_POINTS, 0, MOST_POINTS);
    RowReader reader = new RowReader(model, limits);
    List<Explained> all = new ArrayList<>(1);
    boolean single =
        Json.read(
            call.body(),
            0,
            call.body().length,
            parser ->
                reader.read(
                    parser,
                    x -> {
                      Answer answer = Predict.answer(model, x, all.size());
                      all.add(new Explained(answer, Explanation.of(model.rows().model(), x, most)));
                    }));
    if (!single || all.size() != 1) {
      throw Problem.badRequest("one row is explained at a time; send it without the outer []");
    }
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", call.id());
          json.writeStringField("model", model.name());
          json.writeStringField("version", model.version());
          Predict.write(json, model, all.get(0).answer);
          write(json, model, all.get(0).why);
          Predict.writeUnknown(json, reader);
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, ServedModel model, Explanation why)
      throws IOException {
    json.writeNumberField("explained_score", why.score());
    json.writeNumberField("intercept", why.intercept());
    json.writeNumberField("rest", why.rest());
    json.writeArrayFieldStart("points");
    for (Explanation.Part part : why.parts()) {
      json.writeStartObject();
      json.writeNumberField("point", part.point());
      if (!Double.isNaN(part.label())) {
        json.writeStringField("label", model.rows().name(part.label()));
      }
      json.writeNumberField("share", part.share());
      json.writeNumberField("similarity", part.similarity());
      json.writeNumberField("weight", part.weight());
      json.writeNumberField("score", part.score());
      json.writeNumberField("contribution", part.contribution());
      json.writeObjectFieldStart("at");
      for (Map.Entry<String, Double> cell : model.rows().point(part.point()).entrySet()) {
        json.writeNumberField(cell.getKey(), cell.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
