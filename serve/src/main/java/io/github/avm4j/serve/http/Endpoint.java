// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Processes an HTTP request: admission, body, handler, reply, metrics. Failures become JSON with a
 * status, never a stack trace.
 *
 * <p>Small requests are handled on their event loop, which costs no change of threads; those that
 * may take long go to the workers.
 */
public final class Endpoint implements HttpService {
  private static final Reply BUSY =
      Reply.of(Problem.busy("too many requests just now; try again later"));

  /** Larger bodies are read by a worker, whatever they cost then: others wait for the loop. */
  private static final int LARGE = 64 << 10;

  /** Bytes of a reply that are not worth counting. */
  private static final int SMALL = 16 << 10;

  private final String name;
  private final Permission permission;
  private final Handler handler;
  private final Surroundings surroundings;
  private final boolean always;

  /**
   * What there is to do for a request.
   *
   * @param cost multiplications it may take, in the order of magnitude
   * @param work makes the reply; an exception becomes an error reply
   */
  public record Job(long cost, Callable<CompletableFuture<Reply>> work) {
    /** A job whose reply is computed synchronously. */
    public static Job of(long cost, Callable<Reply> reply) {
      return new Job(cost, () -> CompletableFuture.completedFuture(reply.call()));
    }
  }

  /** Handles a request. */
  public interface Handler {
    /**
     * Refuses a request by its headers, before its body is read.
     *
     * @throws Problem to refuse it
     */
    default void admit(RequestHeaders headers) {}

    /** What its body must be, for those who ask with another method than POST. */
    default String form() {
      return "JSON";
    }

    /** Finds what the request is about, its model say, and what there is to do. */
    Job prepare(Call call) throws Exception;
  }

  /** A handler that computes its reply synchronously, at little cost. */
  public interface Immediate extends Handler {
    /** The reply. */
    Reply reply(Call call) throws Exception;

    @Override
    default Job prepare(Call call) {
      return Job.of(0, () -> reply(call));
    }
  }

  /** Records finished requests. */
  public interface Meter {
    /** A request that has its reply, so many nanoseconds after its headers. */
    void request(String endpoint, int status, long nanos);
  }

  /**
   * Parts that all endpoints share.
   *
   * @param guard decides who may call
   * @param admission admission control
   * @param bodies reads request bodies
   * @param workers threads for expensive requests
   * @param meter metrics of requests
   * @param refusals log of requests that were refused or failed
   */
  public record Surroundings(
      Guard guard,
      Admission admission,
      Bodies bodies,
      Workers workers,
      Meter meter,
      RefusalLog refusals) {}

  /**
   * An endpoint.
   *
   * @param name for the metrics
   * @param permission what its callers need
   */
  public Endpoint(String name, Permission permission, Surroundings surroundings, Handler handler) {
    this(name, permission, surroundings, handler, false);
  }

  private Endpoint(
      String name,
      Permission permission,
      Surroundings surroundings,
      Handler handler,
      boolean always) {
    this.name = name;
    this.permission = permission;
    this.surroundings = surroundings;
    this.handler = handler;
    this.always = always;
  }

  /**
   * An endpoint that is never shed and takes no place: an orchestrator kills a server whose health
   * it cannot read, and an overload that cannot be measured cannot be ended.
   */
  public static Endpoint always(
      String name, Permission permission, Surroundings surroundings, Immediate handler) {
    return new Endpoint(name, permission, surroundings, handler, true);
  }

  /** What its body must be. */
  String form() {
    return handler.form();
  }

  /**
   * Refuses at the headers while there is no room, before anything of the body is read; takes a
   * place when the body is there. So a client that sends no body holds no place.
   */
  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest req) {
    long start = System.nanoTime();
    if (!always && surroundings.admission.isFull()) {
      surroundings.admission.refuse();
      return busy(start);
    }
    try {
      surroundings.guard.require(permission, req.headers());
      handler.admit(req.headers());
    } catch (Problem e) {
      return finish(explain(ctx, e), start);
    }
    CompletableFuture<Bodies.Body> arriving = surroundings.bodies.read(ctx, req);
    if (arriving.isDone() && !arriving.isCompletedExceptionally()) {
      return arrived(ctx, req, arriving.join(), start);
    }
    return HttpResponse.of(
        arriving.handle(
            (body, failure) ->
                failure == null
                    ? arrived(ctx, req, body, start)
                    : isGone(failure) ? nothing() : finish(explain(ctx, failure), start)));
  }

  private static boolean isGone(Throwable failure) {
    return failure instanceof ClosedStreamException || failure instanceof ClosedSessionException;
  }

  /** Who has gone gets no reply and no line in the log: resets may come by the thousand. */
  private static HttpResponse nothing() {
    return HttpResponse.of(new CompletableFuture<HttpResponse>());
  }

  private HttpResponse busy(long start) {
    surroundings.meter.request(name, BUSY.status().code(), System.nanoTime() - start);
    return BUSY.toResponse();
  }

  /**
   * Takes a place and does the work behind everything else that is ready to be read on this event
   * loop: so the requests that wait are inside, where they can be counted.
   */
  private HttpResponse arrived(
      ServiceRequestContext ctx, HttpRequest req, Bodies.Body body, long start) {
    if (always) {
      return work(ctx, req, body, null, start);
    }
    Admission.Place place = surroundings.admission.enter();
    if (place == null) {
      body.close();
      return busy(start);
    }
    CompletableFuture<HttpResponse> later = new CompletableFuture<>();
    ctx.eventLoop()
        .withoutContext()
        .execute(() -> later.complete(work(ctx, req, body, place, start)));
    return HttpResponse.of(later);
  }

  private HttpResponse work(
      ServiceRequestContext ctx,
      HttpRequest req,
      Bodies.Body body,
      Admission.@Nullable Place place,
      long start) {
    long begun = System.nanoTime();
    CompletableFuture<Reply> reply = handle(ctx, req, body);
    if (reply.isDone()) {
      body.close();
      if (place != null) {
        place.leave(System.nanoTime() - begun);
      }
      return finish(ctx, reply.exceptionally(failure -> explain(ctx, failure)).join(), start);
    }
    return HttpResponse.of(
        reply
            .exceptionally(failure -> explain(ctx, failure))
            .thenApply(
                r -> {
                  body.close();
                  if (place != null) {
                    place.leaveUnmeasured();
                  }
                  return finish(ctx, r, start);
                }));
  }

  /** A large reply stays counted until the client has taken it. */
  private HttpResponse finish(ServiceRequestContext ctx, Reply reply, long start) {
    int length = reply.body().length;
    if (always || length <= SMALL) {
      return finish(reply, start);
    }
    BodyBudget budget = surroundings.bodies.budget();
    if (!budget.reserveReply(length)) {
      return busy(start);
    }
    Futures.then(ctx.log().whenComplete(), (log, failure) -> budget.releaseReply(length));
    return finish(reply, start);
  }

  private HttpResponse finish(Reply reply, long start) {
    surroundings.meter.request(name, reply.status().code(), System.nanoTime() - start);
    return reply.toResponse();
  }

  private CompletableFuture<Reply> handle(
      ServiceRequestContext ctx, HttpRequest req, Bodies.Body body) {
    try {
      Call call = new Call(ctx, req, body.bytes(), surroundings.guard);
      call.checkContentType();
      Job job = handler.prepare(call);
      Callable<CompletableFuture<Reply>> work =
          () -> {
            call.checkCancelled();
            return job.work.call();
          };
      boolean quick = job.cost <= Workers.INLINE && body.bytes().length <= LARGE;
      return quick ? work.call() : surroundings.workers.run(work);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private Reply explain(ServiceRequestContext ctx, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ContentTooLargeException) {
      cause = Problem.tooLarge("the body is larger than " + ctx.maxRequestLength() + " bytes");
    } else if (cause instanceof ResponseCompleteException) { // JsonErrors has replied
      cause = Problem.timeout("the body did not come in time");
    }
    Problem problem = Problem.of(cause);
    if (ctx.isCancelled()) { // nobody waits for it; JsonErrors tells of timeouts
      return Reply.of(problem);
    }
    if (cause instanceof Problem) {
      surroundings.refusals.refused(ctx, problem.httpStatus(), problem.text());
    } else {
      surroundings.refusals.failed(ctx, problem.httpStatus(), cause);
    }
    return Reply.of(problem);
  }
}
