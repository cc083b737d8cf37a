// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.model.SplitTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files written once and read for ever: see {@link GoldenFiles}. */
class GoldenFilesTest {
  static List<String> names() {
    return GoldenFiles.NAMES;
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/" + name)) {
      assertTrue(in != null, name + " is missing");
      return in.readAllBytes();
    }
  }

  private static Learner learner(String name) throws IOException {
    return Learner.fromBytes(bytes(name + ".avm"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void scoresAreWhatTheyWere(String name) throws IOException {
    Learner learner = learner(name);
    Model model = ModelFormat.read(bytes(name + ".avm"));
    assertEquals(GoldenFiles.rows(name), learner.instances());
    assertEquals(GoldenFiles.rows(name), model.provenance().instances());
    List<String> lines = new String(bytes(name + ".txt"), StandardCharsets.UTF_8).lines().toList();
    List<FeatureVector> probes = GoldenFiles.probes(name);
    assertEquals(probes.size(), lines.size());
    for (int i = 0; i < lines.size(); i++) {
      String[] expected = lines.get(i).split(" ", -1);
      for (Predictor predictor : List.of(model, learner)) {
        double[] scores = new double[Math.max(1, predictor.classes())];
        predictor.scores(probes.get(i), scores);
        assertEquals(expected.length, scores.length);
        // The file's own output; the learner computes its average anew, from larger numbers.
        double tolerance = (predictor == model ? 1e-12 : 1e-9) * largestCoefficient(model);
        for (int j = 0; j < scores.length; j++) {
          assertEquals(Double.parseDouble(expected[j]), scores[j], tolerance, name + " " + i);
        }
      }
    }
  }

  private static double largestCoefficient(Model model) {
    double largest = 0;
    for (int c = 0; c < model.columns(); c++) {
      for (int i = 0; i < model.expansionSize(); i++) {
        largest = Math.max(largest, Math.abs(model.coefficient(c, i)));
      }
    }
    assertTrue(largest > 0.1 && largest < 2_000, "largest coefficient " + largest);
    return largest;
  }

  @ParameterizedTest
  @MethodSource("names")
  void learningGoesOn(String name) throws IOException {
    Learner learner = learner(name);
    FeatureVector probe = GoldenFiles.probes(name).get(0);
    byte[] before = learner.toBytes();
    for (int round = 0; round < 20; round++) {
      for (FeatureVector x : GoldenFiles.probes(name)) {
        learner.learn(x, GoldenFiles.target(name, x));
      }
    }
    assertEquals(GoldenFiles.rows(name) + 400, learner.instances());
    assertFalse(Arrays.equals(before, learner.toBytes()));
    int right = 0;
    for (FeatureVector x : GoldenFiles.probes(name)) {
      double error = learner.predict(x) - GoldenFiles.target(name, x);
      right += Math.abs(error) < 0.5 ? 1 : 0;
    }
    assertTrue(right >= (learner.config().budget() <= 12 ? 8 : 12), right + " of 20 right");
    Learner again = Learner.fromBytes(learner.toBytes());
    assertEquals(learner.score(probe), again.score(probe));
  }

  @ParameterizedTest
  @MethodSource("names")
  void filesAreSmallAndSayWhereTheyComeFrom(String name) throws IOException {
    byte[] file = bytes(name + ".avm");
    assertTrue(file.length < (name.contains("auto") ? 300_000 : 40_000), file.length + " bytes");
    Model model = ModelFormat.read(file);
    assertTrue(model.provenance().library().startsWith("0."), model.provenance().toString());
    assertEquals(name.contains("postings"), model.dimension() > 2048);
    assertTrue(model.size() >= 5, model.toString());
    boolean tree = model.levels().stream().anyMatch(one -> one.partition() instanceof SplitTree);
    assertEquals(name.contains("tree"), tree, "a tree");
  }
}
