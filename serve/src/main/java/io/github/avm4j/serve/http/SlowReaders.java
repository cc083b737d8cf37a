// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the unread response bytes of a connection. While its client does not read what was written
 * (more than Netty's high-water mark waits), nothing more is read from it, so pipelined requests
 * pile up on the client's side; a client that does not read for {@code patienceMillis} is cut off.
 *
 * <p>One instance per connection, used by its event loop alone.
 */
public final class SlowReaders extends ChannelInboundHandlerAdapter {
  private final long patienceMillis;
  private @Nullable Future<?> end;

  /** Cuts off after that time. */
  public SlowReaders(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    boolean writable = ctx.channel().isWritable();
    ctx.channel().config().setAutoRead(writable);
    if (end != null) {
      end.cancel(false);
      end = null;
    }
    if (!writable) {
      Runnable cut =
          () -> {
            @SuppressWarnings("unused") // nobody is left to tell
            Future<?> ignored = ctx.close();
          };
      end = ctx.executor().schedule(cut, patienceMillis, TimeUnit.MILLISECONDS);
    }
    super.channelWritabilityChanged(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    if (end != null) {
      end.cancel(false);
      end = null;
    }
    super.channelInactive(ctx);
  }
}
