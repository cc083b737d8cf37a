// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.paper.WhenFull;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real data: sizes and prequential errors over three permutations are what they were measured. */
class KnownNumbersTest {

  /** What three permutations gave. */
  private record Outcome(List<Integer> sizes, double meanError) {
    void eachSizeWithin(int low, int high) {
      assertTrue(sizes.stream().allMatch(s -> low <= s && s <= high), "sizes " + sizes);
    }
  }

  private static Outcome prequential(
      String name, AvmConfig.Builder<KernelLearner> builder, List<Instance> rows) {
    List<Integer> sizes = new ArrayList<>();
    List<Double> errors = new ArrayList<>();
    for (int seed = 1; seed <= 3; seed++) {
      Integer[] order = new Integer[rows.size()];
      Arrays.setAll(order, i -> i);
      Collections.shuffle(Arrays.asList(order), new Random(seed));
      Learner learner = builder.build();
      boolean classifies = learner.task() == Task.CLASSIFICATION;
      double sum = 0;
      for (int i : order) {
        Instance row = rows.get(i);
        double answer = learner.predict(row.x());
        double error = answer - row.y();
        sum += classifies ? (error == 0 ? 0 : 1) : error * error;
        learner.learn(row.x(), row.y());
      }
      sizes.add(learner.size());
      errors.add(classifies ? sum / rows.size() : Math.sqrt(sum / rows.size()));
    }
    boolean classifies = builder.build().task() == Task.CLASSIFICATION;
    double mean = errors.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    System.out.printf(
        "%s: core points %s, %s %s, mean %.4f; %s answer %.4f%n",
        name,
        sizes,
        classifies ? "mistakes" : "RMSE",
        errors.stream().map(e -> "%.4f".formatted(e)).toList(),
        mean,
        classifies ? "majority" : "mean",
        classifies ? majorityMistakes(rows) : deviation(rows));
    return new Outcome(sizes, mean);
  }

  private static double majorityMistakes(List<Instance> rows) {
    Map<Double, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row.y(), 1, Integer::sum));
    return 1 - (double) Collections.max(counts.values()) / rows.size();
  }

  private static double deviation(List<Instance> rows) {
    double mean = rows.stream().mapToDouble(Instance::y).average().orElseThrow();
    return Math.sqrt(
        rows.stream().mapToDouble(r -> (r.y() - mean) * (r.y() - mean)).average().orElseThrow());
  }

  @Test
  void a9a() {
    List<Instance> rows = RealData.libsvm("a9a/a9a", "a9a/a9a.t");
    double n = rows.size();
    Outcome outcome =
        prequential("a9a", Avm.paperClassifier().gamma(0x1p-4).delta(7).lambda(16 / n), rows);
    outcome.eachSizeWithin(130, 145);
    assertEquals(0.172, outcome.meanError, 0.004);
  }

  @Test
  void ijcnn1() {
    List<Instance> rows = RealData.libsvm("ijcnn1/ijcnn1", "ijcnn1/ijcnn1.t");
    Outcome outcome =
        prequential(
            "ijcnn1",
            Avm.paperClassifier()
                .gamma(1)
                .delta(1)
                .lambda(1.786e-5)
                .budget(500)
                .whenFull(WhenFull.REFUSE),
            rows);
    outcome.eachSizeWithin(500, 500);
    assertEquals(0.076, outcome.meanError, 0.004);
  }

  @Test
  @Tag("long")
  void covtype() {
    double[][] table = RealData.csv("covtype/covtype.data", false);
    RealData.minMax(table, 0, 54);
    List<Instance> rows = new ArrayList<>();
    for (double[] row : table) {
      rows.add(Instance.of(row[54], Arrays.copyOf(row, 54)));
    }
    Outcome outcome =
        prequential(
            "covtype",
            Avm.paperClassifier()
                .gamma(16)
                .delta(3)
                .lambda(256.0 / rows.size())
                .labels(1, 2, 3, 4, 5, 6, 7),
            rows);
    outcome.eachSizeWithin(55, 62);
    assertEquals(0.355, outcome.meanError, 0.007);
  }

  @Test
  void casp() {
    double[][] table = RealData.csv("casp/CASP.csv", true);
    RealData.minMax(table, 0, 1);
    RealData.zScore(table, 1, 10);
    List<Instance> rows = new ArrayList<>();
    for (double[] row : table) {
      rows.add(Instance.of(row[0], Arrays.copyOfRange(row, 1, 10)));
    }
    Outcome outcome =
        prequential(
            "casp",
            Avm.paperRegressor()
                .loss(new EpsilonInsensitive(0.1))
                .gamma(0x1p-4)
                .delta(4)
                .lambda(4096.0 / rows.size()),
            rows);
    double size = outcome.sizes.stream().mapToInt(Integer::intValue).average().orElseThrow();
    assertTrue(160 <= size && size <= 172, "mean size " + size);
    assertEquals(0.284, outcome.meanError, 0.006);
  }

  /** {@return what a test in a process of its own needs} */
  static String classPath() {
    return System.getProperty(
        "surefire.test.class.path", System.getProperty("java.class.path", ""));
  }

  /** 39,916 features of text in 64 MB: memory follows the non-zeros. */
  @Test
  void spamFitsInSmallHeap() throws IOException, InterruptedException {
    try (InputStream text = RealData.open("streams/spam.libsvm")) {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-cp",
                  classPath(),
                  SpamInSmallHeap.class.getName())
              .redirectErrorStream(true)
              .start();
      try (OutputStream in = child.getOutputStream()) {
        text.transferTo(in);
      } catch (IOException brokenPipe) {
        System.out.println("the child stopped reading: " + brokenPipe.getMessage());
      }
      String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      System.out.print(said);
      assertEquals(0, child.waitFor(), said);
    }
  }
}
