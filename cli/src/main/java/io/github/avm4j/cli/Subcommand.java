// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.cli.command.CompareCommand;
import io.github.avm4j.cli.command.DemoCommand;
import io.github.avm4j.cli.command.DetectCommand;
import io.github.avm4j.cli.command.EvaluateCommand;
import io.github.avm4j.cli.command.ExplainCommand;
import io.github.avm4j.cli.command.ExportCommand;
import io.github.avm4j.cli.command.InspectCommand;
import io.github.avm4j.cli.command.PredictCommand;
import io.github.avm4j.cli.command.ServeCommand;
import io.github.avm4j.cli.command.StreamCommand;
import io.github.avm4j.cli.command.TrainCommand;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A subcommand of {@code avm}, created on demand: reading its annotations takes tens of
 * milliseconds.
 *
 * @param name name on the command line
 * @param summary first line of its description; a test compares the two
 * @param maker creates the command object
 */
record Subcommand(String name, String summary, Supplier<Object> maker) {
  /** All subcommands in the order of the help. */
  static final List<Subcommand> ALL =
      List.of(
          new Subcommand(
              "demo", "Watch the learner on a generated stream that changes.", DemoCommand::new),
          new Subcommand(
              "train", "Train a model in a single pass and bounded memory.", TrainCommand::new),
          new Subcommand(
              "evaluate", "Evaluate a learner on rows, beside baselines.", EvaluateCommand::new),
          new Subcommand(
              "compare", "Compare several methods on the same rows.", CompareCommand::new),
          new Subcommand(
              "predict",
              "Predict rows: one line per row, in the order of the input.",
              PredictCommand::new),
          new Subcommand(
              "detect", "Find anomalies in a stream of rows, without labels.", DetectCommand::new),
          new Subcommand(
              "explain",
              "Show which core points contribute most to a prediction.",
              ExplainCommand::new),
          new Subcommand(
              "serve",
              "Serve predictions over REST, and learn from labels.",
              ServeCommand::commandLine),
          new Subcommand("inspect", "Show the contents of a model file.", InspectCommand::new),
          new Subcommand("export", "Export a model as ONNX, PMML or LIBSVM.", ExportCommand::new),
          new Subcommand(
              "stream",
              "Train on Apache Flink: one learner, one per key, or one per cell.",
              StreamCommand::new));

  /** Adds all subcommands: complete if named in {@code wanted}, else as a stub for the help. */
  static void addAll(CommandLine line, Collection<String> wanted) {
    for (Subcommand command : ALL) {
      if (wanted.contains(command.name)) {
        line.addSubcommand(command.name, command.maker.get());
      } else {
        CommandSpec named = CommandSpec.create().name(command.name);
        named.usageMessage().description(command.summary);
        line.addSubcommand(command.name, new CommandLine(named));
      }
    }
  }
}
