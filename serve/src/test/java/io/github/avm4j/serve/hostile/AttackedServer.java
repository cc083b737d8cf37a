// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.load.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A server process with a small heap, two versions of a model and a learner that callers teach, and
 * what an attack must leave as it was: replies, heap, threads and the bytes that requests hold.
 */
final class AttackedServer {
  static final String TOKEN = RunningServer.TOKEN;

  /** Of the model that is not taught. */
  static final String PREDICT = "/v1/predict?model=m";

  /** Where requests of attacks come from. */
  static final String HOSTILE = "127.0.0.1";

  private final HttpClient client = client();
  private final Path log;
  private final ServerProcess process;
  private final double heapBefore;
  private final List<String> threadsBefore;
  private @Nullable Nginx front;

  AttackedServer(Path folder) throws Exception {
    this(folder, "-Xmx192m");
  }

  /** With this heap and more flags. */
  AttackedServer(Path folder, String heap, String... flags) throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 200, 1));
    RunningServer.put(folder, "m-2.avm", TestModels.numbered(2, 200, 2));
    Path tokens = Files.writeString(folder.resolve("tokens"), RunningServer.TOKEN_FILE);
    log = folder.resolve("log");
    List<String> arguments = new ArrayList<>(List.of(flags));
    arguments.add("--port=0");
    arguments.add("--open=health,predict,explain,inspect,metrics");
    arguments.add("--learn=" + folder.resolve("taught"));
    arguments.add("--token-file=" + tokens);
    arguments.add(folder.toString());
    process =
        new ServerProcess(
            log,
            List.of(heap, "-XX:+ExitOnOutOfMemoryError"),
            ServeMain.class.getName(),
            arguments.toArray(String[]::new));
    for (int k = 0; k < 50; k++) {
      assertEquals(200, predict());
    }
    heapBefore = heap();
    threadsBefore = threads();
  }

  /** For Nginx too, where it stands for a name that an address cannot say. */
  private static HttpClient client() throws Exception {
    SSLParameters parameters = new SSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(Nginx.NAME)));
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(Nginx.trustingAll())
        .sslParameters(parameters)
        .build();
  }

  /** From now on what attacks send passes here, but not what tests ask about the server. */
  void behind(Nginx nginx) {
    front = nginx;
  }

  /** Fails unless the server runs and, soon, replies normally. */
  void assertRepliesNormally() throws Exception {
    assertTrue(process.isAlive(), this::log);
    // What an attack has left in sockets that are closed is worked off first.
    RunningServer.await("ten normal replies in a row", this::tenNormalReplies);
  }

  /** Fails unless all is given back that attacks have taken; then ends the server. */
  void assertUnharmedAndStop() throws Exception {
    double after = heap();
    assertTrue(after < heapBefore + 20, heapBefore + " MB before, " + after + " after");
    assertNothingLostAndStop();
  }

  /** The same, but for the heap. */
  void assertNothingLostAndStop() throws Exception {
    assertTrue(process.isAlive(), this::log);
    List<String> alive = threads();
    for (String thread : threadsBefore) {
      assertTrue(alive.contains(thread), thread + " is gone; there are " + alive);
    }
    assertTrue(newMetrics().contains("avm_request_bytes_held 0.0"), "all bytes were given back");
    assertEquals(143, process.terminate(), "ended by SIGTERM alone");
  }

  /** Ends what still runs. */
  void kill() {
    process.close();
  }

  int port() {
    return process.port();
  }

  double processorSeconds() {
    return process.processorSeconds();
  }

  /** Metrics as they are now: they are kept for a second, and processor time always grows. */
  String newMetrics() throws Exception {
    String kept = metrics();
    RunningServer.await("new metrics", () -> !metrics().equals(kept));
    return metrics();
  }

  private String metrics() throws Exception {
    return send(direct("/metrics")).body();
  }

  HttpRequest.Builder request(String path) {
    return front == null ? direct(path) : to("https://127.0.0.1:" + front.port() + path);
  }

  private HttpRequest.Builder direct(String path) {
    return to("http://127.0.0.1:" + process.port() + path);
  }

  private static HttpRequest.Builder to(String uri) {
    return HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(20));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    HttpRequest.Builder builder = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return send(builder);
  }

  /** The status of the reply to a small, correct request. */
  int predict() throws Exception {
    return send(direct(PREDICT).POST(HttpRequest.BodyPublishers.ofString("[1, 2]"))).statusCode();
  }

  /** A connection on which this text was sent. */
  Socket connect(String text) throws Exception {
    Socket socket = connect("http/1.1", 0);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** A connection for a protocol, which has a receive buffer of so many bytes; 0 for the usual. */
  Socket connect(String protocol, int buffer) throws Exception {
    if (front != null) {
      Socket socket = front.connect(HOSTILE, Nginx.NAME, protocol);
      socket.setSoTimeout(1000); // closing waits for so long
      return socket;
    }
    Socket socket = new Socket();
    if (buffer > 0) {
      socket.setReceiveBufferSize(buffer);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), process.port()));
    return socket;
  }

  private boolean tenNormalReplies() throws Exception {
    for (int k = 0; k < 10; k++) {
      if (predict() != 200) {
        return false;
      }
    }
    return true;
  }

  /** What is left of the heap after a collection, in MB. */
  double heap() throws Exception {
    Process command =
        jcmd("GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, command.waitFor());
    double bytes = 0;
    for (String line : newMetrics().split("\n")) {
      if (line.startsWith("jvm_memory_used_bytes{area=\"heap\"")) {
        bytes += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return bytes / 1e6;
  }

  /** The names of the server's own threads. */
  private List<String> threads() throws Exception {
    try (BufferedReader lines = jcmd("Thread.print").start().inputReader()) {
      return lines
          .lines()
          .filter(line -> line.startsWith("\"armeria-") || line.startsWith("\"avm-"))
          .map(line -> line.substring(1, line.indexOf('"', 1)))
          .sorted()
          .toList();
    }
  }

  private ProcessBuilder jcmd(String what) {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
        Long.toString(process.pid()),
        what);
  }

  /** Bytes of its log. */
  long logged() throws IOException {
    return Files.size(log);
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
