// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong ends with one line that says what to do. */
class ErrorsTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static void assertFails(int code, String part, Avm.Result result) {
    assertEquals(code, result.code(), result.err());
    assertTrue(result.err().contains(part), result.err());
    assertFalse(result.err().contains("\tat "), "no stack trace: " + result.err());
    assertEquals("", result.out());
  }

  private static void assertOneLine(int code, String part, Avm.Result result) {
    assertFails(code, part, result);
    assertTrue(result.lastError().startsWith("avm: "), result.err());
    assertTrue(result.lastError().contains(part), result.err());
  }

  @Test
  void wrongOptionSuggestsTheRightOne() {
    assertFails(2, "Did you mean: --gamma?", Avm.run("train", "x", "-m", "y", "--gama=1"));
    assertFails(2, "Did you mean: --label?", Avm.run("evaluate", "x", "--labl", "y"));
    assertFails(2, "Try 'avm train --help'.", Avm.run("train", "x", "--nothing-like-it"));
  }

  @Test
  void wrongCommandSuggestsTheRightOne() {
    assertFails(2, "Did you mean: avm train?", Avm.run("tran"));
    assertFails(2, "Did you mean: avm evaluate?", Avm.run("evaluat", "a.csv"));
    assertFails(2, "Did you mean: avm evaluate?", Avm.run("eval", "a.csv"));
    assertFails(2, "Try 'avm --help'.", Avm.run("nope"));
  }

  @Test
  void commandsThatDoNotExistAreWrongWhateverFollows() {
    for (String[] args :
        List.of(
            new String[] {"nope", "--help"},
            new String[] {"tran", "data.csv", "-h"},
            new String[] {"nope", "--debug", "-h"},
            new String[] {"stream", "nope", "--help"})) {
      Avm.Result result = Avm.run((Object[]) args);
      assertEquals(ExitCodes.USAGE, result.code(), String.join(" ", args) + result.out());
      assertTrue(result.err().contains("avm: unknown command '"), result.err());
    }
  }

  @Test
  void numbersAreExplainedToPeople() throws IOException {
    Path data = file("a.csv", Avm.ring(100, 1));
    Path model = folder.resolve("m.avm");
    assertFails(2, "'many' is not a whole number", Avm.run("train", data, "--budget", "many"));
    assertFails(2, "'1.5' is not a whole number", Avm.run("train", data, "--limit", "1.5"));
    assertFails(2, "'99999999999' is too large", Avm.run("train", data, "--budget", "99999999999"));
    assertFails(2, "'wide' is not a number", Avm.run("train", data, "--gamma", "wide"));
    assertFails(2, "must be a size such as 65536", Avm.run("train", data, "--memory", "lots"));
    for (String bytes : new String[] {"1MB", "1000000", "1000kB", "0.001gb"}) {
      Avm.Result result = Avm.run("train", data, "-m", model, "--memory", bytes);
      assertEquals(0, result.code(), result.err());
      assertTrue(result.err().contains(" or 1,000,000 bytes"), result.err());
    }
    Avm.Result binary = Avm.run("train", data, "-m", model, "--memory", "1MiB");
    assertTrue(binary.err().contains(" or 1,048,576 bytes"), binary.err());
  }

  @Test
  void hugeValuesNameTheirColumn() throws IOException {
    Path data = file("a.csv", Avm.ring(50, 1) + "1,1.23E297,in\n");
    assertOneLine(
        1,
        "a.csv:52: column b is 1.23E297, too large (the maximum",
        Avm.run("train", data, "-m", folder.resolve("m"), "--scaling", "none"));
    Path numbered = file("a.libsvm", "1 1:1 2:3\n0 1:1 3:1e200\n");
    assertOneLine(
        1,
        "a.libsvm:2: feature number 3 is 1.0E200",
        Avm.run("train", numbered, "-m", folder.resolve("m"), "--scaling", "none"));
  }

  @Test
  void wrongValuesNameWhatThereIs() {
    assertFails(2, "use one of arff, auto, csv", Avm.run("train", "x", "--format", "xml"));
    assertFails(2, "one character", Avm.run("train", "x", "--delimiter", "ab"));
    assertFails(2, "such as 30s", Avm.run("train", "x", "--save-every", "often"));
    assertFails(2, "min-max", Avm.run("train", "x", "--scaling", "log"));
    assertFails(2, "classification", Avm.run("train", "x", "--task", "clustering"));
  }

  @Test
  void noModelNamed() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    assertOneLine(2, "no file for the model: add -m model.avm", Avm.run("train", data));
  }

  @Test
  void missingFile() {
    assertOneLine(
        1, "there is no such file", Avm.run("train", folder.resolve("no.csv"), "-m", "m.avm"));
  }

  @Test
  void aFolder() {
    assertOneLine(1, "is a folder", Avm.run("train", folder, "-m", folder.resolve("m.avm")));
  }

  @Test
  void emptyFile() throws IOException {
    Path data = file("empty.csv", "");
    assertOneLine(1, "empty.csv: there is no", Avm.run("train", data, "-m", "m.avm"));
  }

  @Test
  void headerWithoutRows() throws IOException {
    Path data = file("head.csv", "x,y,label\n");
    assertOneLine(
        1, "has no rows to learn from", Avm.run("train", data, "--header", "-m", "m.avm"));
  }

  @Test
  void anotherFormatThanTold() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    assertOneLine(
        1, "a.csv:1", Avm.run("train", data, "--format", "libsvm", "-m", folder.resolve("m")));
  }

  @Test
  void labelColumnThatDoesNotExist() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    Avm.Result result = Avm.run("train", data, "--label", "price", "-m", folder.resolve("m"));
    assertOneLine(1, "no column \"price\" for the label; the columns are a, b, label", result);
  }

  @Test
  void encodingOfAColumnThatDoesNotExist() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    assertOneLine(
        1,
        "no column is named z",
        Avm.run("train", data, "--drop", "z", "-m", folder.resolve("m")));
  }

  @Test
  void valuesOutOfRangeNameTheRange() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    Path model = folder.resolve("m");
    assertOneLine(2, "--budget must be in 1..", Avm.run("train", data, "-m", model, "--budget", 0));
    assertOneLine(2, "--cells must be in 0..", Avm.run("train", data, "-m", model, "--cells", -1));
    assertOneLine(
        2,
        "--lambda must be in [1e-12, 1e12]",
        Avm.run("train", data, "-m", model, "--lambda", -1));
    assertOneLine(2, "add --paper", Avm.run("train", data, "-m", model, "--loss", "hinge"));
    assertOneLine(2, "use logistic", Avm.run("train", data, "-m", model, "--loss", "l2"));
    assertOneLine(2, "unknown loss 'x'", Avm.run("train", data, "-m", model, "--loss", "x"));
    Avm.Result fine = Avm.run("train", data, "-m", model, "--paper", "--cells", 0);
    assertOneLine(2, "--cells is not an option of the paper", fine);
  }

  @Test
  void textWhereNumbersAreLearned() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    Path model = folder.resolve("m");
    Avm.Result result = Avm.run("train", data, "-m", model, "--task", "regression");
    assertOneLine(1, "a.csv:2: the label", result);
    assertFalse(Files.exists(model));
  }

  @Test
  void modelThatIsNone() throws IOException {
    Path data = file("a.csv", Avm.ring(10, 1));
    assertOneLine(1, "a.csv: cannot be read as a model", Avm.run("predict", data, data));
    assertOneLine(1, "a.csv -m MODEL.avm makes a model of data", Avm.run("inspect", data));
    assertOneLine(
        1,
        "a.csv: cannot be resumed: the file was not written by avm4j",
        Avm.run("train", data, "--resume", data));
    assertOneLine(1, "avm train writes models", Avm.run("inspect", folder.resolve("no.avm")));
    assertOneLine(1, "is a folder", Avm.run("inspect", folder));
  }

  @Test
  void rowsThatDoNotFitTheModel() throws IOException {
    Path data = file("a.csv", Avm.ring(50, 1));
    Path model = folder.resolve("m.avm");
    assertEquals(0, Avm.run("train", data, "-m", model, "-q").code());
    Path other = file("b.csv", "u,v\n1,2\n3,4\n");
    assertOneLine(1, "none of the model's columns a, b", Avm.run("predict", model, other));
    Path numbered = file("c.libsvm", "1 1:2 2:3\n");
    assertOneLine(1, "the model needs the columns a, b", Avm.run("predict", model, numbered));
    Path partly = file("d.csv", "a,v\n1,2\n3,4\n");
    Avm.Result result = Avm.run("predict", model, partly);
    assertEquals(0, result.code());
    assertTrue(result.err().contains("has no b; treated as missing"), result.err());
  }

  @Test
  void optionsThatTheModelKnows() throws IOException {
    Path data = file("a.csv", Avm.ring(50, 1));
    Path model = folder.resolve("m.avm");
    Avm.run("train", data, "-m", model, "-q");
    Avm.Result result = Avm.run("train", data, "--resume", model, "--gamma", 1);
    assertOneLine(2, "--gamma cannot be combined with --resume", result);
  }

  @Test
  void debugShowsTheTrace() {
    Avm.Result result = Avm.run("train", folder.resolve("no.csv"), "-m", "m.avm", "--debug");
    assertTrue(result.err().contains("\tat io.github.avm4j"), result.err());
  }

  @Test
  void modelInAFolderThatIsMissing() throws IOException {
    Path data = file("a.csv", Avm.ring(50, 1));
    Path model = folder.resolve("nowhere").resolve("m.avm");
    assertOneLine(1, "nowhere", Avm.run("train", data, "-m", model));
  }

  @Test
  void outputsAreAskedForBeforeTheWork() throws IOException {
    Path none = folder.resolve("no.csv");
    Path out = folder.resolve("nowhere").resolve("out.svg");
    String words = out + ": its folder does not exist";
    assertOneLine(1, words, Avm.run("train", none, "-m", out));
    assertOneLine(1, words, Avm.run("evaluate", none, "--plot", out));
    assertOneLine(1, words, Avm.run("compare", none, "--plot", out));
    assertOneLine(1, words, Avm.run("compare", none, "--report", out));
    assertOneLine(1, words, Avm.run("predict", none, none, "-o", out));
    assertOneLine(1, folder + ": is a folder", Avm.run("train", none, "-m", folder));
  }

  @Test
  void noColumnIsLeft() throws IOException {
    StringBuilder text = new StringBuilder("a\tb\tlabel\n");
    for (int i = 0; i < 200; i++) {
      text.append("0,").append(1000 + i).append("\t\t").append(i % 2).append('\n');
    }
    Avm.Result result = Avm.run("evaluate", file("a.tsv", text.toString()));
    assertOneLine(1, "no column can be used as a feature: a (such as '0,1000'), b (empty)", result);
  }

  @Test
  void aBadRowHintsAtSkipping() throws IOException {
    Path data = file("a.csv", Avm.ring(50, 1));
    Path model = folder.resolve("m.avm");
    Avm.run("train", data, "-m", model, "-q");
    Avm.Result result = Avm.runWithInput("a,b\n0,0\n1\n", "predict", model);
    assertTrue(
        result.lastError().endsWith("(use --on-bad-row skip to skip such rows)"), result.err());
  }
}
