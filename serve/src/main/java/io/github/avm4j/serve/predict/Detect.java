// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpHeaderNames;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.BearerTokens;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.models.ServedDetector;
import io.github.avm4j.serve.models.ServedDetector.Detection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * {@code POST /v1/detect}: raw rows in, how unusual each is out. {@code ?alarm=0.001} sets the rate
 * of alarms, {@code ?explain=3} adds what alarms are due to, {@code ?learn=true} learns the rows,
 * which needs a token. All rows of a request are judged, or none.
 */
public final class Detect implements Endpoint.Handler {
  private static final int MOST_LISTED = 20;

  /** Alarms of a request that are explained. */
  private static final int MOST_EXPLAINED = 100;

  private final Models models;
  private final Limits limits;
  private final Consumer<Call> explainers;
  private final BearerTokens tokens;
  private final Audit audit;

  /**
   * With these models and limits.
   *
   * @param explainers refuses those who may not ask for explanations
   * @param tokens of those who may have rows learned
   */
  public Detect(
      Models models, Limits limits, Consumer<Call> explainers, BearerTokens tokens, Audit audit) {
    this.models = models;
    this.limits = limits;
    this.explainers = explainers;
    this.tokens = tokens;
    this.audit = audit;
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    boolean learn = call.query("learn", false);
    String caller = learn ? caller(call, tokens) : "";
    ServedDetector detector = models.detector(call.query("model"));
    checkLearns(detector, learn);
    int passes = call.query("explain") == null && call.query("learn") == null ? 1 : 3;
    long cost = passes * (call.body().length / 8L) * detector.size();
    return Endpoint.Job.of(cost, () -> reply(call, detector, learn, caller));
  }

  /** The rows of a request as they are judged, and what is asked of them. */
  private static final class Judged {
    private final ServedDetector detector;
    private final double level;
    private final int listed;
    private final boolean learn;
    private final List<Detection> all = new ArrayList<>(1);
    private int explained;

    Judged(ServedDetector detector, double level, int listed, boolean learn) {
      this.detector = detector;
      this.level = level;
      this.listed = listed;
      this.learn = learn;
    }

    void add(FeatureVector x) {
      try {
        Detection one = detector.judge(x, level, explained < MOST_EXPLAINED ? listed : 0, learn);
        explained += one.why() == null ? 0 : 1;
        all.add(one);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Problem.unavailable("the server is being stopped");
      }
    }
  }

  private Reply reply(Call call, ServedDetector detector, boolean learn, String caller) {
    int listed = call.query("explain", 0, 0, MOST_LISTED);
    if (listed > 0) {
      explainers.accept(call);
    }
    Judged judged = new Judged(detector, level(call, detector), listed, learn);
    RowReader reader = new RowReader(detector.encoding(), limits);
    boolean single = judge(call, reader, judged);
    if (learn) {
      audit.changed(
          call.context(), "learn", caller, "model", detector.name(), "rows", judged.all.size());
    }
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", call.id());
          json.writeStringField("model", detector.name());
          json.writeStringField("version", Long.toString(detector.number()));
          json.writeNumberField("alarm_level", judged.level);
          if (single) {
            write(json, detector, judged.all.get(0));
          } else {
            json.writeArrayFieldStart("detections");
            for (Detection one : judged.all) {
              json.writeStartObject();
              write(json, detector, one);
              json.writeEndObject();
            }
            json.writeEndArray();
          }
          Predict.writeUnknown(json, reader);
          json.writeEndObject();
        });
  }

  /**
   * Whose token allows to change a detector. It is asked for first: a stranger learns nothing, not
   * even which detectors there are.
   *
   * @throws Problem if there is none
   */
  static String caller(Call call, BearerTokens tokens) {
    return tokens.require(call.header(HttpHeaderNames.AUTHORIZATION));
  }

  /** Refuses to change a detector whose changes have no place. */
  static void checkLearns(ServedDetector detector, boolean wanted) {
    if (wanted && !detector.learns()) {
      throw Problem.unavailable(
          "this server has no place for what a detector learns: start it with detector-state");
    }
  }

  private static double level(Call call, ServedDetector detector) {
    String text = call.query("alarm");
    if (text == null) {
      return detector.config().alarm();
    }
    double least = 1.0 / detector.config().calibration();
    try {
      double level = Double.parseDouble(text);
      if (level >= least && level <= 0.5) {
        return level;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Problem.badRequest(
        "alarm must be a number in "
            + least
            + "..0.5: p-values compare with "
            + detector.config().calibration()
            + " scores");
  }

  /** Whether the body is one row. Nothing is learned before the last row has been read. */
  private static boolean judge(Call call, RowReader reader, Judged judged) {
    List<FeatureVector> waiting = new ArrayList<>(0);
    boolean single =
        Json.readRows(
            call.body(),
            parser ->
                reader.read(
                    parser,
                    x -> {
                      call.checkCancelled();
                      check(judged.detector, x, waiting.size() + judged.all.size());
                      if (judged.learn) {
                        waiting.add(x.copy());
                      } else {
                        judged.add(x);
                      }
                    }));
    waiting.forEach(judged::add);
    return single;
  }

  /** Refuses what the detector would: after the first row was learned it is too late. */
  static void check(ServedDetector detector, FeatureVector x, int row) {
    int features = detector.encoding().dimension();
    if (x.isSparse() ? x.dimension() > features : x.dimension() != features) {
      throw Problem.badRequest(
          "row " + row + ": it has " + x.dimension() + " features, the detector " + features);
    }
  }

  private void write(JsonGenerator json, ServedDetector detector, Detection one)
      throws IOException {
    json.writeNumberField("p_value", one.pValue());
    json.writeNumberField("score", one.score());
    json.writeBooleanField("alarm", one.alarm());
    AnomalyExplanation why = one.why();
    if (why == null) {
      return;
    }
    Schema schema = detector.rows().schema();
    json.writeArrayFieldStart("features");
    for (AnomalyExplanation.Feature feature : why.features()) {
      int j = feature.index();
      json.writeStartObject();
      json.writeStringField("feature", schema.featureName(j));
      json.writeNumberField("value", schema.original(j, feature.value()));
      json.writeNumberField("expected", schema.original(j, feature.expected()));
      json.writeNumberField("contribution", feature.contribution());
      json.writeNumberField("share", feature.share());
      json.writeEndObject();
    }
    json.writeEndArray();
    writeNeighbours(json, detector, why);
  }

  private static void writeNeighbours(
      JsonGenerator json, ServedDetector detector, AnomalyExplanation why) throws IOException {
    json.writeArrayFieldStart("neighbours");
    for (AnomalyExplanation.Neighbour near : why.neighbours()) {
      json.writeStartObject();
      json.writeNumberField("point", near.point());
      json.writeNumberField("similarity", near.similarity());
      json.writeObjectFieldStart("at");
      for (Map.Entry<String, Double> cell : detector.rows().point(near.example()).entrySet()) {
        json.writeNumberField(cell.getKey(), cell.getValue());
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
