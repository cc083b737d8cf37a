// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.cli.process.StreamProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** avm stream: learning on Apache Flink, in a process of its own. */
@Command(
    name = "stream",
    description = {
      "Learn from Kafka on Apache Flink, sharded or a learner a key.",
      "",
      "One process learns 10^5 rows a second and more: avm train is enough for most. This is for streams that",
      "outgrow one machine, must survive one, or carry a learner a key. docs/operations.md describes the file.",
      "",
      "Flink's jars are an add-on: unpack avm4j-stream into this distribution, or name its folder of jars in",
      "AVM_STREAM_LIB."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  avm stream run job.yaml --dry-run",
      "  avm stream submit job.yaml --cluster jobmanager:8081"
    })
public final class StreamCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  public StreamCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name what to do: avm stream run, submit or status");
  }

  @Command(
      name = "run",
      description = "Run the job in this process's place, until it ends or is interrupted.",
      footer = {"", "Example:", "  avm stream run job.yaml"})
  int runHere(
      @Parameters(paramLabel = "JOB.yaml", description = "The job.") Path file,
      @Option(
              names = "--from",
              paramLabel = "SAVEPOINT",
              description = "Go on from a savepoint or retained checkpoint.")
          @Nullable String savepoint,
      @Option(
              names = "--new",
              description = "Begin a new lineage although the job has published versions before.")
          boolean anew,
      @Option(names = "--dry-run", description = "Print the plan and start nothing.")
          boolean dryRun)
      throws IOException, InterruptedException {
    return start(
        dryRun
            ? List.of("plan", file.toString())
            : arguments(List.of("run", file.toString()), savepoint, anew));
  }

  @Command(
      name = "submit",
      description = "Send the job and its jars to a cluster.",
      footer = {"", "Example:", "  avm stream submit job.yaml --cluster jobmanager:8081"})
  int submit(
      @Parameters(paramLabel = "JOB.yaml", description = "The job.") Path file,
      @Option(
              names = "--cluster",
              required = true,
              paramLabel = "HOST:PORT",
              description = "REST address of the JobManager.")
          String cluster,
      @Option(
              names = "--from",
              paramLabel = "SAVEPOINT",
              description = "Go on from a savepoint or retained checkpoint.")
          @Nullable String savepoint,
      @Option(
              names = "--new",
              description = "Begin a new lineage although the job has published versions before.")
          boolean anew,
      @Option(names = "--dry-run", description = "Print the plan and start nothing.")
          boolean dryRun)
      throws IOException, InterruptedException {
    return start(
        dryRun
            ? List.of("plan", file.toString())
            : arguments(List.of("submit", file.toString(), cluster), savepoint, anew));
  }

  /** What StreamMain is given. */
  static List<String> arguments(List<String> words, @Nullable String savepoint, boolean anew) {
    List<String> arguments = new ArrayList<>(words);
    if (savepoint != null) {
      arguments.add("--from");
      arguments.add(savepoint);
    }
    if (anew) {
      arguments.add("--new");
    }
    return arguments;
  }

  @Command(
      name = "status",
      description = "Show the jobs of a cluster and their checkpoints.",
      footer = {"", "Example:", "  avm stream status --cluster jobmanager:8081"})
  int status(
      @Option(
              names = "--cluster",
              required = true,
              paramLabel = "HOST:PORT",
              description = "REST address of the JobManager.")
          String cluster)
      throws IOException, InterruptedException {
    return start(List.of("status", cluster));
  }

  private static int start(List<String> arguments) throws IOException, InterruptedException {
    return new StreamProcess(StreamProcess.find()).run(arguments);
  }
}
