// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.cli.failure.ExitCodes;
import io.github.avm4j.cli.process.ServeProcess;
import io.github.avm4j.serve.Setting;
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
 * avm serve: answers over the network. The options are the settings of the module {@code serve},
 * one each; the server itself runs on a class path of its own.
 */
@Command(
    name = "serve",
    sortOptions = false,
    abbreviateSynopsis = true,
    description = {
      "Answer over the network: REST, gRPC and a page to look at.",
      "",
      "Speaks the Open Inference Protocol (v2) and takes raw rows at POST /v1/predict. NAME-7.avm is"
          + " version 7 of NAME; a file that changes or a new one is taken in while it runs, and a"
          + " bad one is refused. Listens on this machine alone unless --host says otherwise. Every"
          + " option can be a variable AVM_SERVE_… or a line of --config too."
    },
    footer = {
      "",
      "Examples:",
      "  avm serve flights.avm",
      "  avm serve models --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
      "  curl -d '{\"carrier\": \"UA\", \"distance\": 719}' localhost:8080/v1/predict"
    })
public final class ServeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..*",
      paramLabel = "MODEL|FOLDER",
      description = "Model files, or folders of them; none if models come from a topic.")
  private List<String> models = new ArrayList<>();

  ServeCommand() {}

  /** The command with an option for each setting. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ServeCommand());
    for (Setting setting : Setting.values()) {
      String usual = setting.usual().isEmpty() ? "" : " By default " + setting.usual() + ".";
      line.getCommandSpec()
          .addOption(
              OptionSpec.builder("--" + setting.key())
                  .paramLabel(setting.form())
                  .type(String.class)
                  .description(setting.help() + usual)
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
