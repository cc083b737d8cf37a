// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.linecorp.armeria.server.ServerBuilder;
import io.github.avm4j.follow.Follower;
import io.github.avm4j.serve.feedback.Feedback;
import io.github.avm4j.serve.feedback.FeedbackEvaluation;
import io.github.avm4j.serve.feedback.FeedbackTopic;
import io.github.avm4j.serve.feedback.LabelRequests;
import io.github.avm4j.serve.http.Admission;
import io.github.avm4j.serve.http.Audit;
import io.github.avm4j.serve.http.BearerTokens;
import io.github.avm4j.serve.http.Bodies;
import io.github.avm4j.serve.http.BodyBudget;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Guard;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.RefusalLog;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.http.Workers;
import io.github.avm4j.serve.learn.DetectorLearning;
import io.github.avm4j.serve.learn.Label;
import io.github.avm4j.serve.learn.Learn;
import io.github.avm4j.serve.learn.Learning;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.operate.ChooseVersion;
import io.github.avm4j.serve.operate.Measures;
import io.github.avm4j.serve.operate.ModelList;
import io.github.avm4j.serve.operate.Page;
import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import io.github.avm4j.serve.predict.Detect;
import io.github.avm4j.serve.predict.DetectorFeedback;
import io.github.avm4j.serve.predict.Explain;
import io.github.avm4j.serve.predict.Models;
import io.github.avm4j.serve.predict.Predict;
import io.github.avm4j.serve.predict.Taught;
import io.github.avm4j.serve.tensor.Rest;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds the endpoints, each with the permission that its callers need. What operators need is bound
 * to the administrative port alone, if there is one; health to both.
 */
final class Routes {
  private static final int ADMINISTRATION = 16;
  private static final int FEEDBACK = 64;
  private static final int LEARNING = 1024;
  private static final int STREAMS = 100;

  private final Limits limits;
  private final Parts parts;
  private final Models models;
  private final Rest rest;
  private final Guard guard;
  private final @Nullable Guard administrationGuard;
  private final Audit audit;

  /**
   * The parts of the server that endpoints use.
   *
   * @param feedback where labels go; null for nowhere
   * @param learning the learner that callers teach; null if they do not
   * @param detecting the detectors that they teach; null if they do not
   * @param metrics the metrics as they are now
   * @param ready whether the server is ready
   */
  record Parts(
      ModelRepository repository,
      List<Follower> sources,
      FeedbackEvaluation evaluation,
      LabelRequests labels,
      @Nullable FeedbackTopic feedback,
      @Nullable Learning learning,
      @Nullable DetectorLearning detecting,
      Admission admission,
      Bodies bodies,
      Workers workers,
      Workers feedbackWorkers,
      Measures measures,
      RefusalLog refusals,
      BearerTokens tokens,
      Supplier<Reply> metrics,
      BooleanSupplier ready,
      Clock clock,
      EventLog log) {}

  Routes(Settings settings, Limits limits, Parts parts) {
    this.limits = limits;
    this.parts = parts;
    this.guard = new Guard(parts.tokens, settings.open(Setting.HOST));
    this.administrationGuard =
        settings.has(Setting.ADMIN_PORT)
            ? new Guard(parts.tokens, settings.open(Setting.ADMIN_HOST))
            : null;
    this.audit = new Audit(parts.log);
    this.models = new Models(parts.repository);
    this.rest = new Rest(models, limits, parts.ready);
  }

  private Endpoint.Surroundings around(Guard guard, Admission admission, Workers workers) {
    return new Endpoint.Surroundings(
        guard, admission, parts.bodies, workers, parts.measures::request, parts.refusals);
  }

  /** Binds the endpoints for clients. */
  void bindPublic(ServerBuilder builder) {
    Endpoint.Surroundings around = around(guard, parts.admission, parts.workers);
    rest.bind(builder, around);
    FeedbackEvaluation evaluated = parts.feedback == null ? null : parts.evaluation;
    Taught taught = parts.learning == null ? null : new Taught(parts.learning);
    Predict predict = new Predict(models, limits, evaluated, parts.labels, taught);
    post(builder, around, "/v1/predict", "predict", Permission.PREDICT, predict);
    bindDetect(builder, around);
    Explain explain = new Explain(models, limits);
    post(builder, around, "/v1/explain", "explain", Permission.EXPLAIN, explain);
    bindFeedback(builder);
    bindLearning(builder);
    if (administrationGuard == null) {
      bindManagement(builder, guard);
    }
  }

  private void bindFeedback(ServerBuilder builder) {
    Feedback feedback =
        new Feedback(parts.feedback, limits, parts.evaluation, parts.clock, parts.log);
    Endpoint.Surroundings around = around(guard, Admission.fixed(FEEDBACK), parts.feedbackWorkers);
    post(builder, around, "/v1/feedback", "feedback", Permission.LEARN, feedback);
  }

  private void bindLearning(ServerBuilder builder) {
    Learning learning = parts.learning;
    Endpoint.Surroundings around = teaching();
    if (learning == null) {
      bindNothingLearns(builder, around);
      return;
    }
    post(builder, around, "/v1/label", "label", Permission.LEARN, new Label(learning));
    post(builder, around, "/v1/learn", "learn", Permission.LEARN, new Learn(learning));
  }

  /** Open as predictions are, so that callers read what to do, not that they need a token. */
  private void bindNothingLearns(ServerBuilder builder, Endpoint.Surroundings around) {
    String what =
        parts.detecting == null
            ? "nothing learns here: start the server with avm serve --learn FOLDER; labels for a"
                + " Flink job go to /v1/feedback"
            : "only detectors learn here: send rows to POST /v1/detect?learn=true";
    Endpoint.Immediate refused =
        call -> {
          throw Problem.notFound(what);
        };
    post(builder, around, "/v1/label", "label", Permission.PREDICT, refused);
    post(builder, around, "/v1/learn", "learn", Permission.PREDICT, refused);
  }

  /** Detection, and feedback to detectors; what is learned has the places of labels. */
  private void bindDetect(ServerBuilder builder, Endpoint.Surroundings around) {
    Detect detect = new Detect(models, limits, parts.detecting, audit);
    post(builder, around, "/v1/detect", "detect", Permission.PREDICT, detect);
    Endpoint.Surroundings teaching = teaching();
    builder
        .route()
        .post("/v1/detect")
        .matchesParams("learn=true")
        .build(new Endpoint("detect", Permission.LEARN, teaching, detect));
    DetectorFeedback judged = new DetectorFeedback(models, limits, parts.detecting, audit);
    post(builder, teaching, "/v1/detect/feedback", "detector_feedback", Permission.LEARN, judged);
  }

  /** Labels have places, threads and memory of their own: none of them is taken of predictions. */
  private Endpoint.Surroundings teaching() {
    BodyBudget budget = BodyBudget.of(Math.max(1 << 20, parts.bodies.budget().limit() / 4));
    return new Endpoint.Surroundings(
        guard,
        Admission.fixed(LEARNING),
        new Bodies(budget, limits.bodyBytes(), STREAMS),
        parts.feedbackWorkers,
        parts.measures::request,
        parts.refusals);
  }

  /** Binds the endpoints of the administrative port. */
  void bindAdministration(ServerBuilder builder) {
    Guard mine = Objects.requireNonNull(administrationGuard, "no administrative port is set");
    rest.bindHealth(builder, around(mine, Admission.fixed(ADMINISTRATION), parts.workers));
    bindManagement(builder, mine);
  }

  /** Calls of operators have reserved places: they are needed most when all others are taken. */
  private void bindManagement(ServerBuilder builder, Guard guard) {
    Endpoint.Surroundings reserved = around(guard, Admission.fixed(ADMINISTRATION), parts.workers);
    ChooseVersion choose = new ChooseVersion(parts.repository, audit);
    post(
        builder,
        reserved,
        "/v1/models/{name}/version",
        "choose_version",
        Permission.OPERATE,
        choose);
    ModelList list =
        new ModelList(
            parts.repository,
            parts.sources,
            parts.evaluation,
            parts.learning == null ? parts.detecting : parts.learning);
    builder
        .route()
        .get("/v1/models")
        .build(new Endpoint("models", Permission.INSPECT, reserved, list));
    Endpoint.Immediate scrape = call -> parts.metrics.get();
    builder
        .route()
        .get("/metrics")
        .build(Endpoint.always("metrics", Permission.METRICS, reserved, scrape));
    Page.bind(builder, reserved);
  }

  private static void post(
      ServerBuilder builder,
      Endpoint.Surroundings around,
      String path,
      String name,
      Permission permission,
      Endpoint.Handler handler) {
    builder.route().post(path).build(new Endpoint(name, permission, around, handler));
  }
}
