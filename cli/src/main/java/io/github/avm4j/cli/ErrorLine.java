// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.data.BadRowException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line on standard error what went wrong and what to do. */
final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final BooleanSupplier debug;

  ErrorLine(BooleanSupplier debug) {
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(prefix(command) + firstLine(String.valueOf(e.getMessage())));
    boolean suggested = UnmatchedArgumentException.printSuggestions(e, err);
    String name = command.getCommandSpec().qualifiedName();
    if (command.getCommandSpec().parent() == null && args.length == 0) {
      command.usage(err);
    } else if (!suggested) {
      err.println("Try '" + name + " --help'.");
    }
    trace(e, err);
    return ExitCodes.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println(prefix(command) + firstLine(message(e)));
    trace(e, err);
    return e instanceof UsageException ? ExitCodes.USAGE : ExitCodes.FAILURE;
  }

  private static String prefix(CommandLine command) {
    return command.getColorScheme().errorText("avm: ").toString();
  }

  private static String message(Exception e) {
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + ": there is no such file or folder";
    }
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    String message = e.getMessage();
    if (e instanceof BadRowException) {
      return message + " (--on-bad-row skip leaves such rows out)";
    }
    boolean explained =
        e instanceof FailureException
            || e instanceof UsageException
            || e instanceof IOException
            || e instanceof IllegalArgumentException;
    if (explained && message != null) {
      return message;
    }
    return "unexpected " + e + "; please report it, with the output of --debug";
  }

  /** Messages have one line; whatever brings more is cut, not spread. */
  private static String firstLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private void trace(Exception e, PrintWriter err) {
    if (debug.getAsBoolean()) {
      e.printStackTrace(err);
    }
  }
}
