// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows that the JDK's own HTTP/1.1 client now and then fails a POST although the server did
 * nothing wrong: {@code java JdkClientRace THREADS SECONDS [h2]} counts such failures.
 *
 * <p>The server here is a blocking socket that answers every request at once and never closes. Yet
 * about three requests in a million end with "HTTP/1.1 header parser received no bytes", caused by
 * "connection closed locally": an answer that comes before the client's selector thread has taken
 * the connection out of its pool is read as stray bytes of an idle connection, which is closed. A
 * GET is then sent once more, a POST is not. With {@code h2} the same requests go over one HTTP/2
 * connection to an Armeria server.
 */
final class JdkClientRace {
  private static final String BODY = "[[0.5, -1, 2], [1, 1, 1]]";
  private static final byte[] REPLY =
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello"
          .getBytes(StandardCharsets.US_ASCII);

  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();

  private JdkClientRace() {}

  /** Threads that send, for how many seconds, and {@code h2} for HTTP/2. */
  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    double seconds = Double.parseDouble(args[1]);
    JdkClientRace race = new JdkClientRace();
    if (args.length > 2 && args[2].equals("h2")) {
      race.send(HttpClient.Version.HTTP_2, multiplexing(), threads, seconds);
    } else {
      race.send(HttpClient.Version.HTTP_1_1, race.plain(), threads, seconds);
    }
    System.out.printf(
        "JDK %s, %d threads, %.0f s: %,d answered, %d failed, %d HTTP/1.1 connections%n",
        System.getProperty("java.version"),
        threads,
        seconds,
        race.answered.get(),
        race.failed.get(),
        race.connections.get());
    System.exit(0);
  }

  private void send(HttpClient.Version version, int port, int threads, double seconds)
      throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(version).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
            .POST(HttpRequest.BodyPublishers.ofString(BODY))
            .build();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    Thread[] senders = new Thread[threads];
    for (int k = 0; k < threads; k++) {
      senders[k] = new Thread(() -> sendUntil(end, client, request));
      senders[k].start();
    }
    for (Thread sender : senders) {
      sender.join();
    }
  }

  private void sendUntil(long end, HttpClient client, HttpRequest request) {
    while (System.nanoTime() < end) {
      try {
        java.net.http.HttpResponse<String> reply = client.send(request, BodyHandlers.ofString());
        if (reply.statusCode() != 200 || !reply.body().equals("hello")) {
          throw new IOException(reply + " " + reply.body());
        }
        answered.incrementAndGet();
      } catch (IOException e) {
        if (failed.incrementAndGet() == 1) {
          e.printStackTrace(System.out);
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** A server of HTTP/2 and HTTP/1.1 that answers "hello"; its port. */
  private static int multiplexing() {
    Server server =
        Server.builder()
            .http(0)
            .service(
                "/",
                (context, request) ->
                    HttpResponse.of(
                        request
                            .aggregate()
                            .thenApply(
                                all ->
                                    HttpResponse.of(
                                        HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, "hello"))))
            .build();
    server.start().join();
    return server.activeLocalPort();
  }

  /** A server that answers whatever comes, connection by connection, and never closes one. */
  private int plain() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (true) {
            Socket socket = server.accept();
            socket.setTcpNoDelay(true);
            connections.incrementAndGet();
            daemon(() -> answer(socket));
          }
        });
    return server.getLocalPort();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (EOFException e) {
                // The client closed.
              } catch (IOException e) {
                System.out.println("server: " + e);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void answer(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] bytes = new byte[1 << 13];
    int size = 0;
    while (true) {
      int read = in.read(bytes, size, bytes.length - size);
      if (read < 0) {
        throw new EOFException();
      }
      size += read;
      String text = new String(bytes, 0, size, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
      int head = text.indexOf("\r\n\r\n");
      if (head >= 0 && size >= head + 4 + BODY.length()) {
        if (size > head + 4 + BODY.length()) {
          throw new IOException("more than one request at a time");
        }
        socket.getOutputStream().write(REPLY);
        size = 0;
      }
    }
  }
}
