// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** The {@code avm} commands in blocks of code of the documents have options that exist. */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");

  @Test
  void everyDocumentedCommandIsAccepted() throws IOException {
    List<String> refused = new ArrayList<>();
    int commands = 0;
    for (Path document : documents()) {
      for (String command : commands(Files.readAllLines(document, UTF_8))) {
        commands++;
        String problem = problem(command);
        if (!problem.isEmpty()) {
          refused.add(document.getFileName() + ": " + command + ": " + problem);
        }
      }
    }
    assertEquals(List.of(), refused);
    assertTrue(commands > 40, "only " + commands + " commands were found");
  }

  @Test
  void wrongCommandsAreFound() {
    List<String> lines =
        List.of(
            "avm evaluate outside.csv --absent",
            "```sh",
            "avm evaluate a.csv --absent   # comment",
            "cat a.csv | avm predict a.avm > b.csv",
            "```",
            "```",
            "$ avm evaluate a.csv --shufle",
            "avm: Unknown option: '--shufle'",
            "$ avm evaluat a.csv",
            "  avm with default settings",
            "```");
    List<String> found = commands(lines);
    assertEquals(List.of("evaluate a.csv --absent", "predict a.avm", "evaluat a.csv"), found);
    assertEquals(
        List.of(true, false, true),
        found.stream().map(command -> !problem(command).isEmpty()).toList());
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    documents.add(ROOT.resolve("README.md"));
    documents.add(ROOT.resolve("cli/src/main/dist/README.md"));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    return documents;
  }

  /** The arguments of the commands in blocks of code, without those that an error follows. */
  private static List<String> commands(List<String> lines) {
    List<String> commands = new ArrayList<>();
    boolean code = false;
    boolean session = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean prompt = line.startsWith("$ ");
      if (line.startsWith("```")) {
        code = !code;
        session = false;
      }
      session |= prompt;
      boolean typed = session ? prompt : code || line.startsWith("    ");
      boolean mistake = i + 1 < lines.size() && lines.get(i + 1).startsWith("avm: ");
      String command = typed && !mistake ? command(line) : "";
      if (!command.isEmpty() && !command.startsWith("COMMAND")) {
        commands.add(command);
      }
    }
    return commands;
  }

  /** What follows {@code avm} in a line of a shell; empty if it is no command of ours. */
  private static String command(String line) {
    for (String part : line.replaceFirst("\\s#.*", "").split("&&|\\|", 20)) {
      String text = part.strip().replaceFirst("^\\$ ", "").replaceFirst("\\s+[<>].*", "");
      if (text.matches("(?:\\S*/)?avm \\S.*")) {
        return text.replaceFirst("^\\S+\\s+", "");
      }
    }
    return "";
  }

  /** Why the command line is refused; empty if it is not. */
  private static String problem(String command) {
    try {
      Main.commandLine().parseArgs(command.split("\\s+", 50));
      return "";
    } catch (ParameterException e) {
      return e.getMessage();
    }
  }
}
