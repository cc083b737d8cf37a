// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.DetectorBuilder;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.testing.Streams;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a detector: what it promises on any stream. */
class DetectorTest {
  private static FeatureVector normal(Random random) {
    return FeatureVector.dense(
        random.nextGaussian(), 10 + 3 * random.nextGaussian(), random.nextInt(3));
  }

  private static Detector trained(DetectorBuilder builder, int rows) {
    Detector detector = builder.build();
    Streams.of(11, rows, DetectorTest::normal).forEach(detector::detectThenLearn);
    return detector;
  }

  @Test
  void anAlarmIsFalseForOneNormalInstanceInAHundred() {
    for (boolean protection : new boolean[] {true, false}) {
      for (double level : new double[] {0.01, 0.05}) {
        Detector detector = Avm.detector().alarm(level).protection(protection).build();
        double alarms = 0;
        for (FeatureVector x : Streams.of(5, 40_000, DetectorTest::normal)) {
          alarms += detector.isAlarm(detector.detectThenLearn(x)) ? 1 : 0;
        }
        assertEquals(level, alarms / 40_000, 0.2 * level, protection + " " + level);
      }
    }
  }

  @Test
  void anomaliesAreAlarmsAndSayWhy() {
    Detector detector = trained(Avm.detector(), 3000);
    FeatureVector odd = FeatureVector.dense(0.1, 40, 1);
    assertTrue(detector.isAlarm(detector.pValue(odd)));
    AnomalyExplanation why = detector.explain(odd, 2);
    assertEquals(detector.score(odd), why.score());
    assertEquals(detector.pValue(odd), why.pValue());
    AnomalyExplanation.Feature first = why.features().get(0);
    assertEquals(1, first.index());
    assertEquals(40, first.value());
    assertEquals(10, first.expected(), 3);
    assertTrue(first.share() > 0.9, "share " + first.share());
    assertEquals(2, why.neighbours().size());
    AnomalyExplanation.Neighbour nearest = why.neighbours().get(0);
    assertTrue(nearest.similarity() >= why.neighbours().get(1).similarity());
    assertTrue(nearest.example().get(1) > 12, "the nearest is large, too: " + nearest);
  }

  @Test
  void resumesBitForBit() throws IOException {
    Detector whole = Avm.detector().budget(64).calibration(200).build();
    Random random = new Random(3);
    for (int t = 0; t < 3000; t++) {
      if (t % 137 == 0) {
        Detector read = Detector.fromBytes(whole.toBytes());
        assertArrayEquals(whole.toBytes(), read.toBytes());
        assertEquals(whole.config(), read.config());
        whole = read;
      }
      if (t == 1000 || t == 1500) {
        whole.feedback(normal(random), t == 1000);
      }
      whole.detectThenLearn(
          t % 50 == 0 ? FeatureVector.dense(9, random.nextDouble(), 0) : normal(random));
    }
    Detector never = Avm.detector().budget(64).calibration(200).build();
    random = new Random(3);
    for (int t = 0; t < 3000; t++) {
      if (t == 1000 || t == 1500) {
        never.feedback(normal(random), t == 1000);
      }
      never.detectThenLearn(
          t % 50 == 0 ? FeatureVector.dense(9, random.nextDouble(), 0) : normal(random));
    }
    assertArrayEquals(never.toBytes(), whole.toBytes());
    assertTrue(never.learned() < never.instances(), "some instances were held back");
  }

  @Test
  void survivesHostileValues() {
    double[] values = {0, -0.0, 1, 1e300, -1e300, Double.MAX_VALUE, 1e-320, Double.NaN, 5, 5, 5};
    Detector detector = Avm.detector().budget(32).calibration(100).build();
    Random random = new Random(8);
    for (int t = 0; t < 20_000; t++) {
      FeatureVector x =
          FeatureVector.dense(
              values[random.nextInt(values.length)],
              t < 10_000 ? 7 : values[random.nextInt(values.length)],
              random.nextGaussian());
      double p = detector.detectThenLearn(x);
      assertTrue(p > 0 && p <= 1, "p " + p);
      assertTrue(Double.isFinite(detector.lastScore()), "score " + detector.lastScore());
      if (t % 1000 == 0) {
        for (AnomalyExplanation.Feature f : detector.explain(x, 3).features()) {
          assertTrue(Double.isFinite(f.expected()) && Double.isFinite(f.contribution()), "" + f);
        }
      }
    }
    assertTrue(detector.size() <= 32);
  }

  @Test
  void refusesWhatDoesNotFit() {
    Detector detector = trained(Avm.detector(), 10);
    FeatureVector infinite = FeatureVector.dense(1, Double.POSITIVE_INFINITY, 0);
    assertThrows(IllegalArgumentException.class, () -> detector.detectThenLearn(infinite));
    FeatureVector small = FeatureVector.dense(1, 2);
    assertThrows(IllegalArgumentException.class, () -> detector.score(small));
    assertThrows(IllegalArgumentException.class, () -> detector.explain(small, 1));
    assertEquals(10, detector.instances());
    FeatureVector none = FeatureVector.dense();
    Detector empty = Avm.detector().build();
    assertThrows(IllegalArgumentException.class, () -> empty.detectThenLearn(none));
    assertThrows(IllegalArgumentException.class, () -> Avm.detector().alarm(0).build());
    assertThrows(IllegalArgumentException.class, () -> Avm.detector().calibration(99).build());
    assertThrows(IllegalArgumentException.class, () -> Avm.detector().features(1 << 30).build());
  }

  /** Features in other units, or shifted, have the same p-values: exactly for powers of two. */
  @Test
  void whatIsRefusedOrOnlyScoredDoesNotFixTheFeatures() {
    Detector detector = Avm.detector().build();
    assertThrows(
        IllegalArgumentException.class,
        () -> detector.detectThenLearn(1, Double.POSITIVE_INFINITY, 3));
    detector.score(1, 2, 3, 4);
    detector.pValue(1);
    assertEquals(0, detector.features());
    detector.detectThenLearn(1, 2);
    assertEquals(2, detector.features());
    assertThrows(IllegalArgumentException.class, () -> detector.score(1, 2, 3));
  }

  @Test
  void unitsAndOriginsDoNotMatter() {
    Detector one = Avm.detector().budget(64).build();
    Detector other = Avm.detector().budget(64).build();
    UnaryOperator<FeatureVector> changed =
        x -> FeatureVector.dense(1024 * x.get(0), 0.125 * x.get(1), 64 * x.get(2));
    Random random = new Random(21);
    for (int t = 0; t < 3000; t++) {
      FeatureVector x = normal(random);
      assertEquals(one.detectThenLearn(x), other.detectThenLearn(changed.apply(x)), "row " + t);
    }
    Detector shifted = trained(Avm.detector(), 0);
    Detector plain = trained(Avm.detector(), 0);
    for (int t = 0; t < 3000; t++) {
      FeatureVector x = normal(random);
      FeatureVector y = FeatureVector.dense(x.get(0) + 3, x.get(1) - 7, x.get(2) + 1);
      assertEquals(plain.detectThenLearn(x), shifted.detectThenLearn(y), 0.02, "row " + t);
    }
  }

  @Test
  void sparseIsAsDense() {
    Detector dense = Avm.detector().build();
    Detector sparse = Avm.detector().features(3).build();
    for (double[] value : Streams.gaussian(2, 1000, 1)) {
      FeatureVector one = FeatureVector.dense(0, value[0], 0);
      FeatureVector other = FeatureVector.sparse(new int[] {1}, value);
      assertEquals(dense.detectThenLearn(one), sparse.detectThenLearn(other));
    }
  }

  /** After a change nearly all is extreme; the detector must not hold everything back for ever. */
  @Test
  void learnsAgainAfterAChange() {
    Detector detector = trained(Avm.detector(), 5000);
    Random random = new Random(31);
    int early = 0;
    int between = 0;
    int late = 0;
    for (int t = 0; t < 12_000; t++) {
      FeatureVector x = FeatureVector.dense(50 + random.nextGaussian(), 200, 7);
      boolean alarm = detector.isAlarm(detector.detectThenLearn(x));
      early += alarm && t < 500 ? 1 : 0;
      between += alarm && t >= 500 && t < 5000 ? 1 : 0;
      late += alarm && t >= 5000 ? 1 : 0;
    }
    assertTrue(early >= 20, early + " alarms at the change");
    assertTrue(early < 200, early + " alarms at the change");
    // Some when the new core points are enough to be measured by each other.
    assertTrue(between < 0.05 * 4500, between + " alarms soon after it");
    assertTrue(late < 0.02 * 7000, late + " alarms after it");
  }

  /** A new kind of row, one in ten, is unusual at first and normal after some thousand rows. */
  @Test
  void aKindThatComesAgainAndAgainBecomesNormal() {
    Detector detector = trained(Avm.detector(), 5000);
    Random random = new Random(17);
    int early = 0;
    int late = 0;
    for (int t = 0; t < 10_000; t++) {
      double noise = random.nextGaussian();
      FeatureVector x = t % 10 == 0 ? FeatureVector.dense(30 + noise, 10, 1) : normal(random);
      boolean alarm = detector.isAlarm(detector.detectThenLearn(x)) && t % 10 == 0;
      early += alarm && t < 1000 ? 1 : 0;
      late += alarm && t >= 3000 ? 1 : 0;
    }
    assertTrue(early > 90, early + " alarms of the first 100");
    assertTrue(late < 20, late + " alarms of the last 700");
  }

  /** As many rows that are unlike each other stay anomalies. */
  @Test
  void rowsThatHaveNothingInCommonStayAnomalies() {
    Detector detector = trained(Avm.detector(), 5000);
    Random random = new Random(18);
    int late = 0;
    for (int t = 0; t < 10_000; t++) {
      FeatureVector odd =
          FeatureVector.dense(
              (random.nextBoolean() ? 1 : -1) * Math.exp(3 + 4 * random.nextDouble()),
              10 + (random.nextBoolean() ? 1 : -1) * Math.exp(4 + 4 * random.nextDouble()),
              random.nextInt(3));
      double p = detector.detectThenLearn(t % 10 == 0 ? odd : normal(random));
      late += detector.isAlarm(p) && t % 10 == 0 && t >= 3000 ? 1 : 0;
    }
    assertTrue(late > 690, late + " alarms of the last 700");
  }

  @Test
  void doesNotLearnWhatItHoldsBack() {
    FeatureVector odd = FeatureVector.dense(30, 10, 1);
    for (boolean protection : new boolean[] {true, false}) {
      Detector detector = trained(Avm.detector().protection(protection), 3000);
      Random random = new Random(4);
      double last = 0;
      for (int t = 0; t < 3000; t++) {
        double p = detector.detectThenLearn(t % 20 == 0 ? odd : normal(random));
        last = t % 20 == 0 ? p : last;
      }
      assertEquals(protection, detector.isAlarm(last), "p " + last);
      assertEquals(protection, detector.learned() <= detector.instances() - 150);
    }
  }

  @Test
  void feedbackChangesLaterScores() {
    Detector detector = trained(Avm.detector(), 3000);
    FeatureVector usual = FeatureVector.dense(0, 10, 1);
    FeatureVector odd = FeatureVector.dense(8, 30, 1);
    double before = detector.score(FeatureVector.dense(0.01, 10, 1));
    assertFalse(detector.isAlarm(detector.pValue(usual)));
    assertTrue(detector.isAlarm(detector.pValue(odd)));
    detector.feedback(usual, true);
    detector.feedback(odd, false);
    assertTrue(detector.isAlarm(detector.pValue(usual)));
    assertFalse(detector.isAlarm(detector.pValue(odd)));
    assertTrue(detector.score(FeatureVector.dense(0.01, 10, 1)) > before, "those like it, too");
  }

  /** The newest word on an instance counts, also where older ones had to make room. */
  @Test
  void feedbackCanBeCorrectedAtAnyTime() {
    Detector detector = trained(Avm.detector(), 3000);
    FeatureVector odd = FeatureVector.dense(8, 30, 1);
    for (int i = 0; i < 130; i++) {
      detector.feedback(odd, i % 2 == 0);
      assertEquals(i % 2 == 0, detector.isAlarm(detector.pValue(odd)), "word " + i);
    }
  }

  /** A spike after 150 values between 4 and 6 has the largest score so far, whatever the seed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aSpikeRaisesTheScore(long seed) {
    Detector detector = Avm.detector().seed(seed).build();
    Random random = new Random(seed);
    double largest = Double.NEGATIVE_INFINITY;
    for (int t = 0; t < 150; t++) {
      detector.detectThenLearn(FeatureVector.dense(4 + 2 * random.nextDouble()));
      largest = t < 50 ? largest : Math.max(largest, detector.lastScore());
    }
    double p = detector.detectThenLearn(FeatureVector.dense(41));
    assertTrue(detector.lastScore() > 2 * largest, detector.lastScore() + " after " + largest);
    assertTrue(detector.isAlarm(p), "p " + p);
  }

  /**
   * After constant data any change is an alarm, but a mild one: the p-value of a small change is
   * not that of a large one, and once a person said that it is normal, it is no alarm.
   */
  @Test
  void aTinyChangeAfterConstantDataIsAMildAnomaly() {
    Detector detector = Avm.detector().build();
    for (int t = 0; t < 1000; t++) {
      assertEquals(1, detector.detectThenLearn(FeatureVector.dense(5, 10, 2)));
    }
    FeatureVector one = FeatureVector.dense(5, 10, 3);
    FeatureVector all = FeatureVector.dense(6, 11, 3);
    assertTrue(detector.isAlarm(detector.pValue(one)));
    assertTrue(detector.score(all) > 1.5 * detector.score(one), "more changes, larger score");
    assertEquals(2, detector.explain(one, 1).features().get(0).index());
    assertEquals(2, detector.explain(one, 1).features().get(0).expected());
    detector.feedback(one, false);
    assertFalse(detector.isAlarm(detector.pValue(one)));
    assertTrue(detector.isAlarm(detector.pValue(all)));
  }

  @Test
  void everySettingMatters() {
    byte[] plain = trained(Avm.detector(), 3000).toBytes();
    DetectorBuilder[] others = {
      Avm.detector().gamma(2),
      Avm.detector().budget(100),
      Avm.detector().forgetting(0.99),
      Avm.detector().alarm(0.1),
      Avm.detector().calibration(500),
      Avm.detector().protection(false),
      Avm.detector().seed(2)
    };
    Detector first = trained(Avm.detector(), 3000);
    Random random = new Random(6);
    double[] differences = new double[others.length];
    for (int i = 0; i < others.length; i++) {
      Detector other = trained(others[i], 3000);
      for (int t = 0; t < 300; t++) {
        FeatureVector x = t % 30 == 0 ? FeatureVector.dense(30, 10, 1) : normal(random);
        differences[i] += Math.abs(other.pValue(x) - first.pValue(x));
      }
      assertTrue(differences[i] > 0, "setting " + i);
    }
    assertNotEquals(0, plain.length);
  }

  @Test
  void allocatesNothingOnceTheSampleIsFull() {
    Detector detector = trained(Avm.detector().budget(64).calibration(200), 2000);
    List<FeatureVector> rows = Streams.of(9, 256, DetectorTest::normal);
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < 12 && least >= 1e-3; round++) {
      long before = Allocation.soFar();
      for (int t = 0; t < 50_000; t++) {
        detector.detectThenLearn(rows.get(t % 256));
      }
      least = Math.min(least, (Allocation.soFar() - before) / 50_000.0);
    }
    assertTrue(least < 1, least + " bytes per instance");
  }
}
