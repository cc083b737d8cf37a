// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.linecorp.armeria.common.HttpHeaderNames;
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
import io.github.avm4j.serve.http.Call;
import io.github.avm4j.serve.http.Endpoint;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.http.RefusalLog;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.http.Workers;
import io.github.avm4j.serve.learn.DetectorLearning;
import io.github.avm4j.serve.learn.Label;
import io.github.avm4j.serve.learn.Learn;
import io.github.avm4j.serve.learn.Learning;
import io.github.avm4j.serve.learn.Teachers;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.operate.Access;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds the endpoints of both ports. The public port has predictions and all that is open or needs
 * a token; the administrative port has probes, models, versions and all that is not switched off.
 */
final class Routes {
  private static final int ADMINISTRATION = 16;
  private static final int FEEDBACK = 64;
  private static final int LEARNING = 1024;
  private static final int STREAMS = 100;

  private final Limits limits;
  private final Access page;
  private final Access explain;
  private final Access metrics;
  private final Parts parts;
  private final Models models;
  private final Rest rest;
  private final Teachers teachers;

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
    this.page = settings.access(Setting.PAGE);
    this.explain = settings.access(Setting.EXPLAIN);
    this.metrics = settings.access(Setting.METRICS);
    this.parts = parts;
    this.teachers = new Teachers(parts.tokens, !settings.has(Setting.TOKEN_FILE));
    this.models = new Models(parts.repository);
    this.rest = new Rest(models, limits, parts.ready);
  }

  private Endpoint.Surroundings around(Admission admission, Workers workers) {
    return new Endpoint.Surroundings(
        admission, parts.bodies, workers, parts.measures::request, parts.refusals);
  }

  /** Calls of operators have reserved places: they are needed most when all others are taken. */
  private Endpoint.Surroundings reserved() {
    return around(Admission.fixed(ADMINISTRATION), parts.workers);
  }

  /** Binds the endpoints for clients. */
  void bindPublic(ServerBuilder builder) {
    Endpoint.Surroundings around = around(parts.admission, parts.workers);
    rest.bind(builder, around);
    FeedbackEvaluation evaluated = parts.feedback == null ? null : parts.evaluation;
    post(
        builder,
        around,
        "/v1/predict",
        "predict",
        new Predict(models, limits, evaluated, parts.labels, taught()));
    bindLearning(builder);
    post(
        builder,
        around(Admission.fixed(FEEDBACK), parts.feedbackWorkers),
        "/v1/feedback",
        "feedback",
        new Feedback(
            parts.feedback, parts.tokens, limits, parts.evaluation, parts.clock, parts.log));
    bindOptional(builder, around, false);
    bindManagement(builder, reserved());
  }

  private @Nullable Taught taught() {
    Learning learning = parts.learning;
    return learning == null ? null : new Taught(learning, teachers);
  }

  private void bindLearning(ServerBuilder builder) {
    Learning learning = parts.learning;
    if (learning == null) {
      return;
    }
    Endpoint.Surroundings around = teaching();
    post(builder, around, "/v1/label", "label", new Label(learning, teachers));
    post(builder, around, "/v1/learn", "learn", new Learn(learning, teachers));
  }

  /** Labels have places, threads and memory of their own: none of them is taken of predictions. */
  private Endpoint.Surroundings teaching() {
    BodyBudget budget = BodyBudget.of(Math.max(1 << 20, parts.bodies.budget().limit() / 4));
    return new Endpoint.Surroundings(
        Admission.fixed(LEARNING),
        new Bodies(budget, limits.bodyBytes(), STREAMS),
        parts.feedbackWorkers,
        parts.measures::request,
        parts.refusals);
  }

  /** Binds the endpoints for operators. */
  void bindAdministration(ServerBuilder builder) {
    Endpoint.Surroundings reserved = reserved();
    rest.bindHealth(builder, reserved);
    bindOptional(builder, reserved, true);
    bindManagement(builder, reserved);
  }

  private void bindManagement(ServerBuilder builder, Endpoint.Surroundings calm) {
    Audit audit = new Audit(parts.log);
    post(
        builder,
        calm,
        "/v1/models/{name}/version",
        "choose_version",
        new ChooseVersion(parts.repository, parts.tokens, audit));
    builder
        .route()
        .get("/v1/models")
        .build(
            new Endpoint(
                "models",
                calm,
                new ModelList(
                    parts.repository,
                    parts.sources,
                    parts.evaluation,
                    parts.learning == null ? parts.detecting : parts.learning)));
  }

  /** Detection with the explanations that are given on that port, and feedback to detectors. */
  private void bindDetect(
      ServerBuilder builder, Endpoint.Surroundings around, boolean administration) {
    Audit audit = new Audit(parts.log);
    Consumer<Call> explainers =
        call -> {
          if (!isHere(explain, administration)) {
            throw Problem.forbidden(
                "explanations are not given here (setting explain); leave out ?explain");
          }
          check(explain, call);
        };
    Detect detect = new Detect(models, limits, explainers, parts.detecting, teachers, audit);
    post(builder, around, "/v1/detect", "detect", detect);
    Endpoint.Surroundings teaching = teaching();
    builder
        .route()
        .post("/v1/detect")
        .matchesParams("learn=true")
        .build(new Endpoint("detect", teaching, detect));
    post(
        builder,
        teaching,
        "/v1/detect/feedback",
        "detector_feedback",
        new DetectorFeedback(models, limits, parts.detecting, teachers, audit));
  }

  private void bindOptional(
      ServerBuilder builder, Endpoint.Surroundings around, boolean administration) {
    if (!administration || explain == Access.ADMIN) {
      bindDetect(builder, around, administration);
    }
    if (isHere(explain, administration)) {
      Explain explanations = new Explain(models, limits);
      post(builder, around, "/v1/explain", "explain", guarded(explain, explanations));
    }
    if (isHere(metrics, administration)) {
      Endpoint.Immediate scrape =
          call -> {
            check(metrics, call);
            return parts.metrics.get();
          };
      builder.route().get("/metrics").build(Endpoint.always("metrics", around, scrape));
    }
    if (isHere(page, administration)) {
      Page.bind(builder, around, handler -> guarded(page, handler));
    }
  }

  private static boolean isHere(Access access, boolean administration) {
    return access != Access.OFF && (administration || access != Access.ADMIN);
  }

  private void check(Access access, Call call) {
    if (access == Access.TOKEN) {
      parts.tokens.require(call.header(HttpHeaderNames.AUTHORIZATION));
    }
  }

  private Endpoint.Handler guarded(Access access, Endpoint.Handler handler) {
    return access != Access.TOKEN
        ? handler
        : call -> {
          check(access, call);
          return handler.prepare(call);
        };
  }

  private static void post(
      ServerBuilder builder,
      Endpoint.Surroundings around,
      String path,
      String name,
      Endpoint.Handler handler) {
    builder.route().post(path).build(new Endpoint(name, around, handler));
  }
}
