// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.cli.command.CompareCommand;
import io.github.avm4j.cli.command.DataCommand;
import io.github.avm4j.cli.command.DemoCommand;
import io.github.avm4j.cli.command.EvaluateCommand;
import io.github.avm4j.cli.command.ExplainCommand;
import io.github.avm4j.cli.command.ExportCommand;
import io.github.avm4j.cli.command.InspectCommand;
import io.github.avm4j.cli.command.MergeCommand;
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
 * A command of avm. Reading a command's annotations takes tens of milliseconds, so only the one
 * that is to run is made.
 *
 * @param name as people type it
 * @param summary first line of its own description; a test holds them equal
 * @param maker makes it
 */
record Subcommand(String name, String summary, Supplier<Object> maker) {
  /** All commands, in the order of the help. */
  static final List<Subcommand> ALL =
      List.of(
          new Subcommand(
              "demo", "Watch the learner on a generated stream that changes.", DemoCommand::new),
          new Subcommand(
              "train",
              "Learn a model from rows, in one pass and bounded memory.",
              TrainCommand::new),
          new Subcommand(
              "evaluate",
              "See how well a learner does on rows, beside baselines.",
              EvaluateCommand::new),
          new Subcommand(
              "compare",
              "Hold several methods against each other on the same rows.",
              CompareCommand::new),
          new Subcommand(
              "predict", "Answer for rows: one line each, in their order.", PredictCommand::new),
          new Subcommand("explain", "Show which examples decided an answer.", ExplainCommand::new),
          new Subcommand(
              "serve",
              "Answer over the network: REST, gRPC and a page to look at.",
              ServeCommand::commandLine),
          new Subcommand(
              "merge",
              "Make one model of several that learned from parts of the data.",
              MergeCommand::new),
          new Subcommand("inspect", "Show what a model file holds.", InspectCommand::new),
          new Subcommand(
              "export",
              "Write a model as ONNX, PMML or LIBSVM, for other tools to run.",
              ExportCommand::new),
          new Subcommand("data", "Public data sets by name.", DataCommand::new),
          new Subcommand(
              "stream",
              "Learn from Kafka on Apache Flink, sharded or a learner a key.",
              StreamCommand::new));

  /** Adds every command: whole if its name is among {@code wanted}, else by name alone. */
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
