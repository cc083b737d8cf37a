// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alarms that users are given: they hold water, name metrics that exist, and are explained. */
class AlertRulesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RULES_FOLDER = ROOT.resolve("deploy/prometheus");
  private static final Path RULES = RULES_FOLDER.resolve("alerts.yml");

  @TempDir Path folder;

  private static final Path DASHBOARD = ROOT.resolve("deploy/grafana/avm4j.json");

  private static Set<String> find(String pattern) throws IOException {
    return find(RULES, pattern);
  }

  private static Set<String> find(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String promtool(Path where, String... arguments) throws Exception {
    Path tool = Path.of("/usr/bin/promtool");
    Assumptions.assumeTrue(
        Files.isExecutable(tool), "skipped: promtool (Debian's prometheus) is not here");
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of(tool.toString()), Stream.of(arguments)).toList())
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertTrue(process.waitFor(Waiting.PATIENCE.toMinutes(), TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), Files.readString(said));
    return Files.readString(said);
  }

  @Test
  void promtoolFindsNoFault() throws Exception {
    promtool(RULES_FOLDER, "check", "config", "--syntax-only", "prometheus.yml");
    promtool(RULES_FOLDER, "check", "rules", "alerts.yml");
    promtool(RULES_FOLDER, "test", "rules", "alerts-test.yml");
  }

  @Test
  void everyAlarmIsExplainedAndTried() throws IOException {
    Set<String> alarms = find("alert: (\\w+)");
    assertEquals(alarms, find(ROOT.resolve("docs/operations.md"), "^### (Avm\\w+)$"));
    String page = "https://github.com/avm4j/avm4j/blob/main/docs/operations.md#";
    String rules = Files.readString(RULES);
    String tests = Files.readString(RULES_FOLDER.resolve("alerts-test.yml"));
    for (String alarm : alarms) {
      String rule = rules.split("alert: " + alarm + "\\b", 2)[1].split("- alert: ", 2)[0];
      String link = "runbook_url: " + page + alarm.toLowerCase(Locale.ROOT) + "\n";
      assertTrue(rule.contains(link), alarm + " has another link");
      assertTrue(tests.contains(alarm), alarm + " is not in alerts-test.yml");
    }
  }

  @Test
  void metricsOfOursAreWhereTheProgramSaysThem() throws IOException {
    String programs = sources("flink/src/main") + sources("serve/src/main");
    List<String> flinks = List.of("numRecordsIn", "pendingRecords");
    for (Path file : List.of(RULES, DASHBOARD)) {
      for (String metric : find(file, "flink_taskmanager_job_task_operator_(\\w+)")) {
        if (!flinks.contains(metric)) {
          assertTrue(programs.contains("\"" + metric + "\""), metric);
        }
      }
    }
    for (String metric : find("\\b(avm_\\w+)")) {
      String name = metric.replaceAll("_total$|_seconds_(bucket|count)$", "");
      assertTrue(programs.contains("\"" + name + "\""), metric);
    }
  }

  /** The dashboard shows of Flink itself only what alarms are raised by, too. */
  @Test
  void metricsOfFlinkAreThoseOfTheAlarms() throws IOException {
    String flinks = "\\b(flink_jobmanager_\\w+)";
    assertTrue(find(flinks).containsAll(find(DASHBOARD, flinks)));
  }

  private static String sources(String module) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(AlertRulesTest::read)
          .collect(Collectors.joining());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
