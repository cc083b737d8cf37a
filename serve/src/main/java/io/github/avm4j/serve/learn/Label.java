// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Problem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/label}: what a predicted row turned out to be, by the id of its prediction. The
 * row is learned before the reply.
 */
public final class Label implements Endpoint.Handler {
  private static final String FORM =
      "{\"id\": TEXT, \"label\": TEXT} or {\"id\": TEXT, \"target\": NUMBER}";

  private final Learning learning;

  /** Taught to {@code learning}. */
  public Label(Learning learning) {
    this.learning = learning;
  }

  private record Labelled(String id, Truth truth) {}

  @Override
  public String form() {
    return FORM;
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    byte[] body = call.body();
    Labelled labelled = Json.read(body, 0, body.length, Label::read);
    return new Endpoint.Job(
        0,
        () ->
            learning
                .label(labelled.id, labelled.truth)
                .thenApply(state -> Learn.reply(labelled.id, 1, state)));
  }

  private static Labelled read(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, FORM);
    String id = null;
    Truth truth = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("id") && value == JsonToken.VALUE_STRING) {
        id = parser.getText();
      } else if (truth == null && isTruth(name, value)) {
        truth = new Truth(parser.getText(), name.equals(Truth.TARGET));
      } else {
        throw Problem.badRequest("a label is " + FORM + Json.place(parser));
      }
    }
    if (id == null || truth == null) {
      throw Problem.badRequest("a label is " + FORM);
    }
    return new Labelled(id, truth);
  }

  private static boolean isTruth(String name, @Nullable JsonToken value) {
    return value != null
        && (name.equals(Truth.LABEL) || name.equals(Truth.TARGET))
        && value.isScalarValue()
        && value != JsonToken.VALUE_NULL;
  }
}
