// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import io.github.avm4j.serve.operate.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  @Test
  void alarmsAndDashboardReadMetricsThatTheServerHas() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    Set<String> named = new TreeSet<>();
    for (String file : List.of("prometheus/alerts.yml", "grafana/avm4j.json")) {
      named.addAll(find(DEPLOY.resolve(file), "\\b((?:avm|jvm|process|system)_\\w+)"));
    }
    assertTrue(named.size() >= 20, named::toString);
    try (RunningServer server = new RunningServer(folder)) {
      String rows = String.join(",", Collections.nCopies(100, "[1, 2]"));
      assertEquals(200, server.post("/v1/predict", "[" + rows + "]").statusCode());
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
