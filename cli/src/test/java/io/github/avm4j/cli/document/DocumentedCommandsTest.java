// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Every avm command in the code blocks of the documents and in the examples of --help runs, on
 * small files of the same names. Commands that need a network, a cluster or a server are parsed
 * only.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Set<String> PARSED_ONLY = Set.of("serve", "stream", "demo");
  private static final Set<String> OUTPUTS =
      Set.of("-m", "--model", "-o", "--output", "--report", "--plot", "--curve", "--save");
  private static final Pattern FILE =
      Pattern.compile(
          "a9a(\\.t)?|[\\w-]+(\\.\\w+)*\\.(csv|jsonl|arff|libsvm|avm|xz|gz|html|svg|png|onnx|pmml)");

  @TempDir Path folder;

  @Test
  void everyCommandOfTheDocumentsRuns() throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(ROOT.resolve("README.md"));
    files.add(Path.of("src", "main", "dist", "README.md"));
    // Help that is wrapped to a width; the next test runs its examples.
    pages().stream().filter(page -> !page.endsWith("commands.md")).forEach(files::add);
    Set<String> names = Main.commandLine().getSubcommands().keySet();
    List<DocumentedCommand> commands = new ArrayList<>();
    for (Path file : files) {
      commands.addAll(DocumentedCommand.inMarkdown(file, names));
    }
    assertTrue(commands.size() > 40, () -> "found only " + commands);
    run(commands);
  }

  /** The pages of docs, those of its folders too. */
  static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  @Test
  void commandsAreFoundInBlocksOfCode() throws IOException {
    Path file = folder.resolve("page.md");
    Files.writeString(
        file,
        """
        avm evaluate outside.csv
        ```sh
        avm evaluate a.csv --absent   # comment
        cat a.csv | avm predict a.avm > b.csv
        ```
        ```
        $ avm evaluat a.csv
        avm: unknown command 'evaluat'
          avm with default settings
        ```
        """);
    List<DocumentedCommand> found =
        DocumentedCommand.inMarkdown(file, Set.of("evaluate", "predict"));
    assertEquals(
        List.of(
            new DocumentedCommand("page.md:3", List.of("evaluate", "a.csv", "--absent"), "", ""),
            new DocumentedCommand("page.md:4", List.of("predict", "a.avm"), "a.csv", ""),
            new DocumentedCommand(
                "page.md:7", List.of("evaluat", "a.csv"), "", "avm: unknown command 'evaluat'")),
        found);
  }

  @Test
  void everyExampleOfTheHelpRuns() throws IOException {
    List<DocumentedCommand> commands = new ArrayList<>();
    CommandLine main = Main.commandLine();
    collect(main, main.getSubcommands().keySet(), commands);
    assertTrue(commands.size() > 25, () -> "found only " + commands);
    run(commands);
  }

  private static void collect(
      CommandLine line, Set<String> names, List<DocumentedCommand> commands) {
    String place = line.getCommandSpec().qualifiedName() + " --help";
    for (String text : line.getCommandSpec().usageMessage().footer()) {
      commands.addAll(DocumentedCommand.inLine(place, text.strip(), "", names));
    }
    line.getSubcommands().values().forEach(sub -> collect(sub, names, commands));
  }

  private void run(List<DocumentedCommand> commands) throws IOException {
    SampleFiles files = new SampleFiles(folder);
    Set<Object> done = new HashSet<>();
    for (DocumentedCommand command : commands) {
      if (!done.add(List.of(command.words(), command.error()))) {
        continue;
      }
      if (isParsedOnly(command)) {
        String[] words = command.words().toArray(String[]::new);
        assertDoesNotThrow(() -> Main.commandLine(words).parseArgs(words), command.toString());
        continue;
      }
      Object[] arguments = arguments(command, files);
      Avm.Result result =
          command.input().isEmpty()
              ? Avm.run(arguments)
              : Avm.runWithInput(Files.readString(files.input(plain(command.input()))), arguments);
      String said = command + "\n" + result.err();
      if (command.error().isEmpty()) {
        assertEquals(0, result.code(), said);
      } else {
        assertTrue(result.code() > 0, said);
        List<String> lines = result.err().replace(folder + "/", "").lines().toList();
        assertTrue(lines.contains(command.error()), said);
      }
    }
  }

  private static boolean isParsedOnly(DocumentedCommand command) {
    return PARSED_ONLY.contains(command.words().get(0));
  }

  /** A pipe carries the text, whatever the file's compression. */
  private static String plain(String name) {
    return name.replaceFirst("\\.(xz|gz)$", "");
  }

  private Object[] arguments(DocumentedCommand command, SampleFiles files) throws IOException {
    List<Object> arguments = new ArrayList<>();
    boolean export = command.words().get(0).equals("export");
    String before = "";
    for (String word : command.words()) {
      boolean output = OUTPUTS.contains(before) || export && arguments.size() == 2;
      if (!FILE.matcher(word).matches()) {
        arguments.add(word);
      } else {
        arguments.add(output ? folder.resolve(word) : files.input(word));
      }
      before = word;
    }
    return arguments.toArray();
  }
}
