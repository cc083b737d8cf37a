// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerPort;
import com.linecorp.armeria.server.ServerTlsConfig;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.github.avm4j.serve.guard.AccessLog;
import io.github.avm4j.serve.guard.Admission;
import io.github.avm4j.serve.guard.BearerTokens;
import io.github.avm4j.serve.guard.Certificates;
import io.github.avm4j.serve.guard.GrpcDoor;
import io.github.avm4j.serve.guard.RefusalLog;
import io.github.avm4j.serve.guard.RequestIds;
import io.github.avm4j.serve.guard.Workers;
import io.github.avm4j.serve.kafka.FeedbackTopic;
import io.github.avm4j.serve.kafka.ModelTopic;
import io.github.avm4j.serve.repository.Hindsight;
import io.github.avm4j.serve.repository.ModelFolder;
import io.github.avm4j.serve.repository.ModelRepository;
import io.github.avm4j.serve.repository.ModelSource;
import io.github.avm4j.serve.repository.WarmUp;
import io.github.avm4j.serve.rest.ChooseVersion;
import io.github.avm4j.serve.rest.Endpoint;
import io.github.avm4j.serve.rest.Explain;
import io.github.avm4j.serve.rest.Feedback;
import io.github.avm4j.serve.rest.ModelList;
import io.github.avm4j.serve.rest.Models;
import io.github.avm4j.serve.rest.Predict;
import io.github.avm4j.serve.rest.Reply;
import io.github.avm4j.serve.v2.Grpc;
import io.github.avm4j.serve.v2.Rest;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The server: models, guards and endpoints put together on one port.
 *
 * <p>{@link #start} returns once the port is open and every source has been looked at once; {@link
 * #close} says it is not ready any more, lets requests under way end and closes.
 */
public final class AvmServer implements AutoCloseable {
  /**
   * Of a connection of HTTP/2, in bytes. A client that runs out of it deals what it gets back among
   * all calls that wait, a kilobyte each: ten times the frames, and each costs.
   */
  private static final int CONNECTION_WINDOW = 16 << 20;

  private final ServeConfig config;
  private final EventLog log;
  private final Clock clock;
  private final RefusalLog refusals;
  private final ModelRepository repository;
  private final List<ModelSource> sources = new ArrayList<>();
  private final Hindsight hindsight = new Hindsight();
  private final Measures measures = new Measures();
  private final Admission admission;
  private final Workers workers;
  private final BearerTokens tokens;
  private final @Nullable Certificates certificates;
  private final @Nullable FeedbackTopic feedback;
  private final Server server;
  private final Watch watch;
  private volatile boolean draining;

  /**
   * Puts everything together; nothing is open yet.
   *
   * @throws IllegalArgumentException if a file that the configuration names is not what it should
   *     be
   * @throws IOException if models cannot be read
   */
  public AvmServer(ServeConfig config, EventLog log, Clock clock) throws IOException {
    this.config = config;
    this.log = log;
    refusals = new RefusalLog(log);
    this.clock = clock;
    repository = new ModelRepository(config.keep(), log, clock);
    admission = new Admission(config.limits());
    workers = new Workers(Math.max(2, Runtime.getRuntime().availableProcessors()), 64);
    try {
      Path tokenFile = config.tokenFile();
      tokens = tokenFile == null ? BearerTokens.none() : BearerTokens.read(tokenFile);
      ServeConfig.Tls tls = config.tls();
      certificates =
          tls == null
              ? null
              : new Certificates(tls.certificate(), tls.key(), tls.clientAuthority(), log);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    for (Path path : config.models()) {
      sources.add(new ModelFolder(path, config.maxModelBytes(), repository, log));
    }
    ServeConfig.Kafka kafka = config.kafka();
    if (kafka != null && !kafka.modelTopic().isEmpty()) {
      sources.add(new ModelTopic(kafka, config.maxModelBytes(), repository, log));
    }
    feedback = kafka == null || kafka.feedbackTopic().isEmpty() ? null : new FeedbackTopic(kafka);
    measures.watch(repository, admission, hindsight);
    server = build();
    watch = new Watch(sources, certificates, config.pollMillis());
  }

  /** Takes what models there are, warms up, opens the port and begins to watch the sources. */
  public void start() throws InterruptedException, IOException {
    try {
      Listening.check(config.host(), config.port());
    } catch (IOException e) {
      release();
      throw e;
    }
    watch.start();
    WarmUp.Result warm = WarmUp.run(repository);
    if (warm.last() > 0) {
      log.info("warm", "first_answer_ns", warm.first(), "last_answer_ns", warm.last());
    }
    try {
      server.start().get();
    } catch (ExecutionException e) {
      release();
      throw Listening.failure(
          config.host(), config.port(), e.getCause() == null ? e : e.getCause());
    }
    log.info(
        "serving",
        "address",
        address(),
        "models",
        repository.shelves().size(),
        "tls",
        certificates != null);
  }

  /** Where it answers: {@code http://127.0.0.1:8080}. */
  public String address() {
    return (certificates == null ? "http" : "https") + "://" + config.host() + ":" + port();
  }

  /** The port that was opened. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Its models. */
  public ModelRepository repository() {
    return repository;
  }

  private boolean isReady() {
    return !draining && repository.isReady();
  }

  private Server build() {
    ServerBuilder builder = Server.builder();
    InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
    Certificates mine = certificates;
    if (mine == null) {
      builder.port(new ServerPort(address, SessionProtocol.HTTP));
    } else {
      builder.port(new ServerPort(address, SessionProtocol.HTTPS));
      ClientAuth clients = mine.asksClients() ? ClientAuth.REQUIRE : ClientAuth.NONE;
      builder.tlsProvider(mine, ServerTlsConfig.builder().clientAuth(clients).build());
    }
    builder
        .maxRequestLength(config.limits().bodyBytes())
        .maxNumConnections(config.maxConnections())
        .http2InitialConnectionWindowSize(CONNECTION_WINDOW)
        .requestTimeoutMillis(config.requestTimeoutMillis())
        .idleTimeoutMillis(config.idleTimeoutMillis())
        .gracefulShutdownTimeout(
            Duration.ofMillis(Math.min(200, config.drainMillis())),
            Duration.ofMillis(config.drainMillis()))
        .disableServerHeader()
        .disableDateHeader()
        .errorHandler(new JsonErrors(refusals))
        .decorator(RequestIds::new);
    if (config.accessLog()) {
      builder.accessLogWriter(new AccessLog(log), true);
    }
    bind(builder);
    return builder.build();
  }

  private void bind(ServerBuilder builder) {
    Models models = new Models(repository);
    Endpoint.Surroundings around =
        new Endpoint.Surroundings(admission, workers, measures, refusals);
    new Rest(models, config.limits(), this::isReady).bind(builder, around);
    Hindsight remembered = feedback == null ? null : hindsight;
    post(
        builder,
        around,
        "/v1/predict",
        "predict",
        new Predict(models, config.limits(), remembered));
    post(builder, around, "/v1/explain", "explain", new Explain(models, config.limits()));
    post(
        builder,
        around,
        "/v1/feedback",
        "feedback",
        new Feedback(feedback, tokens, config.limits(), hindsight, clock, log));
    post(
        builder,
        around,
        "/v1/models/{name}/version",
        "choose_version",
        new ChooseVersion(repository, tokens));
    builder
        .route()
        .get("/v1/models")
        .build(new Endpoint("models", around, new ModelList(repository, sources, hindsight)));
    Endpoint.Immediate metrics = call -> metrics();
    builder.route().get("/metrics").build(Endpoint.always("metrics", around, metrics));
    Page.bind(builder, around);
    GrpcService grpc =
        GrpcService.builder()
            .addService(
                new Grpc(models, config.limits(), this::isReady, workers, measures, refusals))
            .maxRequestMessageLength(config.limits().bodyBytes())
            .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
            .build();
    builder.service(grpc, service -> new GrpcDoor(service, admission));
  }

  private static void post(
      ServerBuilder builder,
      Endpoint.Surroundings around,
      String path,
      String name,
      Endpoint.Handler handler) {
    builder.route().post(path).build(new Endpoint(name, around, handler));
  }

  private Reply metrics() {
    MediaType type = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");
    String text = measures.scrape(repository, hindsight, sources, clock);
    return new Reply(
        ResponseHeaders.builder(HttpStatus.OK).contentType(type).build(),
        text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    draining = true;
    log.info("draining", "inside", admission.inside(), "close_after_ms", config.closeAfterMillis());
    if (server.activePort() != null) {
      linger();
    }
    release();
    log.info("stopped");
  }

  private void release() {
    server.stop().join();
    watch.close();
    workers.close();
    if (feedback != null) {
      feedback.close();
    }
  }

  /** Answers while load balancers find out that it is not ready any more. */
  private void linger() {
    try {
      Thread.sleep(config.closeAfterMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // whoever interrupts wants the end now
    }
  }
}
