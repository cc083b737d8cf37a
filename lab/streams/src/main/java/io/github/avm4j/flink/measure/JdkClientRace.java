// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows that the JDK's own HTTP/1.1 client now and then fails a POST although the server did
 * nothing wrong. It needs nothing else: {@code java JdkClientRace.java THREADS SECONDS}.
 *
 * <p>The server here is a blocking socket that responds to every request at once and never closes.
 * Yet a few requests in a million end with "HTTP/1.1 header parser received no bytes", caused by
 * "connection closed locally": a response that comes before the client's selector thread has taken
 * the connection over from the pool counts as stray bytes of an idle connection, which is closed. A
 * GET is then sent once more, a POST is not.
 *
 * <p>With a URL as the third argument the same requests go there over HTTP/2: {@code
 * http://127.0.0.1:8080/v1/predict} of an {@code avm serve} whose model has three numbered
 * features.
 */
final class JdkClientRace {
  private static final String BODY = "[[0.5, -1, 2], [1, 1, 1]]";
  private static final byte[] REPLY =
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello"
          .getBytes(StandardCharsets.US_ASCII);

  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong multiplexed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  private JdkClientRace() {}

  /** Threads that send; for how many seconds; where to, over HTTP/2. */
  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int seconds = Integer.parseInt(args[1]);
    JdkClientRace race = new JdkClientRace();
    if (args.length > 2) {
      race.send(HttpClient.Version.HTTP_2, args[2], threads, seconds);
    } else {
      race.send(HttpClient.Version.HTTP_1_1, serve(), threads, seconds);
    }
    System.out.printf(
        "JDK %s, %d threads, %d s: %,d completed (%,d over HTTP/2), %d failed%n",
        System.getProperty("java.version"),
        threads,
        seconds,
        race.completed.get(),
        race.multiplexed.get(),
        race.failed.get());
  }

  private void send(HttpClient.Version version, String url, int threads, int seconds)
      throws InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(version).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .POST(HttpRequest.BodyPublishers.ofString(BODY))
            .build();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
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
        HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
          throw new IOException(reply + " " + reply.body());
        }
        completed.incrementAndGet();
        if (reply.version() == HttpClient.Version.HTTP_2) {
          multiplexed.incrementAndGet();
        }
      } catch (IOException e) {
        if (failed.incrementAndGet() == 1) {
          e.printStackTrace(System.out);
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Starts a server that responds to whatever comes and never closes a connection; its address. */
  private static String serve() throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (true) {
            Socket socket = server.accept();
            socket.setTcpNoDelay(true);
            daemon(() -> respond(socket));
          }
        });
    return "http://127.0.0.1:" + server.getLocalPort() + "/";
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

  private static void respond(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] bytes = new byte[1 << 13];
    int size = 0;
    while (true) {
      int read = in.read(bytes, size, bytes.length - size);
      if (read < 0) {
        throw new EOFException();
      }
      size += read;
      String text = new String(bytes, 0, size, StandardCharsets.US_ASCII);
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
