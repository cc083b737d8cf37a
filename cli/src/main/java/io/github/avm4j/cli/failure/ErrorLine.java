// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

import io.github.avm4j.config.NearestNames;
import io.github.avm4j.data.BadRowException;
import io.github.avm4j.model.AvmException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints errors in one line on standard error: what is wrong and what to do. */
public final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final BooleanSupplier debug;

  public ErrorLine(BooleanSupplier debug) {
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(prefix(command) + oneLine(usage(e)));
    boolean suggested = suggest(e, err);
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
    String command = unknownCommand(e);
    return command.isEmpty() ? String.valueOf(e.getMessage()) : "unknown command '" + command + "'";
  }

  /** The word in the place of a subcommand that is none; empty if another thing is wrong. */
  private static String unknownCommand(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched
        && !e.getCommandLine().getSubcommands().isEmpty()
        && !unmatched.getUnmatched().get(0).startsWith("-")) {
      return unmatched.getUnmatched().get(0);
    }
    return "";
  }

  /** Prints what may have been meant, if anything is near. */
  private static boolean suggest(ParameterException e, PrintWriter err) {
    CommandLine line = e.getCommandLine();
    String command = unknownCommand(e);
    List<String> near =
        command.isEmpty()
            ? NearestNames.of(unknownOption(e), line.getCommandSpec().optionsMap().keySet())
            : NearestNames.of(command, line.getSubcommands().keySet());
    if (near.isEmpty()) {
      return false;
    }
    String name = command.isEmpty() ? "" : line.getCommandSpec().qualifiedName() + " ";
    err.println("Did you mean: " + name + String.join(" or " + name, near) + "?");
    return true;
  }

  /** The name of an option that there is not; empty if another thing is wrong. */
  private static String unknownOption(ParameterException e) {
    String first =
        e instanceof UnmatchedArgumentException unmatched ? unmatched.getUnmatched().get(0) : "";
    return first.startsWith("--") ? first.split("=", 2)[0] : "";
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return outOfMemory(e, command, debug.getAsBoolean());
      }
    }
    PrintWriter err = command.getErr();
    err.println(prefix(command) + oneLine(message(e)));
    trace(e, err);
    return e instanceof UsageException ? ExitCodes.USAGE : ExitCodes.FAILURE;
  }

  /** Prints the line for a heap that is too small and returns the exit code. */
  public static int outOfMemory(Throwable e, CommandLine line, boolean debug) {
    PrintWriter err = line.getErr();
    err.println(
        prefix(line)
            + "out of memory: the Java heap is limited to "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MB. Increase it, such as AVM_JAVA_OPTS=-Xmx4g, or make the learner smaller with"
            + " --budget, --cells 0 or --memory BYTES");
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
      return missing.getFile() + ": no such file or folder";
    }
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    String message = e.getMessage();
    if (e instanceof BadRowException) {
      return message + " (use --on-bad-row skip to skip such rows)";
    }
    boolean explained =
        e instanceof AvmException
            || e instanceof IOException
            || e instanceof IllegalArgumentException;
    if (explained && message != null) {
      return message;
    }
    return "unexpected " + e + "; please report it, with the output of --debug";
  }

  /** Joins the lines of a message. */
  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private void trace(Exception e, PrintWriter err) {
    if (debug.getAsBoolean()) {
      e.printStackTrace(err);
    }
  }
}
