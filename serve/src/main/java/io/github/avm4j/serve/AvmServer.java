// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerPort;
import com.linecorp.armeria.server.ServerTlsConfig;
import com.linecorp.armeria.server.ServiceConfig;
import io.github.avm4j.follow.FollowedFolder;
import io.github.avm4j.follow.Follower;
import io.github.avm4j.follow.kafka.FollowedTopic;
import io.github.avm4j.pipeline.WaitingRows;
import io.github.avm4j.serve.feedback.FeedbackEvaluation;
import io.github.avm4j.serve.feedback.FeedbackTopic;
import io.github.avm4j.serve.feedback.LabelRequests;
import io.github.avm4j.serve.http.AccessLog;
import io.github.avm4j.serve.http.Admission;
import io.github.avm4j.serve.http.BearerTokens;
import io.github.avm4j.serve.http.Bodies;
import io.github.avm4j.serve.http.BodyBudget;
import io.github.avm4j.serve.http.Certificates;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Hosts;
import io.github.avm4j.serve.http.JsonErrors;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.RefusalLog;
import io.github.avm4j.serve.http.Reply;
import io.github.avm4j.serve.http.RequestIds;
import io.github.avm4j.serve.http.SlowReaders;
import io.github.avm4j.serve.http.Workers;
import io.github.avm4j.serve.learn.DetectorLearning;
import io.github.avm4j.serve.learn.LearnFolder;
import io.github.avm4j.serve.learn.LearnThread;
import io.github.avm4j.serve.learn.Learning;
import io.github.avm4j.serve.learn.SteadyClock;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.WarmUp;
import io.github.avm4j.serve.operate.AddressCheck;
import io.github.avm4j.serve.operate.Measures;
import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import io.github.avm4j.serve.operate.Tuning;
import io.github.avm4j.serve.operate.Watch;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * HTTP server that predicts with the newest models, on one port.
 *
 * <p>{@link #start} returns once the port is open and every source has been looked at once; {@link
 * #close} reports not ready, lets running requests end and closes.
 */
public final class AvmServer implements AutoCloseable {
  /**
   * Flow-control window of an HTTP/2 connection, in bytes. A client that exhausts it divides what
   * is given back among all waiting calls, a kilobyte each: ten times the frames, and each costs
   * time.
   */
  private static final int CONNECTION_WINDOW = 16 << 20;

  /**
   * Requests of an HTTP/2 connection that may be broken off in so many seconds before it is closed.
   * Each costs what a small request costs, its client nothing.
   */
  private static final int MOST_RESETS = 20;

  private static final int RESET_SECONDS = 10;

  private static final int STOP_POLL_MILLIS = 10;

  private final Settings settings;
  private final Tuning tuning;
  private final Limits limits;
  private final EventLog log;
  private final Clock clock;
  private final RefusalLog refusals;
  private final ModelRepository repository;
  private final List<Follower> sources = new ArrayList<>();
  private final FeedbackEvaluation evaluation;
  private final LabelRequests labels;
  private final Measures measures = new Measures();
  private final Admission admission;
  private final Bodies bodies;
  private final Workers workers;

  /** Of their own: what waits for brokers takes no place of predictions. */
  private final Workers feedbackWorkers = new Workers(1, 64);

  private final BearerTokens tokens;
  private final @Nullable Certificates certificates;
  private final @Nullable FeedbackTopic feedback;
  private final @Nullable LearnThread learning;
  private final Server server;
  private final @Nullable Server administration;
  private final Watch watch;
  private volatile boolean draining;
  private @Nullable Scrape scraped;

  /** Metrics as they were once: who asks for them all the time must not cost predictions. */
  private record Scrape(long nanos, Reply reply) {}

  /**
   * Puts everything together; nothing is open yet.
   *
   * @throws IllegalArgumentException if a file that the configuration names is not what it should
   *     be
   * @throws IOException if models cannot be read
   */
  public AvmServer(Settings settings, EventLog log, Clock clock) throws IOException {
    this(settings, Tuning.USUAL, log, clock);
  }

  /** The same with other limits and times. */
  AvmServer(Settings settings, Tuning tuning, EventLog log, Clock clock) throws IOException {
    this.settings = settings;
    this.tuning = tuning;
    this.limits = tuning.limits(settings.size(Setting.MAX_BODY));
    this.log = log;
    refusals = new RefusalLog(log);
    this.clock = clock;
    repository = new ModelRepository(settings.number(Setting.KEEP), log, clock);
    evaluation = new FeedbackEvaluation();
    labels = new LabelRequests(settings.share(Setting.LABEL_SHARE));
    admission = Admission.adaptive(limits);
    bodies = new Bodies(BodyBudget.of(tuning.heldBytes()), limits.bodyBytes(), tuning.streams());
    workers = new Workers(Math.max(2, Runtime.getRuntime().availableProcessors()), 64);
    try {
      Path tokenFile = settings.path(Setting.TOKEN_FILE);
      tokens = tokenFile == null ? BearerTokens.none(log) : BearerTokens.read(tokenFile, log);
      Path certificate = settings.path(Setting.TLS_CERT);
      Path key = settings.path(Setting.TLS_KEY);
      certificates =
          certificate == null || key == null
              ? null
              : new Certificates(certificate, key, settings.path(Setting.TLS_CLIENT_CA), log);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    for (Path path : settings.models()) {
      sources.add(new Follower(new FollowedFolder(path, repository), repository));
    }
    if (settings.has(Setting.MODEL_TOPIC)) {
      FollowedTopic topic =
          new FollowedTopic(settings.text(Setting.MODEL_TOPIC), settings.kafka(), repository);
      sources.add(new Follower(topic, repository));
    }
    feedback =
        settings.has(Setting.LABEL_TOPIC)
            ? new FeedbackTopic(settings.text(Setting.LABEL_TOPIC), settings.kafka())
            : null;
    learning = learning();
    measures.watch(repository, admission, bodies.budget(), workers, evaluation);
    if (learning != null) {
      measures.watch(learning);
    }
    Routes routes = new Routes(settings, limits, parts());
    server = build(routes);
    administration = settings.has(Setting.ADMIN_PORT) ? administration(routes) : null;
    Certificates mine = certificates;
    List<Runnable> others = new ArrayList<>();
    others.add(tokens::poll);
    if (mine != null) {
      others.add(mine::poll);
    }
    watch = new Watch(others, tuning.pollMillis(), log);
  }

  private @Nullable LearnThread learning() throws IOException {
    if (!settings.has(Setting.LEARN)) {
      return null;
    }
    Path path = Path.of(settings.text(Setting.LEARN));
    Duration saveEvery = settings.duration(Setting.SAVE_EVERY);
    LearnFolder folder = LearnFolder.open(path, settings.flag(Setting.SYNC), saveEvery, log, clock);
    try {
      if (folder.hasDetectors()) {
        return new DetectorLearning(folder, repository.detectors());
      }
      WaitingRows waiting =
          new WaitingRows(
              settings.size(Setting.WAITING_SIZE),
              settings.duration(Setting.LABELS_WITHIN),
              new SteadyClock(clock));
      return new Learning(folder, settings.text(Setting.DEFAULT_LABEL), waiting, repository);
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /** Loads the models, warms up, opens the port and starts watching the sources. */
  public void start() throws InterruptedException, IOException {
    try {
      AddressCheck.check(settings.text(Setting.HOST), settings.number(Setting.PORT));
    } catch (IOException e) {
      release();
      throw e;
    }
    sources.forEach(source -> source.start(Duration.ofMillis(tuning.pollMillis())));
    watch.start();
    if (learning != null) {
      learning.start();
    }
    WarmUp.Result warm = WarmUp.run(repository);
    if (warm.last() > 0) {
      log.info("warm", "first_prediction_ns", warm.first(), "last_prediction_ns", warm.last());
    }
    try {
      server.start().get();
    } catch (ExecutionException e) {
      release();
      throw AddressCheck.failure(
          settings.text(Setting.HOST),
          settings.number(Setting.PORT),
          e.getCause() == null ? e : e.getCause());
    }
    startAdministration();
    log.info(
        "serving",
        "administration",
        administrationPort(),
        "address",
        address(),
        "models",
        repository.shelves().size(),
        "tls",
        certificates != null);
  }

  private void startAdministration() throws InterruptedException, IOException {
    if (administration != null) {
      try {
        administration.start().get();
      } catch (ExecutionException e) {
        release();
        throw AddressCheck.administration(
            settings.text(Setting.ADMIN_HOST),
            settings.number(Setting.ADMIN_PORT),
            e.getCause() == null ? e : e.getCause());
      }
    }
  }

  /** The administrative port that was opened; −1 if there is none. */
  public int administrationPort() {
    return administration == null ? -1 : administration.activeLocalPort();
  }

  /** Its address: {@code http://127.0.0.1:8080}. */
  public String address() {
    return (certificates == null ? "http" : "https")
        + "://"
        + settings.text(Setting.HOST)
        + ":"
        + port();
  }

  /** The port that was opened. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Its models. */
  public ModelRepository repository() {
    return repository;
  }

  /** What is bound to the port for clients. */
  List<ServiceConfig> routes() {
    return server.serviceConfigs();
  }

  /** Its admission control. */
  Admission admission() {
    return admission;
  }

  /** Scores its predictions by their labels. */
  FeedbackEvaluation evaluation() {
    return evaluation;
  }

  private boolean isReady() {
    return !draining && (learning != null || repository.isReady());
  }

  private Routes.Parts parts() {
    return new Routes.Parts(
        repository,
        sources,
        evaluation,
        labels,
        feedback,
        learning instanceof Learning rows ? rows : null,
        learning instanceof DetectorLearning detectors ? detectors : null,
        admission,
        bodies,
        workers,
        feedbackWorkers,
        measures,
        refusals,
        tokens,
        this::scrape,
        this::isReady,
        clock,
        log);
  }

  /** A separate server with its own thread: it responds while the other is overloaded. */
  private Server administration(Routes routes) {
    String host = settings.text(Setting.ADMIN_HOST);
    InetSocketAddress address = new InetSocketAddress(host, settings.number(Setting.ADMIN_PORT));
    ServerBuilder builder =
        Server.builder()
            .port(new ServerPort(address, SessionProtocol.HTTP))
            .workerGroup(EventLoopGroups.newEventLoopGroup(1, "avm-administration"), true);
    limits(builder, host);
    routes.bindAdministration(builder);
    return builder.build();
  }

  private Server build(Routes routes) {
    ServerBuilder builder = Server.builder();
    InetSocketAddress address =
        new InetSocketAddress(settings.text(Setting.HOST), settings.number(Setting.PORT));
    Certificates mine = certificates;
    if (mine == null) {
      builder.port(new ServerPort(address, SessionProtocol.HTTP));
    } else {
      builder.port(new ServerPort(address, SessionProtocol.HTTPS));
      ClientAuth clients = mine.asksClients() ? ClientAuth.REQUIRE : ClientAuth.NONE;
      builder.tlsProvider(mine, ServerTlsConfig.builder().clientAuth(clients).build());
    }
    limits(builder, settings.text(Setting.HOST));
    routes.bindPublic(builder);
    return builder.build();
  }

  private void limits(ServerBuilder builder, String host) {
    Set<String> allowed = Hosts.allowed(settings.list(Setting.ALLOWED_HOSTS), host);
    int requestMillis = Math.toIntExact(settings.duration(Setting.REQUEST_TIMEOUT).toMillis());
    builder
        .defaultHostname(Hosts.NONE)
        .maxRequestLength(limits.bodyBytes())
        .maxNumConnections(tuning.connections())
        .http2InitialConnectionWindowSize(CONNECTION_WINDOW)
        .http2MaxStreamsPerConnection(tuning.streams())
        .http2MaxResetFramesPerWindow(MOST_RESETS, RESET_SECONDS)
        .childChannelPipelineCustomizer(
            pipeline -> pipeline.addLast(new SlowReaders(requestMillis)))
        .requestTimeoutMillis(requestMillis)
        .idleTimeout(settings.duration(Setting.IDLE_TIMEOUT))
        .gracefulShutdownTimeout(
            Duration.ofMillis(Math.min(200, tuning.drainMillis())),
            Duration.ofMillis(tuning.drainMillis()))
        .disableServerHeader()
        .disableDateHeader()
        .errorHandler(new JsonErrors(refusals))
        .decorator(delegate -> new Hosts(delegate, allowed, refusals))
        .decorator(RequestIds::new);
    if (settings.flag(Setting.ACCESS_LOG)) {
      builder.accessLogWriter(new AccessLog(log), true);
    }
  }

  private synchronized Reply scrape() {
    long now = System.nanoTime();
    long kept = 1_000_000L * Math.min(1000, tuning.pollMillis());
    Scrape last = scraped;
    if (last == null || now - last.nanos > kept) {
      MediaType type = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");
      String text = measures.scrape(repository, evaluation, labels, sources, clock);
      last =
          new Scrape(
              now,
              new Reply(
                  ResponseHeaders.builder(HttpStatus.OK).contentType(type).build(),
                  text.getBytes(StandardCharsets.UTF_8)));
      scraped = last;
    }
    return last.reply;
  }

  @Override
  public void close() {
    draining = true;
    log.info(
        "draining",
        "inside",
        admission.inside(),
        "close_after_ms",
        settings.duration(Setting.CLOSE_AFTER).toMillis());
    if (server.activePort() != null) {
      linger();
    }
    release();
    log.info("stopped");
  }

  private void release() {
    stop(server);
    if (administration != null) {
      stop(administration);
    }
    if (learning != null) {
      learning.close();
    }
    sources.forEach(Follower::close);
    watch.close();
    workers.close();
    feedbackWorkers.close();
    measures.close();
    if (feedback != null) {
      feedback.close();
    }
  }

  /**
   * Lets requests under way end and closes the ports. Nobody waits for Netty's threads after that:
   * they end when no task has come for two seconds.
   */
  private void stop(Server server) {
    CompletableFuture<Void> stopped = server.stop();
    while (!stopped.isDone()
        && !server.activePorts().isEmpty()
        && !Thread.currentThread().isInterrupted()) {
      pause(STOP_POLL_MILLIS);
    }
    if (stopped.isCompletedExceptionally()) {
      log.warn("stop", "problem", String.valueOf(stopped.handle((done, why) -> why).join()));
    }
  }

  /** Responds to requests until load balancers have seen that it is not ready any more. */
  private void linger() {
    pause(settings.duration(Setting.CLOSE_AFTER).toMillis());
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt asks for the end now
    }
  }
}
