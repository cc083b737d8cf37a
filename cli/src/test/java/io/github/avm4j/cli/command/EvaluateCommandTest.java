// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.Avm;
import io.github.avm4j.cli.Main;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;
import picocli.CommandLine;

class EvaluateCommandTest {
  private static final int ROWS = 400;

  @TempDir private Path folder;

  private static final class Sample {
    final double[] x;
    final double y;

    Sample(double[] x, double y) {
      this.x = x;
      this.y = y;
    }
  }

  private record Result(int code, String out, String err) {}

  private static Result run(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of("evaluate"));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    return new Result(line.execute(all.toArray(new String[0])), out.toString(), err.toString());
  }

  private static JsonNode json(Object... arguments) throws IOException {
    Result result = run(arguments);
    assertEquals(0, result.code, result.err);
    assertEquals("", result.err);
    return new ObjectMapper().readTree(result.out);
  }

  private static List<Sample> samples(long seed, boolean classes) {
    Random random = new Random(seed);
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      double[] x = {random.nextGaussian(), 5 + 2 * random.nextGaussian()};
      double product = x[0] * (x[1] - 5) + random.nextGaussian() / 4;
      samples.add(new Sample(x, classes ? (product > 0.3 ? 1 : 0) : product));
    }
    return samples;
  }

  /** Classes are named so that the first to appear is not the first in the alphabet. */
  private Path file(String name, List<Sample> samples, boolean classes) throws IOException {
    StringBuilder text = new StringBuilder("a,b,outcome\n");
    for (Sample s : samples) {
      String label = classes ? (s.y > 0 ? "high" : "low") : Double.toString(s.y);
      text.append(s.x[0]).append(',').append(s.x[1]).append(',').append(label).append('\n');
    }
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void classificationEqualsAnIndependentCount() throws IOException {
    List<Sample> samples = samples(1, true);
    JsonNode json = json(file("c.csv", samples, true), "--json");
    Learner learner = Avm.classifier().build();
    double first = samples.get(0).y;
    int[] seen = new int[2];
    int[] hits = new int[2];
    int majority = 0;
    int majorityMistakes = 0;
    int changes = 1;
    for (int i = 0; i < ROWS; i++) {
      int label = samples.get(i).y == first ? 0 : 1;
      FeatureVector x = FeatureVector.dense(samples.get(i).x);
      hits[label] += learner.predict(x) == label ? 1 : 0;
      majorityMistakes += i > 0 && majority == label ? 0 : 1;
      changes += i > 0 && samples.get(i).y != samples.get(i - 1).y ? 1 : 0;
      learner.learn(x, label);
      seen[label]++;
      majority = seen[label] > seen[1 - label] ? label : majority;
    }
    double mistakes = 100.0 * (ROWS - hits[0] - hits[1]) / ROWS;
    assertEquals(ROWS, json.get("instances").asInt());
    assertEquals(mistakes, json.get("mistake_rate").asDouble(), 1e-9);
    assertEquals(100.0 * changes / ROWS, json.get("no_change").asDouble(), 1e-9);
    assertEquals(
        100.0 * Math.min(majorityMistakes, changes) / ROWS, json.get("baseline").asDouble(), 1e-9);
    assertEquals(learner.size(), json.get("core_points").asInt());
    String name = first > 0 ? "high" : "low";
    assertEquals(100.0 * hits[0] / seen[0], json.get("recall").get(name).asDouble(), 1e-9);
    assertEquals("outcome", json.get("data").get("target").asText());
    assertTrue(json.get("auc").asDouble() > 0.9, json.toString());
  }

  @Test
  void jsonSaysAllThereIsToSay() throws IOException {
    JsonNode json = json(file("k.csv", samples(1, true), true), "--json");
    for (String key :
        List.of(
            "seconds",
            "instances_per_second",
            "cpu_micros_per_instance",
            "kappa",
            "kappa_m",
            "kappa_t",
            "log_loss",
            "auc",
            "configuration",
            "window",
            "provenance")) {
      assertNotNull(json.get(key), key);
    }
  }

  @Test
  void regressionEqualsAnIndependentCount() throws IOException {
    List<Sample> samples = samples(2, false);
    JsonNode json = json(file("r.csv", samples, false), "--json");
    Learner learner = Avm.regressor().build();
    double squares = 0;
    double absolutes = 0;
    double meanSquares = 0;
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      Sample s = samples.get(i);
      double miss = learner.predict(FeatureVector.dense(s.x)) - s.y;
      squares += miss * miss;
      absolutes += Math.abs(miss);
      meanSquares += Math.pow((i == 0 ? 0 : sum / i) - s.y, 2);
      learner.learn(FeatureVector.dense(s.x), s.y);
      sum += s.y;
    }
    double spread = samples.stream().mapToDouble(s -> s.y).sum() / ROWS;
    double total = samples.stream().mapToDouble(s -> Math.pow(s.y - spread, 2)).sum();
    assertEquals("regression", json.get("task").asText());
    assertEquals(Math.sqrt(squares / ROWS), json.get("rmse").asDouble(), 1e-9);
    assertEquals(absolutes / ROWS, json.get("mae").asDouble(), 1e-9);
    assertEquals(1 - squares / total, json.get("r2").asDouble(), 1e-9);
    assertEquals(Math.sqrt(meanSquares / ROWS), json.get("baseline").asDouble(), 1e-9);
  }

  @Test
  void holdOutScoresTheModelAndTheMajorityOfTheTraining() throws IOException {
    List<Sample> train = samples(3, true);
    List<Sample> test = samples(4, true).subList(0, 150);
    JsonNode json = json(file("a.csv", train, true), "--test", file("b.csv", test, true), "--json");
    Learner learner = Avm.classifier().build();
    double first = train.get(0).y;
    train.forEach(s -> learner.learn(s.x, s.y == first ? 0 : 1));
    Model model = learner.snapshot();
    long mistakes = test.stream().filter(s -> model.predict(s.x) != (s.y == first ? 0 : 1)).count();
    double majority = train.stream().filter(s -> s.y > 0).count() * 2 > train.size() ? 1 : 0;
    long others = test.stream().filter(s -> s.y != majority).count();
    assertEquals("hold-out", json.get("method").asText());
    assertEquals(150, json.get("instances").asInt());
    assertEquals(ROWS, json.get("trained").asInt());
    assertEquals(100.0 * mistakes / 150, json.get("mistake_rate").asDouble(), 1e-9);
    assertEquals(100.0 * others / 150, json.get("majority").asDouble(), 1e-9);
  }

  @Test
  void repetitionsAreTheShufflesOfTheSeeds() throws IOException {
    Path file = file("s.csv", samples(5, true), true);
    double sum = 0;
    for (int seed = 7; seed < 10; seed++) {
      JsonNode one = json(file, "--shuffle", "--seed", seed, "--json");
      assertEquals(
          one.get("mistake_rate"),
          json(file, "--shuffle", "--seed", seed, "--json").get("mistake_rate"));
      sum += one.get("mistake_rate").asDouble();
    }
    JsonNode all = json(file, "--repeat", 3, "--seed", 7, "--json");
    assertEquals(sum / 3, all.get("mistake_rate").asDouble(), 1e-9);
    assertEquals(3, all.get("repeats").get("count").asInt());
    assertTrue(all.get("repeats").get("mistake_rate").get("deviation").asDouble() > 0);
    assertNotEquals(json(file, "--json").get("mistake_rate"), all.get("mistake_rate"));
  }

  @Test
  void curveHasMoasColumnsAndALineEachWindow() throws IOException {
    Path curve = folder.resolve("curve.csv");
    JsonNode json =
        json(file("c.csv", samples(6, true), true), "--json", "--window", 150, "--curve", curve);
    List<String> lines = Files.readAllLines(curve);
    assertTrue(
        lines.get(0).startsWith("learning evaluation instances,evaluation time (cpu seconds),"));
    assertEquals(4, lines.size(), "150, 300 and the end");
    assertEquals("400", lines.get(3).split(",", -1)[0]);
    double correct = Double.parseDouble(lines.get(3).split(",", -1)[4]);
    assertEquals(100 - json.get("window").get("mistake_rate").asDouble(), correct, 1e-6);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reportIsOnePageOfItsOwn(boolean classes) throws Exception {
    Path report = folder.resolve("report.html");
    Path data = file("<odd> & \"name\".csv", samples(7, classes), classes);
    assertEquals(0, run(data, "--report", report).code);
    String page = Files.readString(report);
    assertFalse(page.contains("http"), "nothing from elsewhere");
    assertFalse(page.contains("<script"));
    assertFalse(page.contains("<odd>"));
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
    assertTrue(page.contains(classes ? "Predictions by class" : "Predictions against targets"));
    assertTrue(page.contains(classes ? "Prediction sets" : "The last intervals"), page);
    assertFalse(page.contains("NaN"), "what is not known is left out");
  }

  @Test
  void plotsAreDrawn() throws Exception {
    Path file = file("p.csv", samples(8, true), true);
    Path svg = folder.resolve("p.SVG");
    assertEquals(0, run(file, "--plot", svg, "-q").code);
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    Result png = run(file, "--plot", folder.resolve("p.png"));
    assertTrue(png.code == 2 && png.err.contains("unknown extension: use .svg"), png.err);
  }

  @Test
  void showsProgressAndTheBaselines() throws IOException {
    Result result = run(file("t.csv", samples(9, true), true), "--limit", 200);
    assertEquals(0, result.code, result.err);
    assertTrue(result.err.contains("classification (2 classes so far, inferred) of outcome"));
    assertTrue(result.err.contains("\n        128 "), result.err);
    assertTrue(result.err.contains("\n        200 "), result.err);
    assertTrue(result.out.contains("majority") && result.out.contains("no-change"), result.out);
    Result quiet = run(file("q.csv", samples(9, false), false), "-q", "--repeat", 2);
    assertEquals("", quiet.err);
    assertTrue(quiet.out.contains("Over 2 shuffled runs: RMSE"), quiet.out);
  }

  @Test
  void warnsIfABaselineIsBetter() throws IOException {
    StringBuilder text = new StringBuilder("x,class\n");
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      text.append(random.nextDouble()).append(i / 50 % 2 == 0 ? ",a\n" : ",b\n");
    }
    Result result = run(Files.writeString(folder.resolve("n.csv"), text));
    assertTrue(
        result.out.contains(
            "Worse than a baseline: predicting the label of the previous row makes"),
        result.out);
  }

  @Test
  void wrongOptionsAreRefused() throws IOException {
    Path file = file("w.csv", samples(10, true), true);
    assertEquals(2, run().code);
    assertEquals(2, run(file, "--repeat", 0).code);
    assertEquals(2, run(file, "--window", 0).code);
    assertEquals(2, run(file, "--limit", 0).code);
    assertEquals(2, run(file, "--plot", "x.gif").code);
    assertEquals(1, run(folder.resolve("absent.csv")).code);
    assertEquals(1, run(file, "--report", folder.resolve("absent/report.html")).code);
    Result text = run(file, "--task", "regression");
    assertEquals(1, text.code);
    assertTrue(text.err.contains("w.csv:2"), text.err);
  }

  @Test
  void rowsWithoutALabelCanBeLeftOut() throws IOException {
    Path file = file("l.csv", samples(12, true), true);
    Files.writeString(file, Files.readString(file) + "1,2,?\n");
    assertEquals(1, run(file, "--on-bad-row", "fail").code);
    assertEquals(0, run(file).code);
    Result skipping = run(file, "--on-bad-row", "skip");
    assertEquals(0, skipping.code, skipping.err);
    assertTrue(skipping.err.contains("1 bad rows skipped, the first: "), skipping.err);
    assertEquals(1, skipping.err.lines().filter(line -> line.startsWith("1 ")).count());
    String said = run(file).err;
    assertEquals(1, said.lines().filter(line -> line.contains("left out")).count(), said);
  }

  @Test
  void rowsThatALearnerRejectsCanBeSkipped() throws IOException {
    Path file = file("h.csv", samples(12, true), true);
    Files.writeString(file, Files.readString(file) + "1e200,2,low\n");
    Result refused = run(file, "--scaling", "none");
    assertEquals(1, refused.code);
    assertTrue(
        refused.err.contains("h.csv:402: column a is 1.0E200, too large (the maximum"),
        refused.err);
    Result skipping = run(file, "--scaling", "none", "--on-bad-row", "skip");
    assertEquals(0, skipping.code, skipping.err);
    assertTrue(
        skipping.err.contains("1 rows could not be learned from, the first: "), skipping.err);
  }

  @Test
  void rowsHeldOutHaveNoRowBefore() throws IOException {
    for (boolean classes : new boolean[] {true, false}) {
      Path learned = file("l.csv", samples(3, classes), classes);
      Path heldOut = file("t.csv", samples(4, classes), classes);
      JsonNode json = json(learned, "--test", heldOut, "--json");
      for (JsonNode node : List.of(json, json.get("window"))) {
        assertFalse(node.has("no_change") || node.has("kappa_t"), node.toString());
        assertEquals(node.get(classes ? "majority" : "mean"), node.get("baseline"));
        assertTrue(
            node.get("baseline_prediction").asText().endsWith("of the rows learned from"),
            "its name");
      }
      String text = run(learned, "--test", heldOut).out;
      assertFalse(text.contains("no-change"), text);
    }
  }

  /** Few mistakes say nothing where one class is rare. */
  @Test
  void whatMistakesMeanWhereAClassIsRare() throws IOException {
    Random random = new Random(5);
    StringBuilder text = new StringBuilder("a,outcome\n");
    int frauds = 0;
    for (int i = 0; i < 4000; i++) {
      boolean fraud = i > 100 && random.nextInt(200) == 0;
      frauds += fraud ? 1 : 0;
      text.append(random.nextGaussian() + (fraud && i % 2 == 0 ? 40 : 0));
      text.append(fraud ? ",fraud\n" : ",fine\n");
    }
    Path file = Files.writeString(folder.resolve("rare.csv"), text);
    JsonNode json = json(file, "--json");
    Result result = run(file, "-q");
    String share = String.format(java.util.Locale.ROOT, "%.2g", 100 * (frauds / 4000.0));
    double recall = json.get("recall").get("fraud").asDouble();
    assertEquals(
        (recall + json.get("recall").get("fine").asDouble()) / 2,
        json.get("balanced_accuracy").asDouble(),
        1e-9);
    assertTrue(
        result.out.contains(
            "fraud is rare ("
                + share
                + " % of the instances): always predicting fine makes "
                + share
                + " % mistakes"),
        result.out);
    String found = String.format(java.util.Locale.ROOT, "avm finds %.1f %% of the fraud", recall);
    assertTrue(result.out.contains(found), found + " in " + result.out);
    assertTrue(result.out.matches("(?s).*fraud +" + frauds + " +[0-9.]+ +[0-9.]+\n.*"), result.out);
    assertTrue(result.out.contains("balanced accuracy (mean recall) "), result.out);
  }

  @Test
  void learnsFromAShareOfTheLabels() throws IOException {
    Path file = file("few.csv", samples(1, true), true);
    JsonNode json = json(file, "--labels", "0.05", "--json");
    assertEquals(ROWS, json.get("instances").asInt());
    int learned = json.get("trained").asInt();
    assertTrue(learned >= 75 && learned <= 75 + 0.0425 * 325, "learned " + learned);
    Result result = run(file, "--labels", "0.05", "-q");
    assertTrue(
        result.out.contains("labels asked for and learned from: " + learned + " of " + ROWS),
        result.out);
    Result refused = run(file, "--labels", "1.5");
    assertEquals(2, refused.code);
    assertTrue(refused.err.contains("--labels must be in (0, 1], was 1.5"), refused.err);
  }
}
