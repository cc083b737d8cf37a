// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Main class of {@code avm stream}, which runs it in a separate JVM; also for {@code flink run}:
 *
 * <pre>
 * StreamMain plan   job.yaml                           what would run, nothing is started
 * StreamMain run    job.yaml [OPTIONS]                 here, until it ends
 * StreamMain submit job.yaml HOST:PORT [OPTIONS]       on a cluster (its REST address)
 * StreamMain job    job.yaml                           for flink run: in the given environment
 * </pre>
 *
 * Options: {@code --from SAVEPOINT} goes on from a savepoint; {@code --new} begins anew. A job
 * whose name has published versions already is not begun anew unless {@code --new} says so: it
 * would publish them again, under a new lineage.
 *
 * <p>Exit codes: 0 all went well, 1 the job failed or was cancelled, 2 the arguments or the file
 * were wrong.
 */
public final class StreamMain {
  private StreamMain() {}

  /**
   * Runs one command.
   *
   * @param args the command and its options
   * @throws Exception whatever fails the job
   */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && args[0].equals("job")) {
      run(args, System.out);
      return;
    }
    LocalRun.quietLogs();
    int code;
    try {
      code = run(args, System.out);
    } catch (AvmException | IOException e) {
      System.err.println("avm stream: " + e.getMessage());
      code = e instanceof ConfigException ? 2 : 1;
    } catch (Exception e) {
      System.err.println("avm stream: " + reason(e));
      code = 1;
    }
    // Threads of a local cluster may outlive its job.
    System.exit(code);
  }

  /** The innermost message, which is the most specific. */
  static String reason(Throwable e) {
    Throwable cause = ExceptionUtils.stripExecutionException(e);
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.toString() : message;
  }

  static int run(String[] args, PrintStream out) throws Exception {
    List<String> words = new ArrayList<>(List.of(args));
    String from = option(words);
    boolean anew = words.remove("--new");
    String command = words.isEmpty() ? "" : words.get(0);
    String first = words.size() > 1 ? words.get(1) : "";
    boolean starts = command.equals("run") || command.equals("submit");
    if ((from != null || anew) && !starts) {
      throw new ConfigException("--from and --new go with run and submit");
    }
    switch (command + " " + (words.size() - 1)) {
      case "plan 1" -> Plan.print(StreamConfig.read(Path.of(first)), out);
      case "run 1" -> {
        Path file = Path.of(first);
        StreamConfig config = StreamConfig.read(file);
        Launch launch = Preflight.check(config, from, anew, true, out);
        return LocalRun.run(config, PlanStep.add(config, launch, out), file, out);
      }
      case "job 1" -> {
        StreamConfig config = StreamConfig.read(Path.of(first));
        Configuration options = JobOptions.of(config);
        var env = StreamExecutionEnvironment.getExecutionEnvironment(options);
        String savepoint = env.getConfiguration().get(StateRecoveryOptions.SAVEPOINT_PATH);
        Launch launch = new Launch(savepoint, Lineage.NONE, 0);
        StreamJob.build(env, config, PlanStep.add(config, launch, out));
        env.execute(JobOptions.name(options));
      }
      case "submit 2" -> {
        StreamConfig config = StreamConfig.read(Path.of(first));
        Launch launch = Preflight.check(config, from, anew, false, out);
        Preflight.tellWhereStateIs(config, out);
        Launch planned = PlanStep.add(config, launch, out);
        String job = submit(config, words.get(2), planned, JobJars.onClassPath());
        out.println("submitted job " + job);
      }
      default -> throw new ConfigException("plan, run or submit; see avm stream --help");
    }
    return 0;
  }

  /** Takes --from and its value out. */
  private static @Nullable String option(List<String> words) {
    int at = words.indexOf("--from");
    if (at < 0) {
      return null;
    }
    if (at + 1 == words.size()) {
      throw new ConfigException("--from needs a savepoint's or retained checkpoint's folder");
    }
    words.remove(at);
    return words.remove(at);
  }

  /** The REST address of a JobManager; port 8081 if none is given. */
  static InetSocketAddress address(String cluster) {
    int colon = cluster.lastIndexOf(':');
    String host = colon < 0 ? cluster : cluster.substring(0, colon);
    String port = colon < 0 ? "8081" : cluster.substring(colon + 1);
    if (host.isEmpty() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
      throw new ConfigException("a cluster is named HOST:PORT, was " + cluster);
    }
    return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
  }

  /** Sends the job with its jars to a cluster; its id. */
  static String submit(StreamConfig config, String cluster, Launch launch, String[] jars)
      throws Exception {
    Configuration options = JobOptions.of(config, launch);
    InetSocketAddress at = address(cluster);
    var env =
        StreamExecutionEnvironment.createRemoteEnvironment(
            at.getHostString(), at.getPort(), options, jars);
    // A remote environment sets how state is recovered by itself, over the options it was given.
    env.configure(options);
    StreamJob.build(env, config, launch);
    JobClient job = env.executeAsync(JobOptions.name(options));
    return job.getJobID().toString();
  }
}
