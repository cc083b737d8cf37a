// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

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
public final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final BooleanSupplier debug;

  public ErrorLine(BooleanSupplier debug) {
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(prefix(command) + firstLine(usage(e)));
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

  private static String usage(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched
        && !e.getCommandLine().getSubcommands().isEmpty()
        && !unmatched.getUnmatched().get(0).startsWith("-")) {
      return "there is no command '" + unmatched.getUnmatched().get(0) + "'";
    }
    return String.valueOf(e.getMessage());
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return outOfMemory(e, command, debug.getAsBoolean());
      }
    }
    PrintWriter err = command.getErr();
    err.println(prefix(command) + firstLine(message(e)));
    trace(e, err);
    return e instanceof UsageException ? ExitCodes.USAGE : ExitCodes.FAILURE;
  }

  /** One line for a heap that is too small. */
  public static int outOfMemory(Throwable e, CommandLine line, boolean debug) {
    PrintWriter err = line.getErr();
    err.println(
        prefix(line)
            + "out of memory: Java may use "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB here. Allow more, such as AVM_JAVA_OPTS=-Xmx4g, or learn with less: a smaller"
            + " --budget, --fine 0 or --memory BYTES");
    if (debug) {
      e.printStackTrace(err);
    }
    err.flush();
    return ExitCodes.FAILURE;
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
