// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.jspecify.annotations.Nullable;

/**
 * What {@code avm stream} starts in a JVM of its own, and what {@code flink run} may start too:
 *
 * <pre>
 * StreamMain plan   job.yaml                           what would run, nothing is started
 * StreamMain run    job.yaml                           here, until it ends or is interrupted
 * StreamMain submit job.yaml HOST:PORT [SAVEPOINT]     on a cluster (its REST address)
 * StreamMain status HOST:PORT                          the jobs of a cluster
 * StreamMain job    job.yaml                           for flink run: in the given environment
 * </pre>
 *
 * Exit codes: 0 all went well, 1 the job failed, 2 the arguments or the file were wrong.
 */
public final class StreamMain {
  private StreamMain() {}

  /** Runs one command. */
  public static void main(String[] args) throws Exception {
    int code;
    try {
      code = run(args, System.out);
    } catch (ConfigException | IOException e) {
      System.err.println("avm stream: " + e.getMessage());
      code = e instanceof ConfigException ? 2 : 1;
    }
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(String[] args, PrintStream out) throws Exception {
    String command = args.length == 0 ? "" : args[0];
    String first = args.length > 1 ? args[1] : "";
    switch (command + " " + (args.length - 1)) {
      case "plan 1" -> plan(StreamConfig.read(Path.of(first)), out);
      case "run 1" -> local(StreamConfig.read(Path.of(first)), out);
      case "job 1" -> {
        StreamConfig config = StreamConfig.read(Path.of(first));
        var env = StreamExecutionEnvironment.getExecutionEnvironment(StreamJob.options(config));
        StreamJob.build(env, config);
        env.execute(config.name());
      }
      case "submit 2", "submit 3" -> {
        StreamConfig config = StreamConfig.read(Path.of(first));
        String savepoint = args.length > 3 ? args[3] : null;
        out.println("submitted job " + submit(config, args[2], savepoint, JobJars.onClassPath()));
      }
      case "status 1" -> ClusterStatus.print(first, out);
      default -> throw new ConfigException("plan, run, submit or status; see avm stream --help");
    }
    return 0;
  }

  private static void plan(StreamConfig config, PrintStream out) {
    Configuration options = StreamJob.options(config);
    var env = StreamExecutionEnvironment.createLocalEnvironment(options);
    StreamJob.build(env, config);
    StreamGraph graph = env.getStreamGraph(false);
    out.println("job " + config.name() + (config.keyed() ? ", a learner a key" : ", global"));
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
    if (!config.keyed() && config.shards() > 1) {
      boolean copies = config.share() && config.start().canBeShared();
      out.println("  new shards begin " + (copies ? "as copies of start" : "each on its own"));
    }
    config.output().forEach((kind, where) -> out.println("  " + kind + " go to " + where));
    out.println("options");
    options.toMap().forEach((key, value) -> out.println("  " + key + ": " + value));
  }

  private static void local(StreamConfig config, PrintStream out) throws Exception {
    Configuration options = StreamJob.options(config);
    int slots = Math.max(config.shards(), config.input().parallelism());
    options.setString("taskmanager.numberOfTaskSlots", Integer.toString(slots));
    var env = StreamExecutionEnvironment.createLocalEnvironment(options);
    StreamJob.build(env, config);
    JobClient job = env.executeAsync(config.name());
    out.println("running job " + job.getJobID() + " here; Ctrl-C ends it");
    job.getJobExecutionResult().get();
    out.println("ended");
  }

  /** Sends the job with its jars to a cluster; its id. */
  static String submit(
      StreamConfig config, String cluster, @Nullable String savepoint, String[] jars)
      throws Exception {
    Configuration options = StreamJob.options(config);
    if (savepoint != null) {
      options.setString("execution.state-recovery.path", savepoint);
    }
    ClusterAddress at = ClusterAddress.parse(cluster);
    var env =
        StreamExecutionEnvironment.createRemoteEnvironment(at.host(), at.port(), options, jars);
    StreamJob.build(env, config);
    JobClient job = env.executeAsync(config.name());
    return job.getJobID().toString();
  }
}
