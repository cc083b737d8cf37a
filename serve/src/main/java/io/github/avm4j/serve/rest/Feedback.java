// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.rest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import io.github.avm4j.serve.EventLog;
import io.github.avm4j.serve.guard.BearerTokens;
import io.github.avm4j.serve.guard.Json;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.guard.RequestIds;
import io.github.avm4j.serve.kafka.FeedbackTopic;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/feedback}: the label that turned out to be right for the answer of an id. Goes to
 * a topic as {@code {"id", "label", "time"}}, where the training job joins it to the example. It is
 * acknowledged only when the brokers have it. Needs a token.
 */
public final class Feedback implements Endpoint.Handler {
  private static final int LONGEST = 1_000;

  private final @Nullable FeedbackTopic topic;
  private final BearerTokens tokens;
  private final Clock clock;
  private final EventLog log;

  /** To {@code topic}; null to refuse all. */
  public Feedback(@Nullable FeedbackTopic topic, BearerTokens tokens, Clock clock, EventLog log) {
    this.topic = topic;
    this.tokens = tokens;
    this.clock = clock;
    this.log = log;
  }

  private record Label(String id, @Nullable String text, double number) {}

  /** Sending may wait for brokers: never on an event loop. */
  @Override
  public long cost(Call call) {
    return Long.MAX_VALUE;
  }

  @Override
  public CompletableFuture<Reply> answer(Call call) {
    tokens.require(call.header(HttpHeaderNames.AUTHORIZATION));
    if (topic == null) {
      throw Problem.unavailable(
          "this server has no place for feedback: start it with kafka and feedback-topic");
    }
    Label label = Json.read(call.body(), 0, call.body().length, Feedback::label);
    byte[] record =
        Json.write(
            json -> {
              json.writeStartObject();
              json.writeStringField("id", label.id);
              if (label.text != null) {
                json.writeStringField("label", label.text);
              } else {
                json.writeNumberField("label", label.number);
              }
              json.writeNumberField("time", clock.millis());
              json.writeEndObject();
            });
    return topic
        .send(label.id, record, RequestIds.trace(call.request()))
        .handle(
            (sent, failure) -> {
              if (failure != null) {
                log.warn("feedback_failed", "id", call.id(), "reason", failure.toString());
                throw Problem.unavailable(
                    "the brokers did not take it; it is not stored, send it again");
              }
              return Reply.json(
                  HttpStatus.ACCEPTED,
                  json -> {
                    json.writeStartObject();
                    json.writeStringField("id", label.id);
                    json.writeBooleanField("stored", true);
                    json.writeEndObject();
                  });
            });
  }

  private static Label label(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, "{\"id\": TEXT, \"label\": TEXT or NUMBER}");
    String id = "";
    Label label = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("id") && value == JsonToken.VALUE_STRING) {
        id = parser.getText();
      } else if (name.equals("label") && value.isNumeric()) {
        label = new Label("", null, parser.getDoubleValue());
      } else if (name.equals("label") && value == JsonToken.VALUE_STRING) {
        label = new Label("", parser.getText(), 0);
      } else {
        throw Problem.badRequest("feedback is {\"id\": TEXT, \"label\": TEXT or NUMBER}");
      }
    }
    boolean fits =
        label != null
            && (label.text == null
                ? Double.isFinite(label.number)
                : label.text.length() <= LONGEST);
    if (label == null || !fits || id.isEmpty() || id.length() > LONGEST) {
      throw Problem.badRequest(
          "feedback needs an id and a label, each of at most " + LONGEST + " characters");
    }
    return new Label(id, label.text, label.number);
  }
}
