// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.learn.DetectorLearning;
import io.github.avm4j.serve.models.ServedDetector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/detect/feedback?anomalous=true|false}: a person says of raw rows that they are
 * anomalies, or normal; rows like them are judged accordingly from then on.
 */
public final class DetectorFeedback implements Endpoint.Handler {
  private final Models models;
  private final Limits limits;
  private final @Nullable DetectorLearning learning;
  private final Audit audit;

  /** With these models and limits; {@code audit} is notified of each change. */
  public DetectorFeedback(
      Models models, Limits limits, @Nullable DetectorLearning learning, Audit audit) {
    this.models = models;
    this.limits = limits;
    this.learning = learning;
    this.audit = audit;
  }

  @Override
  public String form() {
    return "a row as JSON, or an array of rows, to ?anomalous=true or ?anomalous=false";
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    String caller = call.require(Permission.LEARN);
    ServedDetector detector = models.detector(call.query("model"));
    if (call.query("anomalous") == null) {
      throw Problem.badRequest("say what the rows are: ?anomalous=true or ?anomalous=false");
    }
    boolean anomalous = call.query("anomalous", false);
    long cost = call.body().length / 8L * detector.size();
    return new Endpoint.Job(
        cost,
        () -> {
          RowReader reader = new RowReader(detector.encoding(), limits);
          List<FeatureVector> rows = new ArrayList<>(1);
          Detect.read(call, detector, reader, x -> rows.add(x.copy()));
          return Detect.learning(learning, detector)
              .feedback(detector, rows, anomalous)
              .thenApply(
                  done -> {
                    audit.changed(
                        call.context(),
                        "detector_feedback",
                        caller,
                        "model",
                        detector.name(),
                        "rows",
                        rows.size(),
                        "anomalous",
                        anomalous);
                    return reply(call, detector, rows.size(), reader);
                  });
        });
  }

  private static Reply reply(Call call, ServedDetector detector, int taken, RowReader reader) {
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", call.id());
          json.writeStringField("model", detector.name());
          json.writeNumberField("taken", taken);
          Predict.writeUnknown(json, reader);
          json.writeEndObject();
        });
  }
}
