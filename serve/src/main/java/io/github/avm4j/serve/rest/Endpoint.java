// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.github.avm4j.serve.Measures;
import io.github.avm4j.serve.guard.Admission;
import io.github.avm4j.serve.guard.Problem;
import io.github.avm4j.serve.guard.RefusalLog;
import io.github.avm4j.serve.guard.Workers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The way of every HTTP request: admission, body, handler, reply, measurement. Whatever fails comes
 * out as JSON with a status; no stack trace leaves.
 *
 * <p>Small requests are answered on their event loop, which costs no change of threads; those that
 * may take long go to the workers.
 */
public final class Endpoint implements HttpService {
  private static final Reply BUSY =
      Reply.of(Problem.busy("too many requests just now; try again later"));

  private final String name;
  private final Handler handler;
  private final Surroundings surroundings;
  private final boolean always;

  /** Answers a request. */
  public interface Handler {
    /** The reply; what it throws becomes one. */
    CompletableFuture<Reply> answer(Call call) throws Exception;

    /** Multiplications it may take, in the order of magnitude. */
    default long cost(Call call) {
      return 0;
    }
  }

  /** A handler that has its reply at once. */
  public interface Immediate extends Handler {
    /** The reply. */
    Reply reply(Call call) throws Exception;

    @Override
    default CompletableFuture<Reply> answer(Call call) throws Exception {
      return CompletableFuture.completedFuture(reply(call));
    }
  }

  /**
   * What all endpoints share.
   *
   * @param admission who may come in
   * @param workers who does what takes long
   * @param measures who counts
   * @param refusals who is told of requests that were not answered
   */
  public record Surroundings(
      Admission admission, Workers workers, Measures measures, RefusalLog refusals) {}

  /** An endpoint of that name, for the metrics. */
  public Endpoint(String name, Surroundings surroundings, Handler handler) {
    this(name, surroundings, handler, false);
  }

  private Endpoint(String name, Surroundings surroundings, Handler handler, boolean always) {
    this.name = name;
    this.surroundings = surroundings;
    this.handler = handler;
    this.always = always;
  }

  /**
   * One that is never shed and takes no one's place: an orchestrator kills a server whose health it
   * cannot read, and an overload that cannot be measured cannot be ended.
   */
  public static Endpoint always(String name, Surroundings surroundings, Immediate handler) {
    return new Endpoint(name, surroundings, handler, true);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest req) {
    long start = System.nanoTime();
    if (!always && !surroundings.admission.enter(ctx.eventLoop().withoutContext())) {
      surroundings.measures.request(name, BUSY.status().code(), System.nanoTime() - start);
      return BUSY.toResponse();
    }
    return HttpResponse.of(
        req.aggregate()
            .handle(
                (body, failure) ->
                    failure == null
                        ? finish(ctx, handle(ctx, req, body), start)
                        : finish(ctx, CompletableFuture.failedFuture(failure), start)));
  }

  /** Most replies are there at once and need no further stages. */
  private HttpResponse finish(
      ServiceRequestContext ctx, CompletableFuture<Reply> reply, long start) {
    if (reply.isDone() && !reply.isCompletedExceptionally()) {
      return finish(reply.join(), start);
    }
    return HttpResponse.of(
        reply.exceptionally(failure -> explain(ctx, failure)).thenApply(r -> finish(r, start)));
  }

  private HttpResponse finish(Reply reply, long start) {
    if (!always) {
      surroundings.admission.leave();
    }
    surroundings.measures.request(name, reply.status().code(), System.nanoTime() - start);
    return reply.toResponse();
  }

  private CompletableFuture<Reply> handle(
      ServiceRequestContext ctx, HttpRequest req, AggregatedHttpRequest body) {
    try {
      Call call = new Call(ctx, req, body.content().array());
      return surroundings.workers.run(handler.cost(call), () -> answer(call));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Reply> answer(Call call) {
    try {
      return handler.answer(call);
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
    }
    Problem problem =
        cause instanceof ClosedStreamException
            ? Problem.badRequest("the client broke off its request")
            : Problem.of(cause);
    if (cause instanceof Problem || cause instanceof ClosedStreamException) {
      surroundings.refusals.refused(ctx, problem.httpStatus(), problem.text());
    } else if (!ctx.isTimedOut()) { // JsonErrors tells of those
      surroundings.refusals.failed(ctx, problem.httpStatus(), cause);
    }
    return Reply.of(problem);
  }
}
