// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.cli.model.RowMerge;
import io.github.avm4j.cli.option.OutputFile;
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

/** avm merge: learners of parts of one stream to one. */
@Command(
    name = "merge",
    sortOptions = false,
    description = {
      "Make one model of several that learned from parts of the data.",
      "",
      "The result has learned from all parts, can go on with avm train --resume, and can be merged"
          + " again. The parts must not overlap: a row that two of them have seen counts twice. They"
          + " must have been trained with the same options and have the same columns.",
      "",
      "Parts that begin as copies of one start (avm train --shard-of) merge with the least loss;"
          + " name it with --start, and it counts once."
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
      description = "Files that avm train made, each from rows of its own.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "FILE",
      description = "Where the merged model goes.")
  private Path model = Path.of("");

  @Option(
      names = "--start",
      paramLabel = "FILE",
      description = "The model that all parts began with (avm train --shard-of).")
  private @Nullable Path start;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show nothing but errors.")
  private boolean quiet;

  public MergeCommand() {}

  @Override
  public Integer call() throws IOException {
    OutputFile.require(model);
    if (start == null && files.size() < 2) {
      throw new UsageException("there is nothing to merge: name at least two models");
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
