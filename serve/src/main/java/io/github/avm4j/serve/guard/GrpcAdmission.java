// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.grpc.Status;
import io.netty.util.AttributeKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Admission for gRPC: a message takes a place when it has arrived, and what is refused gets its
 * status in gRPC's own form. Health checks are never shed.
 */
public final class GrpcAdmission extends SimpleDecoratingHttpService {
  private static final AttributeKey<Pass> PASS = AttributeKey.valueOf(GrpcAdmission.class, "PASS");

  private final Admission admission;
  private final Bodies bodies;

  /** In front of {@code delegate}. */
  public GrpcAdmission(HttpService delegate, Admission admission, Bodies bodies) {
    super(delegate);
    this.admission = admission;
    this.bodies = bodies;
  }

  /** A place and a body, both given back once. */
  private static final class Pass {
    private final AtomicBoolean over = new AtomicBoolean();
    private final Bodies.Body body;
    private final Admission.@Nullable Place place;
    private volatile long begun;

    Pass(Bodies.Body body, Admission.@Nullable Place place) {
      this.body = body;
      this.place = place;
    }

    void end(boolean measured) {
      if (over.compareAndSet(false, true)) {
        body.close();
        if (place != null && measured) {
          place.leave(System.nanoTime() - begun);
        } else if (place != null) {
          place.leaveUnmeasured();
        }
      }
    }
  }

  /**
   * The work of a request is done: a client that reads its reply slowly holds no place.
   *
   * @param measured whether the time it took says something of the load
   */
  public static void leave(ServiceRequestContext ctx, boolean measured) {
    Pass pass = ctx.attr(PASS);
    if (pass != null) {
      pass.end(measured);
    }
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest req) {
    boolean health = isHealth(ctx.path());
    if (!health && admission.isFull()) {
      admission.refuse();
      return busy();
    }
    CompletableFuture<Bodies.Body> arriving = bodies.read(ctx, req);
    if (arriving.isDone() && !arriving.isCompletedExceptionally()) {
      return arrived(ctx, req, arriving.join(), health);
    }
    return HttpResponse.of(
        arriving.handle(
            (body, failure) ->
                failure == null ? arrived(ctx, req, body, health) : refused(failure)));
  }

  private HttpResponse arrived(
      ServiceRequestContext ctx, HttpRequest req, Bodies.Body body, boolean health) {
    if (health) {
      return work(ctx, req, new Pass(body, null));
    }
    Admission.Place place = admission.enter();
    if (place == null) {
      body.close();
      return busy();
    }
    CompletableFuture<HttpResponse> later = new CompletableFuture<>();
    Pass pass = new Pass(body, place);
    ctx.eventLoop().execute(() -> later.complete(work(ctx, req, pass)));
    return HttpResponse.of(later);
  }

  private HttpResponse work(ServiceRequestContext ctx, HttpRequest req, Pass pass) {
    ctx.setAttr(PASS, pass);
    pass.begun = System.nanoTime();
    try {
      HttpRequest whole = HttpRequest.of(req.headers(), HttpData.wrap(pass.body.bytes()));
      ctx.updateRequest(whole);
      HttpResponse response = unwrap().serve(ctx, whole);
      Futures.then(response.whenComplete(), (done, failure) -> pass.end(false));
      return response;
    } catch (Exception e) {
      pass.end(false);
      return refused(e);
    }
  }

  private static HttpResponse busy() {
    return refused(Problem.busy("too many requests just now"));
  }

  private static HttpResponse refused(Throwable failure) {
    Status status =
        failure instanceof ContentTooLargeException
            ? Status.RESOURCE_EXHAUSTED.withDescription("the message is larger than allowed")
            : failure instanceof ClosedStreamException || failure instanceof ClosedSessionException
                ? Status.CANCELLED
                : Problem.of(failure).grpcStatus();
    String words = status.getDescription();
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.OK)
            .endOfStream(true)
            .add("content-type", "application/grpc+proto")
            .addInt("grpc-status", status.getCode().value())
            .add("grpc-message", words == null ? "" : words)
            .add("grpc-retry-pushback-ms", "1000")
            .build());
  }

  /** ServerLive, ServerReady and ModelReady of the Open Inference Protocol; grpc.health.v1. */
  private static boolean isHealth(String path) {
    return path.endsWith("/ServerLive")
        || path.endsWith("Ready")
        || path.startsWith("/grpc.health.v1.Health/");
  }
}
