// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PaperMethodsTest {
  @Test
  void gridsAreThePapers() {
    Method fogd = PaperMethods.of("fogd", Task.CLASSIFICATION);
    assertEquals(56, fogd.grid(Task.CLASSIFICATION, Settings.standard(), 100).size());
  }

  @Test
  void unknownNamesAreAnswered() {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> PaperMethods.of("fogdd", Task.CLASSIFICATION))
            .getMessage();
    assertTrue(message.contains("fogdd") && message.contains("nogd"), message);
    assertEquals("avm-eps", PaperMethods.of("paper", Task.REGRESSION).name());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            PaperMethods.of("bpas", Task.REGRESSION).create(Task.REGRESSION, Settings.standard()));
  }

  private static double[] scores(Method method, Task task, Settings settings) {
    OnlineLearner learner = method.create(task, settings);
    List<Instance> rows =
        learner.task() == Task.CLASSIFICATION
            ? Streams.checkerboard(3, 400, 4)
            : Streams.noisySine(2, 400, 0.1, 4);
    double[] scores = new double[rows.size()];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = learner.score(rows.get(i).x());
      learner.learn(rows.get(i).x(), rows.get(i).y());
    }
    return scores;
  }

  private static void matters(
      Method method, Task task, Function<Settings, Settings> change, boolean does) {
    Settings base = new Settings(8, 0.4, 1e-2, 0.6, 0.3, 20, 50, 5);
    double[] before = scores(method, task, base);
    boolean same = Arrays.equals(before, scores(method, task, change.apply(base)));
    assertEquals(does, !same, method.name() + " " + task);
  }

  @Test
  void everyKnobMattersAndNoOther() {
    for (Method method : PaperMethods.others()) {
      for (Task task : method.tasks()) {
        for (Knob knob : Knob.values()) {
          matters(method, task, s -> s.with(knob, 0.37), method.knobs(task).contains(knob));
        }
      }
    }
  }

  @Test
  void sizesAndSeedsMatter() {
    Task classes = Task.CLASSIFICATION;
    for (String name :
        List.of(
            "avm-budget",
            "rbp",
            "forgetron",
            "projectron",
            "projectron++",
            "bpas",
            "bogd",
            "nogd",
            "bsgd-m",
            "bsgd-r")) {
      Method method = PaperMethods.of(name, classes);
      matters(method, classes, s -> s.withSizes(15, 50), true);
      matters(method, classes, s -> s.withSizes(20, 51), false);
    }
    matters(PaperMethods.of("fogd", classes), classes, s -> s.withSizes(20, 51), true);
    for (String name : List.of("rbp", "bogd", "fogd")) {
      matters(PaperMethods.of(name, classes), classes, s -> s.withSeed(6), true);
    }
  }
}
