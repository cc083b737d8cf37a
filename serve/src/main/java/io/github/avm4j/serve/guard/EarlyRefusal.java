// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Refuses predictions of HTTP/1.1 while there is no room, right behind Netty's codec: before
 * Armeria builds a request. What it does not refuse meets the same check again at its endpoint, as
 * do HTTP/2 and TLS.
 *
 * <ol>
 *   <li>Replies keep the order of requests: it refuses only while no request that it let pass waits
 *       for its reply.
 *   <li>Nothing of a refused request, its body included, goes any further.
 *   <li>One request in {@link #EVERY} passes whatever the load, so that Armeria does not take the
 *       connection for an idle one.
 * </ol>
 */
public final class EarlyRefusal extends ChannelDuplexHandler {
  private static final int EVERY = 64;
  private static final ByteBuf BODY =
      Unpooled.unreleasableBuffer(
          Unpooled.wrappedBuffer(Json.error("too many requests just now; try again later"))
              .asReadOnly());

  private final Admission admission;
  private final Consumer<String> refused;
  private int waiting;
  private int refusals;
  private boolean discarding;

  EarlyRefusal(Admission admission, Consumer<String> refused) {
    this.admission = admission;
    this.refused = refused;
  }

  /**
   * Puts one into a connection's pipeline as soon as it is known to be HTTP/1.1.
   *
   * @param refused told of the endpoint of every request that was refused
   */
  public static void install(
      ChannelPipeline pipeline, Admission admission, Consumer<String> refused) {
    pipeline.addLast(new Installer(admission, refused));
  }

  /** Lets the first bytes alone pass: they tell the protocol, and hold no whole request. */
  private static final class Installer extends ChannelInboundHandlerAdapter {
    private static final int TELLING = 4;

    private final Admission admission;
    private final Consumer<String> refused;

    Installer(Admission admission, Consumer<String> refused) {
      this.admission = admission;
      this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ChannelPipeline pipeline = ctx.pipeline();
      if (message instanceof ByteBuf bytes && bytes.readableBytes() > TELLING) {
        ctx.fireChannelRead(bytes.readRetainedSlice(TELLING));
        ChannelHandlerContext codec = pipeline.context(HttpServerCodec.class);
        if (codec != null) {
          pipeline.addAfter(codec.name(), null, new EarlyRefusal(admission, refused));
        }
      }
      ctx.fireChannelRead(message);
      pipeline.remove(this);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest request) {
      String endpoint = waiting == 0 && admission.isFull() ? endpoint(request) : null;
      if (endpoint != null && ++refusals % EVERY != 0) {
        discarding = !(message instanceof LastHttpContent);
        admission.refuse();
        refused.accept(endpoint);
        @SuppressWarnings("unused") // nobody is left to tell
        Future<?> ignored = ctx.writeAndFlush(busy(request));
        ReferenceCountUtil.release(message);
        return;
      }
      waiting++;
    } else if (discarding && message instanceof HttpContent) {
      discarding = !(message instanceof LastHttpContent);
      ReferenceCountUtil.release(message);
      return;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean interim =
        message instanceof HttpResponse response
            && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (message instanceof LastHttpContent && !interim) {
      waiting--;
    }
    @SuppressWarnings("unused") // the promise tells
    Future<?> ignored = ctx.write(message, promise);
  }

  /** The endpoint of a plain request for predictions; null for all others. */
  private static @Nullable String endpoint(HttpRequest request) {
    HttpHeaders headers = request.headers();
    boolean plain =
        request.method().equals(HttpMethod.POST)
            && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
            && request.decoderResult().isSuccess()
            && !headers.contains(HttpHeaderNames.EXPECT)
            && !headers.contains(HttpHeaderNames.CONNECTION);
    if (!plain) {
      return null;
    }
    String path = request.uri();
    int query = path.indexOf('?');
    if (path.startsWith("/v2/models/") && path.endsWith("/infer")) {
      return "v2_infer";
    }
    return (query < 0 ? path : path.substring(0, query)).equals("/v1/predict") ? "predict" : null;
  }

  private static HttpResponse busy(HttpRequest request) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=utf-8");
    headers.set(HttpHeaderNames.CONTENT_LENGTH, BODY.readableBytes());
    headers.set(HttpHeaderNames.RETRY_AFTER, "1");
    String id = request.headers().get(RequestIds.ID);
    if (id != null && RequestIds.isFit(id)) {
      headers.set(RequestIds.ID, id);
    }
    return new DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1,
        HttpResponseStatus.TOO_MANY_REQUESTS,
        BODY.duplicate(),
        headers,
        EmptyHttpHeaders.INSTANCE);
  }
}
