// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Reads the bodies of requests within a {@link BodyBudget}. A chunk that the budget has no room for
 * ends its request with 429, and what was held of it is released at once. The bytes of unfinished
 * bodies of one connection are limited too, so that no single client takes the whole budget with
 * bodies that never end.
 */
public final class Bodies {
  private static final AttributeKey<Unfinished> UNFINISHED =
      AttributeKey.valueOf(Bodies.class, "UNFINISHED");
  private static final int CONNECTION_SHARE = 4;

  private final BodyBudget budget;
  private final long mostUnfinished;
  private final int mostStreams;

  /** One connection's requests that have no reply yet; their bytes are its event loop's alone. */
  private static final class Unfinished {
    final AtomicInteger requests = new AtomicInteger();
    long bytes;
  }

  /**
   * Within {@code budget}.
   *
   * @param bodyBytes most bytes of one body
   * @param streams most requests of one connection without a reply. HTTP/2 has a setting for that,
   *     which binds only clients that acknowledge it; HTTP/1.1 has none for pipelining.
   */
  public Bodies(BodyBudget budget, long bodyBytes, int streams) {
    this.budget = budget;
    this.mostStreams = streams;
    this.mostUnfinished = Math.max(bodyBytes, budget.limit() / CONNECTION_SHARE);
  }

  /**
   * A body that has arrived whole. Its bytes stay counted until {@link #close}.
   *
   * <p>Closed once, by the handler of the request.
   */
  public static final class Body implements AutoCloseable {
    private final byte[] bytes;
    private final BodyBudget budget;
    private final @Nullable Unfinished connection;

    private Body(byte[] bytes, BodyBudget budget, @Nullable Unfinished connection) {
      this.bytes = bytes;
      this.budget = budget;
      this.connection = connection;
    }

    /** Its content; not to be changed. */
    public byte[] bytes() {
      return bytes;
    }

    @Override
    public void close() {
      budget.release(bytes.length);
      if (connection != null) {
        connection.requests.decrementAndGet();
      }
    }
  }

  /**
   * The body of {@code request} once it is whole; called on the request's event loop. Fails with a
   * {@link Problem} if there is no room for it.
   */
  public CompletableFuture<Body> read(ServiceRequestContext ctx, HttpRequest request) {
    long declared = request.headers().contentLength();
    if (declared > budget.limit()) {
      return refuse(
          request,
          Problem.tooLarge(
              "a body of "
                  + declared
                  + " bytes is more than this server can hold ("
                  + budget.limit()
                  + "); send less at a time"));
    }
    long most = budget.most(declared);
    if (declared > most - budget.held()) {
      return refuse(request, full());
    }
    Unfinished connection = unfinished(ctx);
    if (connection != null && connection.requests.get() >= mostStreams) {
      if (!ctx.sessionProtocol().isMultiplex()) {
        Futures.then(ctx.initiateConnectionShutdown(), (done, failure) -> {});
      }
      return refuse(request, Problem.busy("too many requests of this connection wait for a reply"));
    }
    Collector collector = new Collector(connection, most);
    request.subscribe(collector, ctx.eventLoop());
    return collector.whole;
  }

  /** The budget that it reads within. */
  public BodyBudget budget() {
    return budget;
  }

  private static CompletableFuture<Body> refuse(HttpRequest request, Problem problem) {
    request.abort(problem);
    return CompletableFuture.failedFuture(problem);
  }

  private static Problem full() {
    return Problem.busy("the server holds as many bytes of requests as it can; try again later");
  }

  private static @Nullable Unfinished unfinished(ServiceRequestContext ctx) {
    Channel channel = ctx.log().partial().channel();
    if (channel == null) {
      return null;
    }
    Unfinished known = channel.attr(UNFINISHED).get();
    if (known == null) {
      known = new Unfinished();
      channel.attr(UNFINISHED).set(known);
    }
    return known;
  }

  /** Collects one body. All calls come from the request's event loop. */
  private final class Collector implements Subscriber<HttpObject> {
    private final CompletableFuture<Body> whole = new CompletableFuture<>();
    private final @Nullable Unfinished connection;
    private final long most;
    private byte @Nullable [] first;
    private @Nullable List<byte[]> more;
    private int length;
    private boolean ended;
    private @Nullable Subscription subscription;

    Collector(@Nullable Unfinished connection, long most) {
      this.connection = connection;
      this.most = most;
      if (connection != null) {
        connection.requests.incrementAndGet();
      }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      this.subscription = subscription;
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject part) {
      if (ended || !(part instanceof HttpData data) || data.isEmpty()) {
        return;
      }
      byte[] bytes = data.array();
      boolean crowded = connection != null && connection.bytes + bytes.length > mostUnfinished;
      if (crowded || !budget.reserve(bytes.length, most)) {
        fail(full());
        if (subscription != null) {
          subscription.cancel();
        }
        return;
      }
      length += bytes.length;
      if (connection != null) {
        connection.bytes += bytes.length;
      }
      keep(bytes);
    }

    private void keep(byte[] bytes) {
      if (first == null) {
        first = bytes;
        return;
      }
      if (more == null) {
        more = new ArrayList<>();
      }
      more.add(bytes);
    }

    @Override
    public void onError(Throwable cause) {
      fail(cause);
    }

    private void fail(Throwable cause) {
      if (!ended) {
        end();
        budget.release(length);
        if (connection != null) {
          connection.requests.decrementAndGet();
        }
        first = null;
        more = null;
        whole.completeExceptionally(cause);
      }
    }

    @Override
    public void onComplete() {
      if (!ended) {
        end();
        byte[] bytes = join();
        first = null;
        more = null;
        whole.complete(new Body(bytes, budget, connection));
      }
    }

    private void end() {
      ended = true;
      if (connection != null) {
        connection.bytes -= length;
      }
    }

    private byte[] join() {
      byte[] head = first;
      if (head == null) {
        return new byte[0];
      }
      List<byte[]> tail = more;
      if (tail == null) {
        return head;
      }
      byte[] all = new byte[length];
      System.arraycopy(head, 0, all, 0, head.length);
      int at = head.length;
      for (int k = 0; k < tail.size(); k++) {
        byte[] part = tail.set(k, head); // each part can go as soon as it is copied
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
      }
      return all;
    }
  }
}
