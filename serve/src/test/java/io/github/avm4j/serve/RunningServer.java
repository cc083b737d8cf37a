// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.Avm;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.http.Admission;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Permission;
import io.github.avm4j.serve.operate.Settings;
import io.github.avm4j.serve.operate.Tuning;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server on a free port of this machine, asked by the JDK's own client. */
public final class RunningServer implements AutoCloseable {
  /** What is no flag of the server. */
  private static final Pattern TUNED =
      Pattern.compile(
          "--(max-rows|max-concurrent|max-queue-ms|max-held-bytes|poll-ms|drain-ms)=(.*)");

  public static final String TOKEN = "a-token-for-tests-0123456789";

  /** A file of tokens whose only one may do everything. */
  public static final String TOKEN_FILE =
      "# for tests\ntests "
          + TOKEN
          + " "
          + Stream.of(Permission.values()).map(Permission::word).collect(Collectors.joining(","))
          + "\n";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final AvmServer server;

  /** Serves {@code models}, with more flags, and those of {@link #TUNED}. */
  public RunningServer(Path models, String... flags) throws Exception {
    this(Clock.systemUTC(), models, flags);
  }

  public RunningServer(Clock clock, Path models, String... flags) throws Exception {
    // Nothing to drain unless a test says so: the client below keeps its connections open for ever.
    List<String> all = new ArrayList<>(List.of("--port=0"));
    Map<String, Integer> tuned = new HashMap<>(Map.of("poll-ms", 20, "drain-ms", 0));
    for (String flag : flags) {
      Matcher parts = TUNED.matcher(flag);
      if (parts.matches()) {
        tuned.put(parts.group(1), Integer.valueOf(parts.group(2)));
      } else {
        all.add(flag);
      }
    }
    Path tokens = Files.createTempFile("tokens", ".txt");
    try {
      if (models != null) {
        all.add(models.toString());
        Files.writeString(tokens, TOKEN_FILE);
        all.add(0, "--token-file=" + tokens);
      }
      Settings settings = Settings.read(all, Map.of());
      PrintStream lines = new PrintStream(log, true, StandardCharsets.UTF_8);
      server = new AvmServer(settings, tuning(tuned), new EventLog(lines, clock), clock);
    } finally {
      Files.delete(tokens); // read by now
    }
    server.start();
  }

  private static Tuning tuning(Map<String, Integer> tuned) {
    Tuning usual = Tuning.USUAL;
    return new Tuning(
        tuned.getOrDefault("max-rows", usual.rows()),
        usual.elements(),
        tuned.getOrDefault("max-concurrent", usual.concurrent()),
        tuned.getOrDefault("max-queue-ms", usual.queueMillis()),
        tuned.getOrDefault("max-held-bytes", usual.heldBytes()),
        usual.streams(),
        usual.connections(),
        tuned.getOrDefault("poll-ms", usual.pollMillis()),
        tuned.getOrDefault("drain-ms", usual.drainMillis()));
  }

  /** Writes a model as avm train does: whole or not at all. */
  public static void put(Path folder, String file, RowModel model) throws IOException {
    Avm.save(model.toBytes(), folder.resolve(file));
  }

  public AvmServer server() {
    return server;
  }

  /** Requests that have a place. */
  public int inside() {
    return server.admission().inside();
  }

  /** A place that no request of a client can have until it is left. */
  public Admission.Place takePlace() {
    Admission.Place place = server.admission().enter();
    if (place == null) {
      throw new IllegalStateException("all places are taken");
    }
    return place;
  }

  public String log() {
    return log.toString(StandardCharsets.UTF_8);
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path));
  }

  public HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder builder = request(path);
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    HttpRequest.Builder builder = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
    for (int k = 0; k + 1 < headers.length; k += 2) {
      builder.header(headers[k], headers[k + 1]);
    }
    return client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<byte[]> postBytes(String path, byte[] body, String... headers)
      throws Exception {
    HttpRequest.Builder builder = request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (int k = 0; k + 1 < headers.length; k += 2) {
      builder.header(headers[k], headers[k + 1]);
    }
    return client.send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  public static JsonNode json(HttpResponse<String> response) throws IOException {
    return new ObjectMapper().readTree(response.body());
  }

  /** Waits until it holds; what takes five minutes never will. */
  public static void await(String what, java.util.concurrent.Callable<Boolean> condition)
      throws Exception {
    for (long end = System.nanoTime() + 300_000_000_000L; System.nanoTime() < end; ) {
      if (condition.call()) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("still waiting for " + what);
  }

  @Override
  public void close() {
    server.close();
  }
}
