// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.cli.failure.ErrorLine;
import io.github.avm4j.cli.option.Numbers;
import io.github.avm4j.model.Provenance;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the {@code avm} command: parses the command line and runs a subcommand. */
@Command(
    name = "avm",
    description = "Kernel learning on streams: learns from rows one at a time, in bounded memory.",
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  avm demo",
      "  avm train flights.csv --label arr_delay -m flights.avm",
      "  avm predict flights.avm tomorrow.csv > predictions.csv"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:data or a model could not be read, used or written",
      "2:invalid command line",
      "130:interrupted (Ctrl-C); 143 if terminated"
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of an error.")
  private boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and exit.")
  boolean version;

  Main() {}

  /** Runs one command and ends the process. */
  public static void main(String[] args) {
    System.exit(run(commandLine(args), args));
  }

  /** Runs one command; running out of memory ends it like any other failure. */
  static int run(CommandLine line, String... args) {
    try {
      return line.execute(args);
    } catch (OutOfMemoryError e) {
      return ErrorLine.outOfMemory(e, line, List.of(args).contains("--debug"));
    }
  }

  /** Creates the command line with all subcommands. */
  public static CommandLine commandLine() {
    return commandLine(Subcommand.ALL.stream().map(Subcommand::name).toArray(String[]::new));
  }

  /** Creates the command line for these arguments; subcommands not among them are stubs. */
  public static CommandLine commandLine(String[] args) {
    Main main = new Main();
    CommandLine line = new CommandLine(main);
    Subcommand.addAll(line, List.of(args));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setAbbreviatedOptionsAllowed(false);
    line.setUsageHelpAutoWidth(true);
    line.setUsageHelpLongOptionsMaxWidth(30);
    Numbers.register(line);
    line.setExecutionStrategy(Main::execute);
    line.setParameterExceptionHandler(new ErrorLine(main::isDebug));
    line.setExecutionExceptionHandler(new ErrorLine(main::isDebug));
    return line;
  }

  /** Picocli's default strategy, but an unknown command is an error even with --help. */
  private static int execute(ParseResult parsed) {
    ParseResult deepest = parsed;
    while (deepest.hasSubcommand()) {
      deepest = deepest.subcommand();
    }
    CommandLine command = deepest.commandSpec().commandLine();
    List<String> unknown =
        deepest.unmatched().stream().filter(text -> !text.startsWith("-")).toList();
    if (!command.getSubcommands().isEmpty() && !unknown.isEmpty()) {
      throw new UnmatchedArgumentException(command, unknown);
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private boolean isDebug() {
    return debug;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given; use one of those below");
  }

  /** Version of avm, of Java and of the inner loops in use. */
  static final class Version implements CommandLine.IVersionProvider {
    Version() {}

    @Override
    public String[] getVersion() {
      Provenance here = Provenance.here(0);
      return new String[] {
        "avm " + here.library(),
        "Java " + here.jdk() + ", " + here.architecture() + ", inner loops: " + here.simd()
      };
    }
  }
}
