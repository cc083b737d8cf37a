// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command line of {@code avm} in a document.
 *
 * @param place document and line
 * @param words the words after {@code avm}
 * @param input file that is piped into the command, empty if there is none
 * @param error the error message that the document shows, empty if the command succeeds
 */
record DocumentedCommand(String place, List<String> words, String input, String error) {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern SOURCE = Pattern.compile("(?:cat|zcat|tail -f) (\\S+)");

  /** All commands in the code blocks of a Markdown file. */
  static List<DocumentedCommand> inMarkdown(Path file, Set<String> names) throws IOException {
    List<DocumentedCommand> commands = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    boolean fenced = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("```")) {
        fenced = !fenced;
        continue;
      }
      if (fenced || line.startsWith("    ")) {
        String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
        String error = next.startsWith("avm: ") ? next : "";
        String place = file.getFileName() + ":" + (i + 1);
        boolean prompt = line.startsWith("$ ");
        String text = line.strip().replaceFirst("^\\$ ", "");
        commands.addAll(inLine(place, text, error, prompt ? Set.of() : names));
      }
    }
    return commands;
  }

  /** The commands of a line of a shell; with {@code names}, one of them must follow {@code avm}. */
  static List<DocumentedCommand> inLine(
      String place, String line, String error, Set<String> names) {
    List<DocumentedCommand> commands = new ArrayList<>();
    for (String list : line.replaceFirst("(^| +)# .*", "").split(" && ", -1)) {
      String input = "";
      for (String part : list.split(" \\| ", -1)) {
        Matcher source = SOURCE.matcher(part.strip());
        input = source.matches() ? source.group(1) : input;
        List<String> words = words(part.replaceFirst(" > \\S+$", ""));
        boolean ours = words.size() > 1 && words.get(0).matches("(\\S*/)?avm");
        if (ours && (names.isEmpty() || names.contains(words.get(1)))) {
          commands.add(new DocumentedCommand(place, words.subList(1, words.size()), input, error));
        }
      }
    }
    return commands;
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      words.add(word.group(1) != null ? word.group(1) : word.group(2));
    }
    return words;
  }
}
