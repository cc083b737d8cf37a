// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /v1/learn}: a row with its label or target among its cells, or an array of them. They
 * are learned before the reply, in their order.
 */
public final class Learn implements Endpoint.Handler {
  private final Learning learning;

  /** Taught to {@code learning}. */
  public Learn(Learning learning) {
    this.learning = learning;
  }

  @Override
  public String form() {
    return "a row with its label, such as {\"age\": 41, \"label\": \"stays\"}";
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    return new Endpoint.Job(
        0,
        () -> {
          List<TaughtRow> rows = new ArrayList<>();
          for (Map<String, String> cells : JsonRows.read(call.body(), Learning.MOST_ROWS).rows()) {
            rows.add(row(cells, rows.size()));
          }
          if (rows.isEmpty()) {
            throw Problem.badRequest("the array is empty; send at least one row with its label");
          }
          return learning.learn(rows).thenApply(state -> reply("", rows.size(), state));
        });
  }

  private TaughtRow row(Map<String, String> cells, int number) {
    String own = learning.target();
    boolean isOwn = !own.isEmpty() && cells.containsKey(own);
    boolean isNumber = isOwn ? learning.learnsNumbers() : !cells.containsKey(Truth.LABEL);
    String text = cells.remove(isOwn ? own : isNumber ? Truth.TARGET : Truth.LABEL);
    if (text == null) {
      throw Problem.badRequest(
          "row "
              + number
              + " has no label: give it a cell \"label\", or \"target\" if it is a number");
    }
    JsonRows.check(cells);
    return new TaughtRow(cells, new Truth(text, isNumber), "");
  }

  /** What was learned, and how well it is going. */
  static Reply reply(String id, int learned, Learning.State state) {
    return Reply.json(
        json -> {
          json.writeStartObject();
          if (!id.isEmpty()) {
            json.writeStringField("id", id);
          }
          json.writeNumberField("learned", learned);
          write(json, state);
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, Learning.State state) throws IOException {
    json.writeNumberField("rows", state.rows());
    if (state.judged() > 0) {
      json.writeNumberField("error", state.error());
      json.writeNumberField("baseline", state.baseline());
    }
    writeInference(json, state);
  }

  /** Says that columns are not final, if so. */
  public static void writeInference(JsonGenerator json, Learning.State state) throws IOException {
    if (state.isInferring()) {
      json.writeStringField(
          "columns",
          "inferred from %d rows; each row up to %d may change them"
              .formatted(state.rows(), LoopLearner.FIRST));
    }
  }
}
