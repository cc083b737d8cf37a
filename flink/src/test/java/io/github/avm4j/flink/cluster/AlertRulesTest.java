// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  private static final Path EXAMPLES = Prometheus.RULES.getParent();

  @TempDir Path folder;

  private static Set<String> find(String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(Prometheus.RULES))
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
    assertTrue(process.waitFor(2, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), Files.readString(said));
    return Files.readString(said);
  }

  @Test
  void promtoolFindsNoFault() throws Exception {
    promtool(EXAMPLES, "check", "config", "prometheus.yml");
    promtool(EXAMPLES, "test", "rules", "alerts-test.yml");
    Path faster = folder.resolve("alerts.yml");
    Files.writeString(faster, Prometheus.faster(Files.readString(Prometheus.RULES), 10));
    String said = promtool(folder, "check", "rules", faster.toString());
    assertTrue(said.contains(find("alert: (\\w+)").size() + " rules found"), said);
  }

  @Test
  void everyAlarmIsExplainedAndTried() throws IOException {
    String docs = Files.readString(ROOT.resolve("docs/operations.md"));
    String tests = Files.readString(EXAMPLES.resolve("alerts-test.yml"));
    for (String alarm : find("alert: (\\w+)")) {
      assertTrue(docs.contains("`" + alarm + "`"), alarm + " is not in docs/operations.md");
      assertTrue(tests.contains(alarm), alarm + " is not in alerts-test.yml");
    }
  }

  @Test
  void metricsOfOursAreWhereTheProgramSaysThem() throws IOException {
    String programs = sources("flink/src/main") + sources("serve/src/main");
    List<String> flinks = List.of("numRecordsIn", "pendingRecords");
    for (String metric : find("flink_taskmanager_job_task_operator_(\\w+)")) {
      if (!flinks.contains(metric)) {
        assertTrue(programs.contains("\"" + metric + "\""), metric);
      }
    }
    for (String metric : find("\\b(avm_\\w+)")) {
      String name = metric.replaceAll("_total$|_seconds_bucket$", "");
      assertTrue(programs.contains("\"" + name + "\""), metric);
    }
  }

  @Test
  void timesAreShortenedAndNothingElse() {
    assertEquals(
        "rate(x_1h[6000ms]) > 15\nfor: 3000ms\n",
        Prometheus.faster("rate(x_1h[1m]) > 15\nfor: 30s\n", 10));
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
