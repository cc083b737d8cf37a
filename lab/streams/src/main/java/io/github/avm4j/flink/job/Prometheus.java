// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.fixtures.FreePort;
import io.github.avm4j.fixtures.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prometheus itself, which scrapes processes and judges the rules of {@code deploy/prometheus}. It
 * works some times faster than those rules are written for: scrapes, ranges and waits are shorter
 * by one factor, the expressions are the same.
 */
final class Prometheus implements AutoCloseable {
  private static final Path RULES = Path.of("..", "..", "deploy", "prometheus", "alerts.yml");

  private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
  private static final Duration SCRAPE = Duration.ofSeconds(15);
  private static final Pattern TIME =
      Pattern.compile("(?<=\\[|\\bfor: )([0-9]+)([smhd])(?=\\]|\\s)");

  private final int port = FreePort.take();
  private final Process process;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  /**
   * An alarm whose expression holds.
   *
   * @param subject the job or the process it speaks of
   * @param raised whether it has held for long enough
   * @param since when it began to hold
   */
  public record Alarm(String name, String subject, boolean raised, Instant since) {}

  /** Starts it; {@code targets} has the addresses of each scrape job. */
  public Prometheus(Path folder, int faster, Map<String, List<String>> targets) throws Exception {
    if (!Files.isExecutable(PROGRAM)) {
      throw new IOException(PROGRAM + " is missing; install Debian's package prometheus");
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("alerts.yml"), faster(Files.readString(RULES), faster));
    Path file = Files.writeString(folder.resolve("prometheus.yml"), configuration(faster, targets));
    process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--config.file=" + file,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=localhost:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    Waiting.until("Prometheus, see " + folder, () -> get("/-/ready").statusCode() == 200);
  }

  /** The same rules, with times that are shorter by a factor. */
  static String faster(String rules, int factor) {
    return TIME.matcher(rules).replaceAll(found -> shorter(found.group(1), found.group(2), factor));
  }

  private static String shorter(String count, String unit, int factor) {
    long millis =
        Long.parseLong(count)
            * switch (unit) {
              case "s" -> 1000L;
              case "m" -> 60_000L;
              case "h" -> 3_600_000L;
              default -> 86_400_000L;
            };
    return Matcher.quoteReplacement(millis / factor + "ms");
  }

  private static String configuration(int faster, Map<String, List<String>> targets) {
    String interval = SCRAPE.toMillis() / faster + "ms";
    StringBuilder text =
        new StringBuilder(
            """
            global: {scrape_interval: %s, scrape_timeout: %s, evaluation_interval: %s}
            rule_files: [alerts.yml]
            scrape_configs:
            """
                .formatted(interval, interval, interval));
    targets.forEach(
        (job, addresses) ->
            text.append(
                "  - {job_name: %s, static_configs: [{targets: [\"%s\"]}]}%n"
                    .formatted(job, String.join("\", \"", addresses))));
    return text.toString();
  }

  /** The alarms whose expressions hold now. */
  public List<Alarm> alarms() throws IOException, InterruptedException {
    List<Alarm> alarms = new ArrayList<>();
    for (JsonNode alarm : json("/api/v1/alerts").path("data").path("alerts")) {
      JsonNode labels = alarm.path("labels");
      alarms.add(
          new Alarm(
              labels.path("alertname").asText(),
              labels.path(labels.has("job_name") ? "job_name" : "instance").asText(),
              alarm.path("state").asText().equals("firing"),
              Instant.parse(alarm.path("activeAt").asText())));
    }
    return alarms;
  }

  private JsonNode json(String path) throws IOException, InterruptedException {
    HttpResponse<String> reply = get(path);
    if (reply.statusCode() != 200) {
      throw new IOException(path + " responds with " + reply.statusCode());
    }
    return new ObjectMapper().readTree(reply.body());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .timeout(Duration.ofSeconds(10))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
