// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.CellModels;
import io.github.avm4j.cli.model.ModelFile;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectTest {
  @TempDir Path folder;

  private Path train(String rows, Object... options) throws IOException {
    Path data = Files.writeString(folder.resolve("data.csv"), rows);
    Path model = folder.resolve("m.avm");
    Object[] args = new Object[options.length + 5];
    Object[] fixed = {"train", data, "-m", model, "-q"};
    System.arraycopy(fixed, 0, args, 0, 5);
    System.arraycopy(options, 0, args, 5, options.length);
    assertEquals(0, Avm.run(args).code());
    return model;
  }

  private static JsonNode json(Object... args) throws IOException {
    Avm.Result result = Avm.run(args);
    assertEquals(0, result.code(), result.err());
    return new ObjectMapper().readTree(result.out());
  }

  @Test
  void jsonHasEverything() throws IOException {
    Path model = train(Avm.slope(500, 1));
    JsonNode tree = json("inspect", model, "--json");
    assertEquals("regression", tree.get("task").asText());
    assertEquals("y", tree.get("target").asText());
    assertEquals(Files.size(model), tree.get("bytes").asLong());
    assertEquals(500, tree.get("provenance").get("instances").asLong());
    assertEquals("second-order", tree.get("configuration").get("algorithm").asText());
    assertEquals("l2", tree.get("configuration").get("loss").asText());
    assertEquals("category", tree.get("columns").get(1).get("kind").asText());
    assertEquals(2, tree.get("columns").get(1).get("categories").size());
    assertEquals(Math.min(20, tree.get("core_points").asInt()), tree.get("points").size());
    assertFalse(tree.has("theory"));
    int all = json("inspect", model, "--json", "--all").get("points").size();
    assertEquals(tree.get("core_points").asInt(), all);
  }

  @Test
  void cellsAreShownIfThereAreAny() throws IOException {
    Path file = train(Avm.ring(500, 1));
    assertFalse(json("inspect", file, "--json").has("cells"));
    Model model = CellModels.divide(file).model();
    JsonNode tree = json("inspect", file, "--json", "--all");
    assertEquals(model.size(), tree.get("core_points").asInt());
    assertEquals(model.expansionSize(), tree.get("points").size());
    JsonNode cells = tree.get("cells");
    assertEquals(model.levels().get(1).size(), cells.get("number").asInt());
    assertEquals(model.parts().size(), cells.get("with_a_model").asInt());
    assertEquals(2, cells.get("levels").asInt());
    assertEquals(model.expansionSize(), cells.get("core_points_outside").asInt());
    assertEquals(model.size() - model.expansionSize(), cells.get("core_points_in_cells").asInt());
    String out = Avm.run("inspect", file).out();
    assertTrue(out.contains("\ncells\n  number  "), out);
    assertTrue(out.contains("\n  core points outside        "), out);
  }

  @Test
  void contestsOfTheDefaultLearnerAreShown() throws IOException {
    JsonNode fitted = json("inspect", train(Avm.ring(300, 1)), "--json").get("learning");
    assertEquals("fitted", fitted.get("phase").asText());
    Path file = train(Avm.ring(2500, 1));
    AutoLearner learner = (AutoLearner) ModelFile.learnerIfAny(file);
    JsonNode tree = json("inspect", file, "--json");
    assertEquals("racing", tree.get("learning").get("phase").asText());
    assertEquals(learner.renewals(), tree.get("learning").get("renewals").asLong());
    assertEquals(0, tree.get("learning").get("predicting_cells").asInt());
    AutoLearner.ContestStatus race = learner.contests().get(0);
    JsonNode row = tree.get("contests").get(0);
    assertEquals("kernel", row.get("name").asText());
    assertEquals(race.leader(), row.get("leader").asText());
    assertEquals(1500, row.get("instances").asLong());
    assertEquals(race.loss(), row.get("loss").asDouble());
    assertEquals(race.challengers().get(0).gain(), row.get("gain").asDouble());
    String out = Avm.run("inspect", file).out();
    assertTrue(out.contains("\nlearning\n  phase                      racing\n"), out);
    String line = "\n  kernel              leader " + race.leader() + "  challenger ";
    assertTrue(out.contains("\ncontests" + line), out);
    assertTrue(out.contains("\n  renewal             leader present\n"), out);
    Path paper = train(Avm.ring(300, 1), "--paper");
    assertFalse(json("inspect", paper, "--json").has("contests"));
  }

  @Test
  void namesFromTheDataKeepToTheirLine() throws IOException {
    Path model =
        train("x,c,label\n1,\"p\nq\",\"a\nb\"\n2,\"r,s\",c\n3,\"p\nq\",c\n4,\"r,s\",\"a\nb\"\n");
    String said = Avm.run("inspect", model).out();
    assertTrue(said.contains("classes        a\\nb, c"), said);
    assertTrue(said.contains("p\\nq, \"r,s\""), said);
    String why = Avm.run("explain", model, folder.resolve("data.csv")).out();
    assertTrue(why.contains("\"c=r,s\"=1.000") && why.contains("c=p\\nq=1.000"), why);
    assertTrue(why.contains(": a\\nb  (score"), why);
  }

  @Test
  void corePointsAreInTheDatasOwnUnits() throws IOException {
    Path model = train("x,label\n1000,a\n3000,b\n2000,a\n4000,b\n");
    for (JsonNode point : json("inspect", model, "--json").get("points")) {
      double x = point.get("at").get("x").asDouble();
      assertEquals(Math.rint(x / 1000) * 1000, x, 1e-6);
    }
  }

  @Test
  void largestCoefficientsComeFirst() throws IOException {
    Path model = train(Avm.ring(300, 1));
    double before = Double.POSITIVE_INFINITY;
    for (JsonNode point : json("inspect", model, "--json").get("points")) {
      double size = Math.abs(point.get("coefficients").get(0).asDouble());
      assertTrue(size <= before);
      before = size;
    }
  }

  @Test
  void paperModelsComeWithTheirBounds() throws IOException {
    Path model = train(Avm.ring(300, 1), "--paper", "--gamma", 1, "--delta", 0.5);
    JsonNode theory = json("inspect", model, "--json").get("theory");
    double deltaPhi = Math.sqrt(2 * (1 - Math.exp(-0.25)));
    assertEquals(deltaPhi, theory.get("delta_phi").asDouble(), 1e-12);
    double gap = theory.get("gap_of_approximation").asDouble();
    assertEquals(
        deltaPhi * Math.sqrt(theory.get("M").asDouble() * theory.get("W").asDouble()), gap, 1e-9);
    assertTrue(theory.get("regret_of_uniform_average").asDouble() > gap);
  }

  @Test
  void regressionBoundsNeedTheLargestTarget() throws IOException {
    Path model = train(Avm.slope(300, 1), "--paper", "--output", "suffix");
    assertTrue(Avm.run("inspect", model).out().contains("unknown: set --y-max to the largest |y|"));
    JsonNode theory = json("inspect", model, "--json", "--y-max", 4).get("theory");
    assertTrue(theory.get("regret_of_suffix_average").asDouble() > 0);
  }

  @Test
  void textIsForPeople() throws IOException {
    String out = Avm.run("inspect", train(Avm.ring(300, 1))).out();
    assertTrue(out.startsWith("task           classification\n"), out);
    assertTrue(out.contains("\nconfiguration\n  algorithm "), out);
    assertTrue(out.contains("\npoints\n"), out);
  }
}
