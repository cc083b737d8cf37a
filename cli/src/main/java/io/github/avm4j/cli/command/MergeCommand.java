// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.cli.model.RowMerge;
import io.github.avm4j.cli.report.OutputFile;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code avm merge}: merges learners trained on disjoint parts of a stream. */
@Command(
    name = "merge",
    sortOptions = false,
    description = {
      "Merge models trained on disjoint parts of the data.",
      "",
      "The merged model can be trained further (avm train --resume) and merged again. The parts"
          + " must be disjoint: a row in two parts counts twice. All parts must have been trained"
          + " with the same options and have the same columns.",
      "",
      "Parts trained as copies of one start model (avm train --shard-of) merge most accurately."
          + " Pass that model with --start; it counts once."
    },
    footer = {
      "",
      "Examples:",
      "  avm merge monday.avm tuesday.avm -m week.avm",
      "",
      "  avm train first.csv -m start.avm",
      "  avm train east.csv --shard-of start.avm -m east.avm",
      "  avm train west.csv --shard-of start.avm -m west.avm",
      "  avm merge east.avm west.avm --start start.avm -m all.avm"
    })
public final class MergeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "MODEL",
      description = "Model files written by avm train, from disjoint rows.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "FILE",
      description = "File of the merged model.")
  private Path model = Path.of("");

  @Option(
      names = "--start",
      paramLabel = "FILE",
      description = "Start model of all parts (avm train --shard-of).")
  private @Nullable Path start;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  private boolean quiet;

  public MergeCommand() {}

  @Override
  public Integer call() throws IOException {
    OutputFile.require(model);
    if (start == null && files.size() < 2) {
      throw new UsageException("nothing to merge: name at least two models");
    }
    RowMerge merge = new RowMerge();
    for (Path file : files) {
      merge.add(file, ModelFile.learner(file));
    }
    RowLearner merged = start == null ? merge.all() : merge.with(start, ModelFile.learner(start));
    Avm.save(merged.toBytes(), model);
    if (!quiet) {
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          Locale.ROOT,
          "%d models merged: %,d instances, %d core points, %s %s%n",
          files.size(),
          merged.learner().instances(),
          merged.learner().size(),
          model,
          TrainCommand.bytes(Files.size(model)));
      out.flush();
    }
    return ExitCodes.OK;
  }
}
