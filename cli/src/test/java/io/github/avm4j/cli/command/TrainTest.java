// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void showsWhatWasFoundAndHowItGoes() throws IOException {
    Path data = file("ring.csv", Avm.ring(600, 1));
    Avm.Result result = Avm.run("train", data, "-m", folder.resolve("m.avm"));
    assertEquals(0, result.code(), result.err());
    List<String> lines = result.err().lines().toList();
    assertEquals(
        "classification (2 classes so far, inferred) of label from 2 number columns (2 features)",
        lines.get(0));
    assertEquals("label: label, by its name; --label NAME takes another", lines.get(1));
    assertEquals("task: classification, because the labels are texts", lines.get(2));
    assertTrue(
        lines
            .get(3)
            .startsWith(
                "self-configuring learner, at most 512 core points and 256 in each of at most 256"
                    + " cells, "),
        lines.get(3));
    assertTrue(lines.get(4).contains("since last"), lines.get(4));
    assertTrue(lines.get(5).matches(" +128 .* -"), lines.get(5));
    assertEquals(5 + 3 + 1, lines.size(), "128, 256, 512, and the end: " + result.err());
    assertTrue(result.out().startsWith("600 rows in "), result.out());
    assertTrue(result.out().contains("(predicting the most frequent class so far: "), result.out());
  }

  @Test
  void theErrorIsThatOfAnEvaluation() throws IOException {
    List<String> lines = Avm.ring(600, 1).lines().toList();
    StringBuilder text = new StringBuilder(lines.get(0)).append(",w\n");
    for (int i = 1; i < lines.size(); i++) {
      text.append(lines.get(i)).append(i % 3 == 0 ? ",5\n" : ",1\n");
    }
    Path data = file("weighted.csv", text.toString());
    Avm.Result trained = Avm.run("train", data, "--weight", "w", "-m", folder.resolve("m.avm"));
    Avm.Result evaluated = Avm.run("evaluate", data, "--weight", "w", "--json");
    double error = new ObjectMapper().readTree(evaluated.out()).get("mistake_rate").asDouble();
    String shown = String.format(Locale.ROOT, "error %.2f %%", error);
    assertTrue(trained.out().contains(shown), shown + ": " + trained.out());
  }

  @Test
  void cellsCanBeLeftOut() throws IOException {
    Path data = file("ring.csv", Avm.ring(300, 1));
    Path model = folder.resolve("m.avm");
    String said = Avm.run("train", data, "-m", model, "--cells", 0).err();
    assertTrue(said.contains("at most 512 core points, logistic loss"), said);
    String small = Avm.run("train", data, "-m", model, "--budget", 100, "--cells", 9).err();
    assertTrue(small.contains("at most 100 core points and 100 in each of at most 9"), small);
    String bounded = Avm.run("train", data, "-m", model, "--memory", 300000).err();
    assertTrue(bounded.contains("at most 512 core points or 300,000 bytes, log"), bounded);
    assertEquals(0, Avm.run("train", data, "-m", model, "--cells", 0, "-q").code());
    byte[] none = Files.readAllBytes(model);
    assertEquals(0, Avm.run("train", data, "-m", model, "--cells", 64, "-q").code());
    assertFalse(Arrays.equals(none, Files.readAllBytes(model)));
  }

  @Test
  void labelsThatTellNothingAreSaid() throws IOException {
    Path one = Files.writeString(folder.resolve("one.csv"), "a,y\n1,yes\n2,yes\n3,yes\n");
    String words = "all labels are 'yes': this model predicts nothing else";
    String said = Avm.run("train", one, "-m", folder.resolve("one.avm")).err();
    assertTrue(said.contains(words), said);
    said = Avm.run("evaluate", one).err();
    assertTrue(said.contains(words), said);
    StringBuilder text = new StringBuilder("a,y\n");
    for (int i = 0; i < 120; i++) {
      text.append(i).append(",k").append(i).append('\n');
    }
    Path many = Files.writeString(folder.resolve("many.csv"), text);
    said = Avm.run("train", many, "-m", folder.resolve("many.avm")).err();
    assertTrue(said.contains("nearly every label is new: 120 classes in 120 rows"), said);
    assertTrue(said.contains("--task regression"), said);
  }

  @Test
  void quietSaysNothing() throws IOException {
    Path data = file("ring.csv", Avm.ring(50, 1));
    Avm.Result result = Avm.run("train", data, "-m", folder.resolve("m.avm"), "-q");
    assertEquals("", result.out() + result.err());
  }

  @Test
  void learnsNumbersAndCategories() throws IOException {
    Path data = file("slope.csv", Avm.slope(2000, 1));
    Avm.Result result = Avm.run("train", data, "-m", folder.resolve("m.avm"));
    assertTrue(
        result.err().startsWith("regression (inferred) of y from 1 number, 1 category [colour]"),
        result.err());
    double rmse = Double.parseDouble(result.out().replaceAll("(?s).*RMSE ([0-9.e-]+) .*", "$1"));
    assertTrue(rmse < 0.3, result.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--paper", "--paper --policy bernoulli --output suffix"})
  void resumeEqualsNeverStopping(String options) throws IOException {
    Path data = file("ring.csv", Avm.ring(1500, 1));
    Path whole = folder.resolve("whole.avm");
    Path parts = folder.resolve("parts.avm");
    train(options, data, "-m", whole);
    train(options, data, "-m", parts, "--limit", 700);
    Avm.Result second = Avm.run("train", data, "--resume", parts, "--skip", 700);
    assertEquals(0, second.code(), second.err());
    assertTrue(second.err().startsWith("resuming after 700 rows"), second.err());
    assertArrayEquals(Files.readAllBytes(whole), Files.readAllBytes(parts));
  }

  private static void train(String options, Object... args) {
    List<Object> all = new ArrayList<>(List.of("train"));
    all.addAll(List.of(args));
    if (!options.isEmpty()) {
      all.addAll(List.of(options.split(" ", -1)));
    }
    Avm.Result result = Avm.run(all.toArray());
    assertEquals(0, result.code(), result.err());
  }

  @Test
  void resumeOfManyClassesKeepsTheirNames() throws IOException {
    Path data = file("a.csv", "x,label\n1,b\n2,a\n3,c\n1.1,b\n");
    Path more = file("b.csv", "x,label\n9,d\n2,a\n");
    Path model = folder.resolve("m.avm");
    Avm.run("train", data, "-m", model, "-q");
    Avm.run("train", more, "--resume", model, "-q");
    Avm.Result inspect = Avm.run("inspect", model);
    assertTrue(inspect.out().contains("classes        b, a, c, d"), inspect.out());
  }

  /** The library names classes by numbers of the user's own, such as −1 and 1. */
  @Test
  void resumeOfLearnerOfTheLibraryKeepsItsLabels() throws IOException {
    Learner learner = io.github.avm4j.Avm.classifier().estimation(100).build();
    Random random = new Random(5);
    StringBuilder more = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      double u = i == 0 ? 1 : random.nextGaussian();
      double v = random.nextGaussian();
      learner.learn(FeatureVector.sparse(new int[] {0, 1}, new double[] {u, v}), u > 0 ? 1 : -1);
      more.append(-u > 0 ? "-1 1:" : "+1 1:").append(u).append(" 2:").append(v).append('\n');
    }
    Path model = folder.resolve("m.avm");
    io.github.avm4j.Avm.save(learner, model);
    Path data = file("more.libsvm", more.toString());
    assertEquals(0, Avm.run("train", data, "--resume", model, "-q").code());
    Avm.Result inspect = Avm.run("inspect", model);
    assertTrue(inspect.out().contains("classes        1, -1"), inspect.out());
    RowLearner resumed = RowLearner.read(Files.readAllBytes(model));
    for (double u : new double[] {-2, -1, 1, 2}) {
      FeatureVector x = FeatureVector.sparse(new int[] {0}, new double[] {u});
      assertEquals(u > 0 ? "1" : "-1", resumed.names().nameOf(resumed.learner().predict(x)));
    }
  }

  @Test
  void paperModeSaysWhatItFound() throws IOException {
    Path data = file("ring.csv", Avm.ring(500, 1));
    Avm.Result found = Avm.run("train", data, "-m", folder.resolve("m.avm"), "--paper");
    assertTrue(found.err().contains("lambda 0.0003000 (inferred), hinge loss"), found.err());
    assertTrue(
        found.err().matches("(?s).*gamma [\\d.]+ \\(inferred\\), delta [\\d.]+ \\(inferred\\).*"),
        found.err());
    assertTrue(found.err().contains("set --gamma, --delta, --lambda to change"), found.err());
    Avm.Result told =
        Avm.run(
            "train",
            data,
            "-m",
            folder.resolve("m.avm"),
            "--paper",
            "--gamma",
            2,
            "--delta",
            0.2,
            "--lambda",
            0.01,
            "--loss",
            "smooth-hinge:0.3",
            "--coverage",
            "rectangle");
    assertEquals(0, told.code(), told.err());
    assertTrue(
        told.err()
            .contains("gamma 2.000, delta 0.2000, lambda 0.01000, smooth-hinge, tau 0.3 loss"),
        told.err());
  }

  @Test
  void huberIsForNumbers() throws IOException {
    Path ring = file("ring.csv", Avm.ring(300, 1));
    Path slope = file("slope.csv", Avm.slope(300, 1));
    Path model = folder.resolve("m.avm");
    Avm.Result classes = Avm.run("train", ring, "-m", model, "--loss", "huber");
    assertEquals(2, classes.code(), classes.err());
    assertTrue(
        classes
            .err()
            .contains("--loss huber is for regression, but these rows are classes: use logistic"),
        classes.err());
    for (String kind : new String[] {"--paper", "--scaling=auto"}) {
      Avm.Result told = Avm.run("train", slope, "-m", model, "--loss=huber:0.25", kind);
      assertEquals(0, told.code(), told.err());
      assertTrue(told.err().contains("huber, threshold 0.25 loss"), told.err());
      assertTrue(Avm.run("inspect", model).out().contains("huber, threshold 0.25"));
    }
  }

  @Test
  void everyPaperOptionChangesTheModel() throws IOException {
    Path data = file("ring.csv", Avm.ring(400, 1));
    Path plain = folder.resolve("plain.avm");
    Avm.run("train", data, "-m", plain, "--paper", "--delta", "0.3", "-q");
    byte[] before = Files.readAllBytes(plain);
    for (String option :
        List.of(
            "--gamma=3",
            "--lambda=0.1",
            "--loss=logistic",
            "--coverage=rectangle",
            "--policy=never",
            "--policy=bernoulli",
            "--policy=confidence",
            "--output=average",
            "--output=suffix",
            "--output=weighted",
            "--budget=5",
            "--seed=2",
            "--when-full=refuse")) {
      Path changed = folder.resolve("changed.avm");
      Avm.Result result =
          Avm.run("train", data, "-m", changed, "--paper", "--delta=0.3", option, "-q");
      assertEquals(0, result.code(), option + result.err());
      assertFalse(Arrays.equals(before, Files.readAllBytes(changed)), option + " does nothing");
    }
  }

  @Test
  void severalFilesAreOneStream() throws IOException {
    Path a = file("a.csv", Avm.ring(100, 1));
    Path b = file("b.csv", Avm.ring(100, 2));
    Avm.Result result = Avm.run("train", a, b, "-m", folder.resolve("m.avm"));
    assertTrue(result.out().startsWith("200 rows in"), result.out());
  }

  @Test
  void badRowsAreSkippedIfTold() throws IOException {
    Path data = file("a.libsvm", "1 1:0.5\n-1 1:x\n1 1:0.25\n");
    assertEquals(1, Avm.run("train", data, "-m", folder.resolve("m.avm")).code());
    Avm.Result result =
        Avm.run("train", data, "-m", folder.resolve("m.avm"), "--on-bad-row", "skip");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.err().contains("1 bad rows skipped, the first: "), result.err());
  }

  @Test
  void standardInputIsAFileToo() throws IOException {
    Path model = folder.resolve("m.avm");
    Avm.Result result = Avm.runWithInput(Avm.ring(100, 1), "train", "-", "-m", model);
    assertEquals(0, result.code(), result.err());
    assertTrue(Files.size(model) > 0);
  }

  @Test
  void wholeNumbersAreClassesUnlessTold() throws IOException {
    Path data = file("a.csv", "x,y\n1,0\n2,1\n3,0\n4,1\n");
    Path model = folder.resolve("m.avm");
    assertTrue(Avm.run("train", data, "-m", model).err().startsWith("classification (2 classes"));
    assertTrue(
        Avm.run("train", data, "-m", model, "--task", "regression")
            .err()
            .startsWith("regression of y"));
    assertTrue(
        Avm.run("train", data, "-m", model, "--label", "1", "--category", "y")
            .err()
            .contains("of x from 1 category [y]"));
  }
}
