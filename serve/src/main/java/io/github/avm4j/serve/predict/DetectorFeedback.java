// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.BearerTokens;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.ServedDetector;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code POST /v1/detect/feedback?anomalous=true|false}: a person says of raw rows that they are
 * anomalies, or normal; rows like them are judged accordingly from then on. Needs a token.
 */
public final class DetectorFeedback implements Endpoint.Handler {
  private final Models models;
  private final Limits limits;
  private final BearerTokens tokens;
  private final Audit audit;

  /** For those who have a token; {@code audit} is told of each change. */
  public DetectorFeedback(Models models, Limits limits, BearerTokens tokens, Audit audit) {
    this.models = models;
    this.limits = limits;
    this.tokens = tokens;
    this.audit = audit;
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    String caller = Detect.caller(call, tokens);
    ServedDetector detector = models.detector(call.query("model"));
    Detect.checkLearns(detector, true);
    long cost = call.body().length / 8L * detector.size();
    return Endpoint.Job.of(cost, () -> reply(call, detector, caller));
  }

  private Reply reply(Call call, ServedDetector detector, String caller) {
    if (call.query("anomalous") == null) {
      throw Problem.badRequest("say what the rows are: ?anomalous=true or ?anomalous=false");
    }
    boolean anomalous = call.query("anomalous", false);
    RowReader reader = new RowReader(detector.encoding(), limits);
    List<FeatureVector> labelled = new ArrayList<>(1);
    Json.readRows(
        call.body(),
        parser ->
            reader.read(
                parser,
                x -> {
                  Detect.check(detector, x, labelled.size());
                  labelled.add(x.copy());
                }));
    try {
      for (FeatureVector x : labelled) {
        detector.feedback(x, anomalous);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.unavailable("the server is being stopped; send it again");
    }
    audit.changed(
        call.context(),
        "detector_feedback",
        caller,
        "model",
        detector.name(),
        "rows",
        labelled.size(),
        "anomalous",
        anomalous);
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", call.id());
          json.writeStringField("model", detector.name());
          json.writeNumberField("taken", labelled.size());
          Predict.writeUnknown(json, reader);
          json.writeEndObject();
        });
  }
}
