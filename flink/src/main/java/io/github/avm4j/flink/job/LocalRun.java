// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.config.Task;
import io.github.avm4j.flink.operator.RunCounts;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.util.ExceptionUtils;

/**
 * Runs a job in this process, on an embedded cluster. All ports are bound to the loopback
 * interface, because they accept commands from every client that reaches them. Settings under
 * {@code flink.*} override these.
 */
final class LocalRun {
  private static final Map<String, String> LOGS =
      Map.of(
          "defaultLogLevel", "warn",
          "showDateTime", "true",
          "dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss",
          "showThreadName", "false");

  /** Level by logger, for messages that are repeated elsewhere or do not matter here. */
  private static final Map<String, String> LOGGERS =
      Map.of(
          // Of a broker that is gone they warn at every attempt to connect; LocalWatch says it
          // once.
          "org.apache.kafka", "error",
          "org.apache.kafka.common.config", "error",
          // Offsets at the broker are for others to look at: the job keeps its own.
          "org.apache.flink.connector.kafka.source.reader.KafkaSourceReader", "error",
          // A stack trace for each checkpoint that fails, at the end of a job too; LocalWatch says
          // it
          // once. A fault in these actors that matters ends the job, and its reason is printed.
          "org.apache.flink.runtime.checkpoint", "error",
          "org.apache.flink.runtime.jobmaster.JobMaster", "error",
          "org.apache.flink.runtime.rpc.pekko.FencedPekkoRpcActor", "off",
          // One process has no delegation tokens and no file of its log.
          "org.apache.flink.runtime.security.token", "error",
          "org.apache.flink.runtime.webmonitor.WebMonitorUtils", "error",
          // Flink's committers announce one of their metrics again at every checkpoint.
          "org.apache.flink.metrics.MetricGroup", "error");

  private LocalRun() {}

  /** Sets the log's defaults, unless system properties set them; before the first logger. */
  static void quietLogs() {
    LOGS.forEach(LocalRun::setIfAbsent);
    LOGGERS.forEach((name, level) -> setIfAbsent("log." + name, level));
  }

  private static void setIfAbsent(String key, String value) {
    String name = "org.slf4j.simpleLogger." + key;
    if (System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }

  /** Runs the job of a file to its end; the exit code. */
  static int run(StreamConfig config, Launch launch, Path file, PrintStream out) throws Exception {
    Configuration options = JobOptions.of(config, launch);
    setDefaults(config, options);
    if (!JobOptions.saysWhereStateIs(options.toMap())) {
      Path folder = checkpoints(file.toAbsolutePath().resolveSibling(config.name()));
      options.setString(JobOptions.CHECKPOINTS, folder.toUri().toString());
      out.println("checkpoints in " + folder + "; checkpoints.folder puts them elsewhere");
    }
    var env = StreamExecutionEnvironment.createLocalEnvironment(options);
    StreamJob.build(env, config, launch);
    if (!config.flink().containsKey("taskmanager.numberOfTaskSlots")) {
      options.setString("taskmanager.numberOfTaskSlots", Integer.toString(slots(env)));
      env.configure(options);
    }
    JobClient job = env.executeAsync(JobOptions.name(options));
    out.println(
        "running job "
            + job.getJobID()
            + " here, REST at localhost:"
            + options.toMap().get("rest.port")
            + "; Ctrl-C ends it");
    URI checkpoints =
        URI.create(
            "http://localhost:%s/jobs/%s/checkpoints"
                .formatted(options.toMap().get("rest.port"), job.getJobID()));
    LocalWatch watch = LocalWatch.start(config.kafka(), checkpoints, System.err);
    try {
      boolean classes = config.detect() == null && config.start().task() == Task.CLASSIFICATION;
      Map<String, Object> counts = job.getJobExecutionResult().get().getAllAccumulatorResults();
      out.println("ended: " + RunCounts.said(counts, classes));
      return 0;
    } catch (ExecutionException e) {
      boolean cancelled =
          ExceptionUtils.findThrowable(e, JobCancellationException.class).isPresent();
      System.err.println(
          "avm stream: " + (cancelled ? "the job was cancelled" : StreamMain.reason(e)));
      return 1;
    } finally {
      watch.close();
    }
  }

  private static Path checkpoints(Path job) throws IOException {
    Path folder = Path.of(job + ".checkpoints");
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new IOException(
          "checkpoints cannot be written to " + folder + "; set checkpoints.folder", e);
    }
  }

  private static void setDefaults(StreamConfig config, Configuration options) throws IOException {
    for (String key :
        new String[] {
          "rest.address",
          "rest.bind-address",
          "jobmanager.rpc.address",
          "jobmanager.bind-host",
          "taskmanager.host",
          "taskmanager.bind-host"
        }) {
      if (!config.flink().containsKey(key)) {
        options.setString(key, "localhost");
      }
    }
    if (!config.flink().containsKey("rest.port")) {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        options.setString("rest.port", Integer.toString(free.getLocalPort()));
      }
    }
  }

  /** Operators share slots, so the one with the most subtasks determines their number. */
  private static int slots(StreamExecutionEnvironment env) {
    return env.getStreamGraph(false).getStreamNodes().stream()
        .mapToInt(StreamNode::getParallelism)
        .max()
        .orElse(1);
  }
}
