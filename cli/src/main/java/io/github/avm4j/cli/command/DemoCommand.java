// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.cli.demo.DemoRun;
import io.github.avm4j.cli.demo.DemoText;
import io.github.avm4j.cli.demo.MovingDisc;
import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.report.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code avm demo}: evaluates the default learner on a generated stream. */
@Command(
    name = "demo",
    description = {
      "Watch the learner on a generated stream that changes.",
      "",
      "Needs no file and takes a few seconds. Prints the prequential error of the default learner"
          + " along the stream, the change, and what the learner decided about it."
    },
    footer = {
      "",
      "Examples:",
      "  avm demo",
      "  avm demo -o demo.csv && avm evaluate demo.csv --report demo.html"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String FILE = "demo.csv";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the stream as CSV, for other commands to read.")
  private @Nullable Path output;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the generator; ${DEFAULT-VALUE} by default.")
  private long seed = 1;

  public DemoCommand() {}

  @Override
  public Integer call() throws IOException {
    OutputFile.require(output);
    if (output != null) {
      try (Writer file = Files.newBufferedWriter(output)) {
        new MovingDisc(seed).writeCsv(file);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    DemoText text = new DemoText(out);
    text.start();
    text.end(new DemoRun(new MovingDisc(seed), text).run());
    next(out);
    return ExitCodes.OK;
  }

  private void next(PrintWriter out) {
    String file = output == null ? FILE : output.toString();
    out.println("Next:");
    if (output == null) {
      hint(out, "avm demo -o " + file, "write this stream to a file");
    }
    hint(out, "avm evaluate " + file + " --report demo.html", "evaluate it, with a report");
    hint(out, "avm train " + file + " -m demo.avm", "learn a model from it");
    hint(out, "avm --help", "all commands");
    out.flush();
  }

  private static void hint(PrintWriter out, String command, String what) {
    out.printf("  %-42s %s%n", command, what);
  }
}
