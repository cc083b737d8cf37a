// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands of a tutorial that stand behind a prompt are run one after the other in one folder,
 * and each line that the tutorial shows is a line that the command prints, figure by figure; times
 * alone may differ. A line "…" stands for any number of lines. {@link DocumentedCommandsTest} runs
 * the others on small files.
 */
class TutorialsTest {
  private static final Path TUTORIALS = Path.of("..", "docs", "tutorials");
  private static final Pattern FILE = Pattern.compile("[\\w-]+\\.(csv|avm|html|svg|onnx)");
  private static final Pattern FIGURE =
      Pattern.compile("[-+]?[0-9][0-9,]*(\\.[0-9]+)?(E-?[0-9]+)?");

  /** Times and speeds. */
  private static final Pattern TIME =
      Pattern.compile("[0-9][0-9.,]*(?=( s|/s| per second| us processor time)\\b)");

  /** The last digits of sums depend on the width of vectors. */
  private static final double TOLERANCE = 1e-6;

  @TempDir Path folder;

  private record Step(String command, List<String> shown) {}

  @ParameterizedTest
  @ValueSource(strings = {"csv.md", "compare.md"})
  void commandsPrintWhatIsShown(String page) throws IOException {
    List<Step> steps = steps(Files.readAllLines(TUTORIALS.resolve(page)));
    assertTrue(steps.size() >= 3, () -> "found only " + steps);
    List<String> wrong = new ArrayList<>();
    for (Step step : steps) {
      List<String> printed = timeless(run(step.command()));
      int at = 0;
      for (String line : timeless(step.shown())) {
        int found = at;
        while (found < printed.size() && !agree(line, printed.get(found))) {
          found++;
        }
        if (found == printed.size()) {
          wrong.add(step.command() + " does not print\n" + line + "\nbut");
          wrong.addAll(printed);
        } else {
          at = found + 1;
        }
      }
    }
    assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
  }

  @Test
  void figuresAreComparedAndTimesAreNot() {
    String shown = "avm  6.85  1,024 rows in 3.1 s (6,454 per second), x1 -4.62E-4";
    assertTrue(agree(shown, shown));
    assertTrue(agree(shown, shown.replace("6.85", "6.850001")));
    assertFalse(agree(shown, shown.replace("6.85", "6.84")));
    assertFalse(agree(shown, shown.replace("1,024", "1,025")));
    assertFalse(agree(shown, shown.replace("-4.62E-4", "4.62E-4")));
    assertFalse(agree(shown, shown.replace("rows", "lines")));
    List<String> table = List.of("method  seconds  size", "avm        1.24    72");
    assertEquals(timeless(table), timeless(List.of(table.get(0), "avm       11.07    72")));
    String slow = shown.replace("3.1 s (6,454", "31.0 s (645");
    assertEquals(timeless(List.of(shown)), timeless(List.of(slow)));
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
    result.err().lines().forEach(line -> lines.add(line.replace(folder + "/", "")));
    result.out().lines().limit(most).forEach(line -> lines.add(line.replace(folder + "/", "")));
    return lines;
  }

  /** The lines without times, those in a column of seconds included, and without runs of blanks. */
  private static List<String> timeless(List<String> lines) {
    List<String> timeless = new ArrayList<>();
    int seconds = 0;
    for (String line : lines) {
      int end = line.startsWith("method ") ? line.indexOf(" seconds") + 8 : seconds;
      String row = line;
      if (seconds > 0 && line.length() > seconds) {
        row = line.substring(0, end).replaceAll("[0-9.]+$", "time") + line.substring(end);
      }
      seconds = end;
      String plain = TIME.matcher(row.replaceAll("[|][#o ]*$", "|")).replaceAll("time");
      timeless.add(plain.replaceAll("\\s+", " ").strip());
    }
    return timeless;
  }

  /** Whether two lines have the same words and figures. */
  private static boolean agree(String shown, String printed) {
    if (!masked(shown).equals(masked(printed))) {
      return false;
    }
    Matcher one = FIGURE.matcher(shown);
    Matcher other = FIGURE.matcher(printed);
    while (one.find() && other.find()) {
      double first = Double.parseDouble(one.group().replace(",", ""));
      double second = Double.parseDouble(other.group().replace(",", ""));
      if (Math.abs(first - second) > TOLERANCE * Math.abs(first)) {
        return false;
      }
    }
    return true;
  }

  private static String masked(String line) {
    return FIGURE.matcher(line).replaceAll("0");
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
