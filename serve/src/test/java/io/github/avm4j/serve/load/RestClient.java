// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Sends one HTTP/1.1 request again and again over many connections, from one thread. */
final class RestClient {
  private static final long PAUSE_NANOS = 50_000;

  private final int port;
  private final byte[] request;
  private final int connections;
  private final int most;

  /**
   * For requests with this body.
   *
   * @param connections used in turn, each for one request at a time
   * @param most requests under way at once
   */
  RestClient(int port, String path, byte[] body, int connections, int most) {
    this.port = port;
    this.most = most;
    byte[] head =
        ("POST "
                + path
                + " HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                + "content-length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    request = new byte[head.length + body.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    this.connections = connections;
  }

  private static final class Connection {
    final SocketChannel channel;
    final byte[] bytes = new byte[1 << 15];
    final ByteBuffer in = ByteBuffer.wrap(bytes);
    ByteBuffer out = ByteBuffer.allocate(0);
    long due;

    Connection(SocketChannel channel) {
      this.channel = channel;
    }
  }

  /**
   * Sends for a while.
   *
   * @param rate requests due per second, evenly; 0 to send the next as soon as a response arrives
   */
  Load run(double rate, double seconds) throws IOException {
    Load load = new Load();
    try (Selector selector = Selector.open()) {
      ArrayDeque<Connection> idle = new ArrayDeque<>();
      for (int k = 0; k < connections; k++) {
        idle.add(connect(selector));
      }
      long start = System.nanoTime();
      long end = start + (long) (seconds * 1e9);
      double gap = rate > 0 ? 1e9 / rate : 0;
      long sent = 0;
      for (long now = start; now < end; now = System.nanoTime()) {
        while (idle.size() > connections - most) {
          long due = gap == 0 ? now : start + (long) (sent * gap);
          if (due > now) {
            break;
          }
          sent++;
          send(idle.poll(), due);
        }
        if (gap == 0) {
          selector.select(1);
        } else if (selector.selectNow() == 0) {
          // Not spinning: the server needs the processor, too.
          LockSupport.parkNanos(PAUSE_NANOS);
        }
        for (SelectionKey key : selector.selectedKeys()) {
          handle(key, load, idle);
        }
        selector.selectedKeys().clear();
      }
      double taken = (System.nanoTime() - start) / 1e9;
      drain(selector, load, idle);
      load.unsent = Math.max(0, (long) (rate * seconds) - sent);
      load.done(taken);
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    }
    return load;
  }

  /** What is under way at the end counts too: the slowest are among it. */
  private void drain(Selector selector, Load load, ArrayDeque<Connection> idle) throws IOException {
    long end = System.nanoTime() + 5_000_000_000L;
    while (idle.size() < selector.keys().size() && System.nanoTime() < end) {
      selector.select(10);
      for (SelectionKey key : selector.selectedKeys()) {
        handle(key, load, idle);
      }
      selector.selectedKeys().clear();
    }
    load.failed += selector.keys().size() - idle.size();
  }

  private Connection connect(Selector selector) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.socket().setTcpNoDelay(true);
    channel.configureBlocking(false);
    Connection connection = new Connection(channel);
    channel.register(selector, SelectionKey.OP_READ, connection);
    return connection;
  }

  private void send(Connection connection, long due) throws IOException {
    connection.due = due;
    connection.out = ByteBuffer.wrap(request);
    while (connection.out.hasRemaining()) {
      connection.channel.write(connection.out); // a request fits the socket's buffer
    }
  }

  private static void handle(SelectionKey key, Load load, ArrayDeque<Connection> idle)
      throws IOException {
    Connection connection = (Connection) key.attachment();
    if (connection.channel.read(connection.in) < 0) {
      load.failed++;
      key.channel().close();
      return;
    }
    int status = whole(connection.bytes, connection.in.position());
    if (status == 0) {
      return;
    }
    if (status == 200) {
      load.completed(System.nanoTime() - connection.due);
    } else if (status == 429) {
      load.shed++;
    } else {
      load.failed++;
    }
    connection.in.clear();
    idle.add(connection);
  }

  /** The status if a whole response is there, 0 if not yet. */
  private static int whole(byte[] bytes, int size) {
    for (int k = 0; k + 3 < size; k++) {
      if (bytes[k] == '\r'
          && bytes[k + 1] == '\n'
          && bytes[k + 2] == '\r'
          && bytes[k + 3] == '\n') {
        String head =
            new String(bytes, 0, k + 2, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        int at = head.indexOf("content-length: ") + 16;
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        return size >= k + 4 + length ? Integer.parseInt(head.substring(9, 12)) : 0;
      }
    }
    return 0;
  }
}
