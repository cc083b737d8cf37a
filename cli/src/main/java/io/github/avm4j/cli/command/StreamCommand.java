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

/** The command {@code avm stream}: runs training jobs on Apache Flink in a separate process. */
@Command(
    name = "stream",
    description = {
      "Train on Apache Flink: one learner, one per key, or one per cell.",
      "",
      "One process learns 4,900 to 76,000 rows per second, so avm train is enough for",
      "most streams. Use this for streams that outgrow one machine, must survive its",
      "failure, or need one learner per key.",
      "",
      "The mode is set in the job file, which docs/operations.md describes:",
      "  global   one learner of the stream, in one task",
      "  keyed    one learner per key, such as a customer or a machine",
      "  cells    one learner per cell, a part of the input space; one model of all",
      "  detect   detectors of anomalies, without labels",
      "",
      "Flink's jars are an add-on: unpack avm4j-stream into this distribution, or set",
      "AVM_STREAM_LIB to its folder of jars."
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
        spec.commandLine(), "no command given; use avm stream run or submit");
  }

  @Command(
      name = "run",
      description = "Run the job on this machine until it ends or is interrupted.",
      footer = {"", "Example:", "  avm stream run job.yaml"})
  int runHere(
      @Parameters(paramLabel = "JOB.yaml", description = "Job file.") Path file,
      @Option(
              names = "--from",
              paramLabel = "SAVEPOINT",
              description = "Start from a savepoint or retained checkpoint.")
          @Nullable String savepoint,
      @Option(
              names = "--new",
              description =
                  "Start a new lineage of versions although the job has published some before.")
          boolean anew,
      @Option(names = "--dry-run", description = "Print the plan without starting the job.")
          boolean dryRun)
      throws IOException, InterruptedException {
    return start(
        dryRun
            ? List.of("plan", file.toString())
            : arguments(List.of("run", file.toString()), savepoint, anew));
  }

  @Command(
      name = "submit",
      description = "Submit the job and its jars to a cluster.",
      footer = {"", "Example:", "  avm stream submit job.yaml --cluster jobmanager:8081"})
  int submit(
      @Parameters(paramLabel = "JOB.yaml", description = "Job file.") Path file,
      @Option(
              names = "--cluster",
              required = true,
              paramLabel = "HOST:PORT",
              description = "REST address of the JobManager.")
          String cluster,
      @Option(
              names = "--from",
              paramLabel = "SAVEPOINT",
              description = "Start from a savepoint or retained checkpoint.")
          @Nullable String savepoint,
      @Option(
              names = "--new",
              description =
                  "Start a new lineage of versions although the job has published some before.")
          boolean anew,
      @Option(names = "--dry-run", description = "Print the plan without starting the job.")
          boolean dryRun)
      throws IOException, InterruptedException {
    return start(
        dryRun
            ? List.of("plan", file.toString())
            : arguments(List.of("submit", file.toString(), cluster), savepoint, anew));
  }

  /** Arguments of StreamMain. */
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

  private static int start(List<String> arguments) throws IOException, InterruptedException {
    return new StreamProcess(StreamProcess.find()).run(arguments);
  }
}
