// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import io.github.avm4j.serve.operate.Tuning;
import io.netty.handler.ssl.util.SelfSignedCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code deploy} names of this server exists: settings, ports, paths and metrics. */
class DeploymentTest {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final Path MANIFESTS = DEPLOY.resolve("kubernetes/serve");

  @TempDir Path folder;

  private static List<String> find(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** The variables of the server's ConfigMap. */
  private static Map<String, String> variables() throws IOException {
    Map<String, String> variables = new TreeMap<>();
    for (String line : find(MANIFESTS.resolve("configmap.yaml"), "^  (AVM_SERVE_\\w+: .*)$")) {
      String[] parts = line.split(": ", 2);
      variables.put(parts[0], parts[1].replace("\"", ""));
    }
    return variables;
  }

  @Test
  void everyVariableIsASettingAndTheyFitTogether() throws IOException {
    Map<String, String> variables = variables();
    Set<String> known =
        Stream.of(Setting.values()).map(Setting::variable).collect(Collectors.toSet());
    assertTrue(variables.size() >= 9, () -> "found only " + variables);
    assertTrue(known.containsAll(variables.keySet()), variables::toString);
    Path deployment = MANIFESTS.resolve("deployment.yaml");
    assertTrue(known.containsAll(find(deployment, "(AVM_SERVE_\\w+),")));

    Settings settings = Settings.read(List.of(), variables);
    List<String> ports = find(deployment, "containerPort: (\\d+)");
    assertEquals(
        List.of(variables.get("AVM_SERVE_PORT"), variables.get("AVM_SERVE_ADMIN_PORT")), ports);
    int grace = Integer.parseInt(find(deployment, "terminationGracePeriodSeconds: (\\d+)").get(0));
    long end = settings.duration(Setting.CLOSE_AFTER).toMillis() + Tuning.USUAL.drainMillis();
    assertTrue(end < 1000L * grace, "it may take " + end + " ms to end");
    assertEquals(List.of("false"), find(deployment, "enableServiceLinks: (\\w+)"));
  }

  @Test
  void probesSucceed() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    List<String> paths = find(MANIFESTS.resolve("deployment.yaml"), "path: (\\S+),");
    assertEquals(3, paths.size());
    try (RunningServer server = new RunningServer(folder)) {
      for (String path : paths) {
        assertEquals(200, server.get(path).statusCode(), path);
      }
    }
  }

  /** The port of operators listens on every address: probes and Prometheus come from other pods. */
  @Test
  void withoutATokenThePortOfOperatorsGivesHealthAlone() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    String open = "--open=" + variables().get("AVM_SERVE_OPEN");
    String host = "--admin-host=" + variables().get("AVM_SERVE_ADMIN_HOST");
    try (RunningServer server = new RunningServer(folder, open, host, "--admin-port=0")) {
      URI port = URI.create("http://127.0.0.1:" + server.server().administrationPort());
      assertEquals(200, status(port.resolve("/v2/health/ready"), "GET"));
      for (String path : List.of("/", "/metrics", "/v1/models")) {
        assertEquals(401, status(port.resolve(path), "GET"), path);
      }
      assertEquals(401, status(port.resolve("/v1/models/m/version"), "POST"));
      for (String path : List.of("/v1/predict", "/v1/explain", "/v1/learn", "/v1/feedback")) {
        assertEquals(404, status(port.resolve(path), "POST"), path + " is not there");
      }
    }
  }

  private static int status(URI address, String method) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .method(method, HttpRequest.BodyPublishers.ofString(method.equals("GET") ? "" : "{}"))
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Kafka's client reads the keys that the manifests mount, and speaks TLS. */
  @Test
  @SuppressWarnings("deprecation") // not for production, which this is not
  void brokersAreReachedByTls() throws Exception {
    SelfSignedCertificate pair = new SelfSignedCertificate("avm-serve", "EC", 256);
    String certificate = Files.readString(pair.certificate().toPath());
    Files.writeString(folder.resolve("ca.pem"), certificate);
    Path mine = folder.resolve("client.pem");
    Files.writeString(mine, Files.readString(pair.privateKey().toPath()) + certificate);
    pair.delete();
    Path deployment = MANIFESTS.resolve("deployment.yaml");
    String mounted = find(deployment, "name: kafka-keys, mountPath: ([^,]+),").get(0);
    Path properties = folder.resolve("client.properties");
    List<String> lines = find(MANIFESTS.resolve("kafka-configmap.yaml"), "^    (\\S+=\\S+)$");
    Files.writeString(properties, String.join("\n", lines).replace(mounted, folder.toString()));
    Map<String, String> variables = new TreeMap<>(variables());
    variables.put("AVM_SERVE_KAFKA", "127.0.0.1:1");
    variables.put("AVM_SERVE_KAFKA_CONFIG", properties.toString());
    Properties client = Settings.read(List.of(), variables).kafka();
    assertEquals("SSL", client.getProperty("security.protocol"));
    Admin.create(client).close(Duration.ZERO); // refuses keys that it cannot read
    Files.writeString(mine, "no key");
    assertThrows(KafkaException.class, () -> Admin.create(client).close(Duration.ZERO));
  }

  @Test
  void alarmsAndDashboardReadMetricsThatTheServerHas() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    Set<String> named = new TreeSet<>();
    for (String file : List.of("prometheus/alerts.yml", "grafana/avm4j.json")) {
      named.addAll(find(DEPLOY.resolve(file), "\\b((?:avm|jvm|process|system)_\\w+)"));
    }
    assertTrue(named.size() >= 20, named::toString);
    Path taught = folder.resolve("taught");
    try (RunningServer server = new RunningServer(folder, "--learn=" + taught)) {
      String rows = String.join(",", Collections.nCopies(100, "[1, 2]"));
      assertEquals(200, server.post("/v1/predict?model=m", "[" + rows + "]").statusCode());
      Set<String> missing = Set.of();
      for (int tries = 0; tries < 100; tries++) {
        System.gc(); // pauses are there after the first
        Thread.sleep(50);
        missing = new TreeSet<>(named);
        missing.removeAll(samples(server.get("/metrics").body()));
        if (missing.isEmpty()) {
          break;
        }
      }
      assertEquals(Set.of(), missing);
    }
  }

  private static Set<String> samples(String metrics) {
    return Pattern.compile("^(\\w+)[{ ]", Pattern.MULTILINE)
        .matcher(metrics)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }
}
