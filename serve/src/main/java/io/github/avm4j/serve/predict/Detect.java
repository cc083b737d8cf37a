// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.learn.DetectorLearning;
import io.github.avm4j.serve.models.ServedDetector;
import io.github.avm4j.serve.models.ServedDetector.Detection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/detect}: raw rows in, how unusual each is out. {@code ?alarm=0.001} sets the rate
 * of alarms, {@code ?explain=3} adds what alarms are due to, {@code ?learn=true} learns the rows,
 * which needs a permission more, as does to explain. All rows of a request are judged, or none.
 */
public final class Detect implements Endpoint.Handler {
  private static final int MOST_LISTED = 20;

  /** Alarms of a request that are explained. */
  private static final int MOST_EXPLAINED = 100;

  private final Models models;
  private final Limits limits;
  private final @Nullable DetectorLearning learning;
  private final Audit audit;

  /**
   * With these models and limits.
   *
   * @param learning learns rows; null if nothing does
   * @param audit is notified of what is learned
   */
  public Detect(Models models, Limits limits, @Nullable DetectorLearning learning, Audit audit) {
    this.models = models;
    this.limits = limits;
    this.learning = learning;
    this.audit = audit;
  }

  @Override
  public String form() {
    return "a row as JSON, such as {\"heat\": 20}, or an array of rows";
  }

  @Override
  public Endpoint.Job prepare(Call call) {
    boolean learn = call.query("learn", false);
    // It is asked for first: a stranger learns nothing, not even which detectors there are.
    String caller = learn ? call.require(Permission.LEARN) : "";
    ServedDetector detector = models.detector(call.query("model"));
    int listed = call.query("explain", 0, 0, MOST_LISTED);
    if (listed > 0) {
      call.require(Permission.EXPLAIN);
    }
    DetectorLearning.Question question =
        new DetectorLearning.Question(level(call, detector), listed, MOST_EXPLAINED);
    int passes = call.query("explain") == null ? 1 : 3;
    long cost = passes * (call.body().length / 8L) * detector.size();
    RowReader reader = new RowReader(detector.encoding(), limits);
    if (learn) {
      return new Endpoint.Job(cost, () -> learn(call, caller, detector, question, reader));
    }
    return Endpoint.Job.of(
        cost,
        () -> {
          Judged judged = new Judged(detector, question);
          boolean single = read(call, detector, reader, judged::add);
          return reply(call, detector, question, reader, judged.all, single);
        });
  }

  /** The rows of a request as they are judged. */
  private static final class Judged {
    private final ServedDetector detector;
    private final DetectorLearning.Question question;
    private final List<Detection> all = new ArrayList<>(1);
    private int explained;

    Judged(ServedDetector detector, DetectorLearning.Question question) {
      this.detector = detector;
      this.question = question;
    }

    void add(FeatureVector x) {
      int listed = explained < question.explained() ? question.listed() : 0;
      try {
        Detection one = detector.judge(x, question.level(), listed);
        explained += one.why() == null ? 0 : 1;
        all.add(one);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Problem.unavailable("the server is being stopped");
      }
    }
  }

  /** Nothing is learned before the last row has been read. */
  private CompletableFuture<Reply> learn(
      Call call,
      String caller,
      ServedDetector detector,
      DetectorLearning.Question question,
      RowReader reader) {
    List<FeatureVector> rows = new ArrayList<>();
    boolean single = read(call, detector, reader, x -> rows.add(x.copy()));
    return learning(learning, detector)
        .detect(detector, rows, question)
        .thenApply(
            all -> {
              audit.changed(
                  call.context(), "learn", caller, "model", detector.name(), "rows", all.size());
              return reply(call, detector, question, reader, all, single);
            });
  }

  /** What learns, if anything does. */
  static DetectorLearning learning(@Nullable DetectorLearning learning, ServedDetector detector) {
    if (learning == null) {
      throw DetectorLearning.doesNotLearn(detector);
    }
    return learning;
  }

  private Reply reply(
      Call call,
      ServedDetector detector,
      DetectorLearning.Question question,
      RowReader reader,
      List<Detection> all,
      boolean single) {
    return Reply.json(
        json -> {
          json.writeStartObject();
          json.writeStringField("id", call.id());
          json.writeStringField("model", detector.name());
          json.writeStringField("version", Long.toString(detector.number()));
          json.writeNumberField("alarm_level", question.level());
          if (single) {
            write(json, detector, all.get(0));
          } else {
            json.writeArrayFieldStart("detections");
            for (Detection one : all) {
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
            + "..0.5: a p-value is a share of the last "
            + detector.config().calibration()
            + " scores");
  }

  /**
   * Reads the rows of a body. One that the detector would refuse is refused here: after the first
   * row was learned it is too late.
   *
   * @return whether the body is one row
   */
  static boolean read(
      Call call, ServedDetector detector, RowReader reader, Consumer<FeatureVector> rows) {
    int features = detector.encoding().dimension();
    int[] count = new int[1];
    return Json.readRows(
        call.body(),
        parser ->
            reader.read(
                parser,
                x -> {
                  call.checkCancelled();
                  if (x.isSparse() ? x.dimension() > features : x.dimension() != features) {
                    throw Problem.badRequest(
                        "row %d: it has %d features, the detector %d"
                            .formatted(count[0], x.dimension(), features));
                  }
                  count[0]++;
                  rows.accept(x);
                }));
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
