// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.TestModels;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HindsightTest {
  private static ServedModel model(RowModel rows, long version) {
    Arrival arrival = new Arrival("m", "", version, "test", Instant.EPOCH);
    return new ServedModel(arrival, rows, "d", 1, Instant.EPOCH);
  }

  private static Verdicts.Summary summary(Hindsight hindsight) {
    Verdicts verdicts = hindsight.of("m");
    assertNotNull(verdicts);
    return verdicts.summary();
  }

  @Test
  void answersAreJudgedOnceAndStrangersCounted() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    Hindsight hindsight = new Hindsight();
    assertNull(hindsight.of("m"));
    hindsight.remember("a", people, new Answer(0, 1, null));
    hindsight.remember("b", people, new Answer(1, 1, null));
    hindsight.judge("a", people.className(0), 0);
    hindsight.judge("a", people.className(1), 0);
    hindsight.judge("b", people.className(0), 0);
    hindsight.judge("c", people.className(0), 0);
    assertEquals(2, summary(hindsight).judged());
    assertEquals(1, summary(hindsight).loss());
    assertEquals(0.5, summary(hindsight).error());
    assertEquals(2, hindsight.unmatched(), "a second label and one of an unknown id");
  }

  @Test
  void memoryIsBoundedAndForgetsTheOldest() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    Hindsight hindsight = new Hindsight();
    int answers = 3 * Hindsight.PLACES;
    for (int k = 0; k < answers; k++) {
      hindsight.remember("row-" + k, people, new Answer(0, 1, null));
    }
    for (int k = 0; k < answers; k++) {
      hindsight.judge("row-" + k, people.className(0), 0);
    }
    long judged = summary(hindsight).judged();
    assertTrue(judged <= Hindsight.PLACES, "judged " + judged);
    assertTrue(judged > 0.99 * Hindsight.PLACES, "judged " + judged);
    assertEquals(answers, judged + hindsight.unmatched());
  }

  @Test
  void whileFewWaitNoneIsLost() throws Exception {
    ServedModel people = model(TestModels.people(2), 7);
    Hindsight hindsight = new Hindsight();
    for (int k = 0; k < 500_000; k++) {
      hindsight.remember("day-" + k / 48 + "/" + k % 48, people, new Answer(0, 1, null));
      int old = k - 200;
      if (old >= 0) {
        hindsight.judge("day-" + old / 48 + "/" + old % 48, people.className(0), 0);
      }
    }
    assertEquals(0, hindsight.unmatched());
  }

  @Test
  void theCurveHoldsEveryVerdictHoweverLongItGets() {
    for (boolean regression : new boolean[] {false, true}) {
      Verdicts verdicts = new Verdicts(regression);
      Random random = new Random(5);
      double sum = 0;
      for (int k = 0; k < 50 * 120 * 8; k++) {
        double loss = regression ? random.nextDouble() : random.nextInt(2);
        sum += loss;
        verdicts.add(loss, k);
      }
      Verdicts.Summary all = verdicts.summary();
      List<Verdicts.Point> points = all.points();
      assertTrue(points.size() >= 60 && points.size() <= 120, points.size() + " points");
      assertEquals(all.judged(), points.get(points.size() - 1).judged());
      double again = 0;
      long before = 0;
      for (Verdicts.Point point : points) {
        double mean = regression ? point.error() * point.error() : point.error();
        again += mean * (point.judged() - before);
        before = point.judged();
        assertEquals(point.judged() - 1, point.version(), "the version of its last answer");
      }
      assertEquals(sum, again, 1e-6);
      assertEquals(sum, all.loss(), 1e-9 * sum);
    }
  }
}
