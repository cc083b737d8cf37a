// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;

/** Prints the operators of a job without starting it; values that may be secret are not shown. */
final class Plan {
  private static final List<String> SECRETS =
      List.of("password", "secret", "token", "credential", "jaas", "key", "auth");

  private Plan() {}

  static void print(StreamConfig config, PrintStream out) {
    Configuration options = JobOptions.of(config);
    var env = StreamExecutionEnvironment.createLocalEnvironment(options);
    StreamJob.build(env, config);
    StreamGraph graph = env.getStreamGraph(false);
    // What run and submit send: it is refused here if it is there.
    JobGraph unused = graph.getJobGraph();
    out.println("job " + config.name() + mode(config));
    for (StreamNode node : graph.getStreamNodes()) {
      List<String> from =
          node.getInEdges().stream()
              .map(StreamEdge::getSourceId)
              .map(id -> graph.getStreamNode(id).getOperatorName())
              .distinct()
              .toList();
      out.printf(
          "  %-32s x%-3d%s%n",
          node.getOperatorName(),
          node.getParallelism(),
          from.isEmpty() ? "" : " from " + String.join(", ", from));
    }
    CellsConfig cells = config.cells();
    if (cells != null) {
      out.println(
          "  the plan "
              + cells.plan()
              + (Files.exists(cells.plan())
                  ? " is there"
                  : " will be made of the first " + cells.planRows() + " rows"));
    }
    config
        .output()
        .forEach((kind, where) -> out.println("  " + kind + " go to " + withoutUser(where)));
    out.println("options");
    shown(options.toMap()).forEach((key, value) -> out.println("  " + key + ": " + value));
    out.println("kafka");
    shown(config.kafka()).forEach((key, value) -> out.println("  " + key + ": " + value));
  }

  private static String mode(StreamConfig config) {
    DetectConfig detect = config.detect();
    if (detect != null) {
      return ", a detector " + (detect.perKey() ? "per key" : "for the stream, in one subtask");
    }
    CellsConfig cells = config.cells();
    return cells != null
        ? ", a learner for each of " + cells.count() + " cells"
        : config.keyed() ? ", a learner per key" : ", global";
  }

  /** With six stars in place of every value whose key speaks of a secret. */
  static Map<String, String> shown(Map<String, String> options) {
    Map<String, String> shown = new TreeMap<>(ConfigurationUtils.hideSensitiveValues(options));
    shown.replaceAll((key, value) -> isSecret(key) ? "******" : withoutUser(value));
    return shown;
  }

  private static boolean isSecret(String key) {
    String lower = key.toLowerCase(java.util.Locale.ROOT);
    return SECRETS.stream().anyMatch(lower::contains);
  }

  /** An address without name and password. */
  private static String withoutUser(String value) {
    return value.replaceAll("://[^/@\\s]*@", "://******@");
  }
}
