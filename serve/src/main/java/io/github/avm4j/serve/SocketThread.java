// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.TransportType;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A thread of its own for sockets: it accepts connections, or serves them. It ends when its tasks
 * are done. Netty's own groups wait for two more seconds in which no task comes, and so would the
 * end of a server, whose sockets are closed by then.
 */
final class SocketThread extends MultiThreadIoEventLoopGroup {
  private static final int PATIENCE_SECONDS = 15;

  private SocketThread(ThreadFactory threads, IoHandlerFactory sockets) {
    super(1, threads, sockets);
  }

  /** A group of one thread with that name, for the kind of sockets that Armeria uses. */
  static EventLoopGroup named(String name) {
    ThreadFactory threads = task -> new FastThreadLocalThread(task, name);
    TransportType kind = Flags.transportType();
    if (kind == TransportType.EPOLL) {
      return new SocketThread(threads, EpollIoHandler.newFactory());
    }
    if (kind == TransportType.NIO) {
      return new SocketThread(threads, NioIoHandler.newFactory());
    }
    return EventLoopGroups.newEventLoopGroup(1, threads);
  }

  @Override
  public Future<?> shutdownGracefully() {
    return shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
