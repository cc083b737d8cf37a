// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.process.ServeProcess;
import io.github.avm4j.serve.operate.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code avm serve}: serves predictions over the network. It has an option per setting
 * of the module {@code serve}; the server runs on its own class path.
 */
@Command(
    name = "serve",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Serve predictions over REST, and learn from labels.",
      "",
      "Rows as JSON go to POST /v1/predict, or to POST /v1/detect for a detector of avm detect"
          + " --save; tensors to the Open Inference Protocol (v2). With --learn FOLDER it learns"
          + " from POST /v1/label and /v1/learn. NAME-7.avm is version 7 of model NAME. New and"
          + " changed files are loaded while the server runs; invalid files are rejected. It"
          + " listens on localhost unless --host is set. Every option can also be an environment"
          + " variable AVM_SERVE_… or a line of the --config file."
    },
    footer = {
      "",
      "Examples:",
      "  avm serve flights.avm",
      "  avm serve --learn loop",
      "  avm serve models --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
      "  curl -d '{\"carrier\": \"UA\", \"distance\": 719}' localhost:8080/v1/predict"
    })
public final class ServeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "MODEL|FOLDER",
      description =
          "Model files, or folders of them; none are needed with --learn or --model-topic.")
  private List<String> models = new ArrayList<>();

  ServeCommand() {}

  /** Creates the command with an option per setting. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ServeCommand());
    for (Setting setting : Setting.values()) {
      String value = setting.defaultValue();
      String byDefault = value.isEmpty() ? "" : " By default " + value + ".";
      line.getCommandSpec()
          .addOption(
              OptionSpec.builder("--" + setting.key())
                  .paramLabel(setting.form())
                  .type(String.class)
                  .description(setting.help() + byDefault)
                  .build());
    }
    return line;
  }

  @Override
  public Integer call() throws Exception {
    List<String> arguments = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      String value = spec.findOption("--" + setting.key()).getValue();
      if (value != null) {
        arguments.add("--" + setting.key() + "=" + value);
      }
    }
    arguments.addAll(models);
    ServeProcess.run(arguments);
    return ExitCodes.OK;
  }
}
