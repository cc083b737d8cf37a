// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictTest {
  @TempDir Path folder;
  private Path model;

  @BeforeEach
  void train() throws IOException {
    model = folder.resolve("m.avm");
    Path data = Files.writeString(folder.resolve("ring.csv"), Avm.ring(1500, 1));
    assertEquals(0, Avm.run("train", data, "-m", model, "-q").code());
  }

  @Test
  void csvHasPredictionScoreAndProbabilities() throws IOException {
    Path rows = Files.writeString(folder.resolve("new.csv"), "a,b\n0,0\n0.9,0.9\n");
    Avm.Result result = Avm.run("predict", model, rows);
    assertEquals(0, result.code(), result.err());
    List<String> lines = result.out().lines().toList();
    assertEquals(3, lines.size());
    assertTrue(lines.get(0).matches("prediction,score,p:(in,p:out|out,p:in)"), lines.get(0));
    assertTrue(lines.get(1).startsWith("in,"), lines.get(1));
    assertTrue(lines.get(2).startsWith("out,"), lines.get(2));
    String[] fields = lines.get(1).split(",", -1);
    double sum = Double.parseDouble(fields[2]) + Double.parseDouble(fields[3]);
    assertEquals(1, sum, 1e-12);
    assertEquals("", result.err(), "no labels, no error");
  }

  @Test
  void cellsTakenAsMissingAreCountedAndSaid() throws IOException {
    String text = "b,a\n0,0\n0.9,abc\n0.9,1e400\n,?\n";
    Path rows = Files.writeString(folder.resolve("new.csv"), text);
    Avm.Result result = Avm.run("predict", model, rows);
    assertEquals(
        "a: 2 cells are not numbers and were treated as missing (first 'abc', " + rows + ":3)\n",
        result.err().replace("\r", ""));
    assertEquals("", Avm.run("predict", model, rows, "-q").err());
  }

  @Test
  void keptColumnsStandBeforeTheAnswer() throws IOException {
    String text = "id,b,a,note\n007,0,0,\"x,y\"\n008,0\n009,0.9,0.9,\n";
    Path rows = Files.writeString(folder.resolve("new.csv"), text);
    Object[] command = {"predict", model, rows, "--keep", "id,note,a", "--on-bad-row", "skip"};
    List<String> lines = Avm.run(command).out().lines().toList();
    assertTrue(lines.get(0).startsWith("id,note,a,prediction,score,"), lines.get(0));
    assertTrue(lines.get(1).startsWith("007,\"x,y\",0,in,"), lines.get(1));
    assertTrue(lines.get(2).startsWith("009,,0.9,out,"), lines.get(2));
    assertEquals(3, lines.size());
    String json =
        Avm.run("predict", model, rows, "--keep", "id,note", "--output-format", "jsonl").out();
    JsonNode first = new ObjectMapper().readTree(json.lines().findFirst().orElseThrow());
    assertEquals("007", first.get("id").asText());
    assertEquals("in", first.get("prediction").asText());
    String problem = Avm.run("predict", model, rows, "--keep", "ide").err();
    assertTrue(problem.contains("has no column ide for --keep; the columns are id, b, a"), problem);
  }

  @Test
  void jsonLinesParse() throws IOException {
    Path rows = Files.writeString(folder.resolve("new.csv"), "b,a\n0,0\n0.9,0.9\n");
    Avm.Result result = Avm.run("predict", model, rows, "--output-format", "jsonl");
    List<String> lines = result.out().lines().toList();
    assertEquals(2, lines.size());
    JsonNode first = new ObjectMapper().readTree(lines.get(0));
    assertEquals("in", first.get("prediction").asText());
    assertTrue(first.get("probabilities").get("in").asDouble() > 0.5);
    assertTrue(first.get("score").isNumber());
  }

  @Test
  void aSetOfClassesIsWrittenIfAskedFor() throws IOException {
    Path rows = Files.writeString(folder.resolve("new.csv"), "b,a\n0,0\n0.9,0.9\n");
    List<String> lines = Avm.run("predict", model, rows, "--level", "0.9").out().lines().toList();
    assertTrue(lines.get(0).endsWith(",set"), lines.get(0));
    assertTrue(lines.get(1).matches("in,.*,(in|in\\|out|out\\|in)"), lines.get(1));
    String json =
        Avm.run("predict", model, rows, "--level", "0.9", "--output-format", "jsonl").out();
    JsonNode first = new ObjectMapper().readTree(json.lines().findFirst().orElseThrow());
    assertTrue(first.get("set").toString().contains("\"in\""), json);
    Avm.Result other = Avm.run("predict", model, rows, "--level", "0.99");
    assertTrue(other.err().contains("--level must be one of [0.8, 0.9, 0.95]"), other.err());
  }

  @Test
  void anIntervalIsWrittenIfAskedFor() throws IOException {
    StringBuilder text = new StringBuilder("a,y\n");
    for (int i = 0; i < 300; i++) {
      double a = i * 0.37 % 1;
      text.append(a).append(',').append(3 * a + i * 0.71 % 0.5).append('\n');
    }
    Path data = Files.writeString(folder.resolve("line.csv"), text);
    Path line = folder.resolve("line.avm");
    assertEquals(0, Avm.run("train", data, "-m", line, "-q", "--label", "y").code());
    Path rows = Files.writeString(folder.resolve("new.csv"), "a\n0.5\n");
    List<String> lines = Avm.run("predict", line, rows, "--level", "0.8").out().lines().toList();
    assertEquals("prediction,lower,upper", lines.get(0));
    String[] cells = lines.get(1).split(",", -1);
    assertTrue(Double.parseDouble(cells[1]) < Double.parseDouble(cells[0]), lines.get(1));
    assertTrue(Double.parseDouble(cells[0]) < Double.parseDouble(cells[2]), lines.get(1));
  }

  @Test
  void labelsGiveTheError() throws IOException {
    Path rows = Files.writeString(folder.resolve("test.csv"), Avm.ring(300, 2));
    Avm.Result result = Avm.run("predict", model, rows, "-o", folder.resolve("out.csv"));
    assertEquals("", result.out());
    assertTrue(result.err().startsWith("300 rows with labels: error "), result.err());
    assertEquals(301, Files.readAllLines(folder.resolve("out.csv")).size());
  }

  @Test
  void answersStandInTheOrderOfRows() throws IOException {
    StringBuilder rows = new StringBuilder("a,b\n");
    for (int i = 0; i < 100; i++) {
      rows.append(i % 2 == 0 ? "0,0\n" : "0.95,0.95\n");
    }
    Path file = Files.writeString(folder.resolve("new.csv"), rows);
    List<String> lines = Avm.run("predict", model, file).out().lines().skip(1).toList();
    for (int i = 0; i < 100; i++) {
      assertTrue(lines.get(i).startsWith(i % 2 == 0 ? "in," : "out,"), i + ": " + lines.get(i));
    }
  }

  @Test
  void standardInputWithOrWithoutNamesAndAsJson() {
    assertTrue(Avm.runWithInput("a,b\n0,0\n", "predict", model).out().contains("\nin,"));
    assertTrue(Avm.runWithInput("b,a\n0,0\n", "predict", model, "-").out().contains("\nin,"));
    String json = "{\"a\":0,\"b\":0}\n";
    assertTrue(Avm.runWithInput(json, "predict", model).out().contains("\nin,"));
  }

  @Test
  void modelsWithoutNamesTakeRowsWithout() throws IOException {
    Path data = Files.writeString(folder.resolve("n.csv"), "1,2,a\n3,4,b\n1,2.5,a\n3,5,b\n");
    Path plain = folder.resolve("n.avm");
    Avm.run("train", data, "-m", plain, "-q");
    Avm.Result result = Avm.runWithInput("1,2\n3,4\n", "predict", plain);
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().matches("(?s)prediction.*\na,.*\nb,.*\n"), result.out());
  }

  @Test
  void numbersAreOneColumn() throws IOException {
    Path data = Files.writeString(folder.resolve("s.csv"), Avm.slope(1000, 1));
    Path slope = folder.resolve("s.avm");
    Avm.run("train", data, "-m", slope, "-q");
    Avm.Result csv = Avm.runWithInput("x,colour\n0.5,red\n0.5,green\n", "predict", slope);
    List<String> lines = csv.out().lines().toList();
    assertEquals("prediction", lines.get(0));
    assertEquals(2.5, Double.parseDouble(lines.get(1)), 0.3);
    assertTrue(
        Avm.runWithInput("x,colour\n0.5,red\n", "predict", slope, "--output-format=jsonl")
            .out()
            .startsWith("{\"prediction\":2."));
  }

  @Test
  void namesWithCommasAreQuoted() throws IOException {
    Path data =
        Files.writeString(folder.resolve("q.csv"), "x,label\n1,\"a,b\"\n2,\"say \"\"c\"\"\"\n");
    Path quoted = folder.resolve("q.avm");
    Avm.run("train", data, "-m", quoted, "-q");
    String out = Avm.runWithInput("x\n1\n", "predict", quoted, "--header").out();
    assertTrue(out.startsWith("prediction,score,\"p:a,b\",\"p:say \"\"c\"\"\"\n\"a,b\","), out);
  }

  @Test
  void hingeHasNoProbabilities() throws IOException {
    Path data = folder.resolve("ring.csv");
    Path paper = folder.resolve("p.avm");
    Avm.run("train", data, "-m", paper, "--paper", "-q");
    assertTrue(
        Avm.runWithInput("a,b\n0,0\n", "predict", paper).out().startsWith("prediction,score\n"));
  }
}
