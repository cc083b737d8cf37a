// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands of a tutorial that stand behind a prompt are run one after the other in one folder,
 * and each line that the tutorial shows is a line that the command prints, figures aside. A line
 * "…" stands for any number of lines. {@link DocumentedCommandsTest} runs the others on small
 * files.
 */
class TutorialsTest {
  private static final Path TUTORIALS = Path.of("..", "docs", "tutorials");
  private static final Pattern FILE = Pattern.compile("[\\w-]+\\.(csv|avm|html|svg|onnx)");
  private static final Pattern FIGURE = Pattern.compile("[-+]?[0-9][0-9.,]*(E-?[0-9]+)?");

  @TempDir Path folder;

  private record Step(String command, List<String> shown) {}

  @ParameterizedTest
  @ValueSource(strings = {"csv.md", "compare.md"})
  void commandsPrintWhatIsShown(String page) throws IOException {
    List<Step> steps = steps(Files.readAllLines(TUTORIALS.resolve(page)));
    assertTrue(steps.size() >= 3, () -> "found only " + steps);
    for (Step step : steps) {
      List<String> printed = run(step.command());
      int at = 0;
      for (String line : step.shown()) {
        int found = printed.subList(at, printed.size()).indexOf(masked(line));
        String all = String.join("\n", printed);
        assertTrue(found >= 0, () -> step.command() + " does not print\n" + line + "\nbut\n" + all);
        at += found + 1;
      }
    }
  }

  private List<String> run(String command) {
    String[] parts = command.replaceFirst(" +# .*", "").split(" \\| head -", 2);
    List<Object> words = new ArrayList<>();
    for (String word : parts[0].split(" +", -1)) {
      words.add(FILE.matcher(word).matches() ? folder.resolve(word) : word);
    }
    Avm.Result result = Avm.run(words.subList(1, words.size()).toArray());
    assertEquals(0, result.code(), () -> command + "\n" + result.err());
    long most = parts.length < 2 ? Long.MAX_VALUE : Long.parseLong(parts[1]);
    List<String> lines = new ArrayList<>();
    result.err().lines().forEach(line -> lines.add(masked(line)));
    result.out().lines().limit(most).forEach(line -> lines.add(masked(line)));
    return lines;
  }

  private String masked(String line) {
    String plain = line.replace(folder + "/", "").replaceAll("[|][#o ]*$", "|");
    return FIGURE.matcher(plain).replaceAll("0").replaceAll("\\s+", " ").strip();
  }

  private static List<Step> steps(List<String> lines) {
    List<Step> steps = new ArrayList<>();
    String block = "";
    for (String line : lines) {
      boolean code = block.equals("```");
      if (line.startsWith("```")) {
        block = block.isEmpty() ? line : "";
      } else if (code && line.startsWith("$ avm ")) {
        steps.add(new Step(line.substring(2), new ArrayList<>()));
      } else if (code && !steps.isEmpty() && !line.isBlank() && !line.equals("…")) {
        steps.get(steps.size() - 1).shown().add(line);
      }
    }
    return steps;
  }
}
