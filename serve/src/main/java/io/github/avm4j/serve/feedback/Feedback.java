// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.http.RequestIds;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/feedback}: true labels, or targets if they are numbers, for predictions of given
 * ids. Each goes to a topic as {@code {"id", "label", "time"}}, where the training job joins it to
 * its example, in the order of the request. Examples of ids of their own name the prediction beside
 * them. They are acknowledged only when the brokers have them all; then {@link FeedbackEvaluation}
 * scores the predictions. Needs a token.
 */
public final class Feedback implements Endpoint.Handler {
  private static final String GONE =
      "the brokers did not confirm it; count it as not stored, and send it again";

  private static final int LONGEST = 1_000;
  private static final String FORM =
      "{\"id\": TEXT, \"label\": TEXT or NUMBER}, or \"target\": NUMBER for a regression; with"
          + " \"prediction_id\": TEXT if the id is not that of the prediction";

  private final @Nullable FeedbackTopic topic;
  private final Limits limits;
  private final FeedbackEvaluation evaluation;
  private final Clock clock;
  private final EventLog log;
  private final Audit audit;

  /** To {@code topic}; null to refuse all. */
  public Feedback(
      @Nullable FeedbackTopic topic,
      Limits limits,
      FeedbackEvaluation evaluation,
      Clock clock,
      EventLog log) {
    this.topic = topic;
    this.limits = limits;
    this.evaluation = evaluation;
    this.clock = clock;
    this.log = log;
    this.audit = new Audit(log);
  }

  /**
   * A label or target.
   *
   * @param id of the example, in the topic
   * @param predictionId id of the prediction for it; the same unless said otherwise
   * @param name label or target
   */
  private record Label(
      String id, String predictionId, String name, @Nullable String text, double number) {}

  @Override
  public void admit(RequestHeaders headers) {
    if (topic == null) {
      throw Problem.unavailable(
          "feedback goes to a topic of Kafka, and none is set: start the server with --kafka and"
              + " --label-topic. A server that learns (--learn) takes labels at POST /v1/label");
    }
    if (!topic.isOpen()) {
      throw Problem.unavailable(GONE);
    }
  }

  @Override
  public String form() {
    return FORM;
  }

  /** Sending may wait for brokers: never on an event loop. */
  @Override
  public Endpoint.Job prepare(Call call) {
    return new Endpoint.Job(Long.MAX_VALUE, () -> respond(call));
  }

  private CompletableFuture<Reply> respond(Call call) {
    String caller = call.require(Permission.LEARN);
    FeedbackTopic to = Objects.requireNonNull(topic, "admitted without a topic");
    List<Label> labels = new ArrayList<>(1);
    boolean single = Json.read(call.body(), 0, call.body().length, parser -> read(parser, labels));
    String trace = RequestIds.trace(call.request());
    return CompletableFuture.allOf(send(to, labels, trace))
        .handle(
            (done, failure) -> {
              if (failure != null) {
                log.warn(
                    "feedback_failed",
                    "id",
                    RequestIds.of(call.context()),
                    "reason",
                    failure.toString());
                throw Problem.unavailable(GONE);
              }
              labels.forEach(
                  label -> evaluation.judge(label.predictionId, label.text, label.number));
              audit.changed(call.context(), "feedback", caller, "labels", labels.size());
              return stored(single, labels);
            });
  }

  /** Ends at the first that fails at once: each send may wait for brokers that are gone. */
  private CompletableFuture<?>[] send(
      FeedbackTopic to, List<Label> labels, @Nullable String trace) {
    List<CompletableFuture<Void>> sent = new ArrayList<>(labels.size());
    for (Label label : labels) {
      CompletableFuture<Void> one = to.send(label.id, record(label), trace);
      sent.add(one);
      if (one.isCompletedExceptionally()) {
        break;
      }
    }
    return sent.toArray(new CompletableFuture<?>[0]);
  }

  private byte[] record(Label label) {
    return Json.write(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", label.id);
          if (label.text != null) {
            json.writeStringField(label.name, label.text);
          } else {
            json.writeNumberField(label.name, label.number);
          }
          json.writeNumberField("time", clock.millis());
          json.writeEndObject();
        });
  }

  private static Reply stored(boolean single, List<Label> labels) {
    return Reply.json(
        HttpStatus.ACCEPTED,
        json -> {
          json.writeStartObject();
          if (single) {
            json.writeStringField("id", labels.get(0).id);
            json.writeBooleanField("stored", true);
          } else {
            json.writeNumberField("stored", labels.size());
          }
          json.writeEndObject();
        });
  }

  /** Whether it is one label, not an array of them. */
  private boolean read(JsonParser parser, List<Label> labels) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      labels.add(label(parser));
      return true;
    }
    Json.expect(parser, JsonToken.START_ARRAY, FORM + " or an array of them");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      limits.checkRows(labels.size() + 1L);
      Json.expect(parser, JsonToken.START_OBJECT, FORM);
      labels.add(label(parser));
    }
    return false;
  }

  private static Label label(JsonParser parser) throws IOException {
    String id = "";
    String prediction = null;
    Label label = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("id") && value == JsonToken.VALUE_STRING) {
        id = parser.getText();
      } else if (name.equals("prediction_id") && value == JsonToken.VALUE_STRING) {
        prediction = parser.getText();
      } else if (label == null && isTruth(name) && value.isNumeric()) {
        label = new Label("", "", name, null, parser.getDoubleValue());
      } else if (label == null && name.equals("label") && value == JsonToken.VALUE_STRING) {
        label = new Label("", "", name, parser.getText(), 0);
      } else {
        throw Problem.badRequest("feedback is " + FORM);
      }
    }
    boolean fits =
        label != null
            && (label.text == null
                ? Double.isFinite(label.number)
                : label.text.length() <= LONGEST);
    if (label == null || !fits || id.isEmpty() || id.length() > LONGEST) {
      throw Problem.badRequest(
          "feedback needs an id and a label or target, each of at most " + LONGEST + " characters");
    }
    return new Label(
        id, prediction == null ? id : prediction, label.name, label.text, label.number);
  }

  private static boolean isTruth(String name) {
    return name.equals("label") || name.equals("target");
  }
}
