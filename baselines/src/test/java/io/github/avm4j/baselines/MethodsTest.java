// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MethodsTest {
  @Test
  void gridsAreThePapers() {
    assertArrayEquals(
        new double[] {1 / 256.0, 1 / 16.0, 0.25, 1, 4, 16, 256}, Knob.GAMMA.range(10));
    assertArrayEquals(new double[] {16, 8, 4, 2, 0.2, 0.02, 0.002, 0.0002}, Knob.ETA.range(10));
    assertEquals(0x1p-4 / 1000, Knob.LAMBDA.range(1000)[0]);
    assertEquals(0x1p16 / 1000, Knob.LAMBDA.range(1000)[10]);
    assertEquals(0x1p-5, Knob.C.range(1000)[0]);
    assertEquals(0x1p15, Knob.C.range(1000)[10]);
    Method paper = Methods.of("paper", Task.CLASSIFICATION);
    assertEquals(77, paper.grid(Task.CLASSIFICATION, Settings.standard(), 100).size());
    assertEquals(
        1, Methods.of("avm", Task.REGRESSION).grid(Task.REGRESSION, Settings.standard(), 1).size());
  }

  @Test
  void unknownNamesAreAnswered() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Methods.of("linea", Task.CLASSIFICATION))
            .getMessage();
    assertTrue(message.contains("linea") && message.contains("no-change"), message);
    assertEquals("avm-eps", Methods.of("paper", Task.REGRESSION).name());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Methods.of("avm-hinge", Task.REGRESSION).create(Task.REGRESSION, Settings.standard()));
    assertThrows(IllegalArgumentException.class, () -> Settings.standard().with(Knob.ETA, -1));
    assertThrows(IllegalArgumentException.class, () -> Settings.standard().withSizes(1, 1));
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
    for (Method method : Methods.all()) {
      for (Task task : method.tasks()) {
        for (Knob knob : Knob.values()) {
          matters(method, task, s -> s.with(knob, 0.37), method.knobs(task).contains(knob));
        }
      }
    }
  }

  @Test
  void theDiameterMatters() {
    Task classes = Task.CLASSIFICATION;
    matters(Methods.of("avm-hinge", classes), classes, s -> s.withDelta(0.6), true);
  }
}
