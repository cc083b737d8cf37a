// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Intervals and prediction sets of learners and their models. */
class IntervalsTest {
  private static AutoConfig.Builder<AutoLearner> builder(Task task) {
    return (task == Task.REGRESSION ? Avm.regressor() : Avm.classifier()).budget(32);
  }

  private static FeatureVector row(long t) {
    return FeatureVector.dense(new Random(t).doubles(3).toArray());
  }

  /**
   * Noise grows with the first feature, and many labels are wrong; the stream changes at instance
   * 3000.
   */
  private static double target(Task task, long t) {
    Random random = new Random(~t);
    FeatureVector x = row(t);
    double f = t < 3000 ? 3 * x.get(0) - x.get(1) : 4 * x.get(2);
    double y = f + (0.1 + x.get(0)) * random.nextGaussian();
    if (task == Task.REGRESSION) {
      return y;
    }
    return random.nextInt(10) < 4 ? random.nextInt(3) : y < 0.5 ? 0 : y < 1.5 ? 1 : 2;
  }

  private static void learn(OnlineLearner learner, int from, int to) {
    for (int t = from; t < to; t++) {
      learner.learn(row(t), target(learner.task(), t), 1);
    }
  }

  private static double[] answer(OnlineLearner learner, FeatureVector x, double level) {
    if (learner.task() == Task.CLASSIFICATION) {
      return learner.predictionSet(x, level);
    }
    Interval interval = learner.interval(x, level);
    return new double[] {interval.lower(), interval.upper()};
  }

  private static double[] answer(Model model, FeatureVector x, double level) {
    if (model.task() == Task.CLASSIFICATION) {
      return model.predictionSet(x, level);
    }
    Interval interval = model.interval(x, level);
    return new double[] {interval.lower(), interval.upper()};
  }

  /** Also after an abrupt change. */
  @ParameterizedTest
  @EnumSource
  void theyHoldWhatWasAskedFor(Task task) {
    Prequential run = new Prequential(builder(task).build(), Score.of(task, 1000));
    CoverageScore coverage = run.watchCoverage();
    for (int t = 0; t < 7000; t++) {
      run.step(row(t), target(task, t), 1);
    }
    assertEquals(3, coverage.figures().size());
    for (CoverageScore.Figures figures : coverage.figures()) {
      assertEquals(figures.level(), figures.coverage(), 0.01, figures.toString());
      assertEquals(figures.level(), figures.worst(), 0.05, figures.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void learnerModelAndFilesAgreeAndGoOnBitForBit(Task task) throws InvalidModelException {
    AutoLearner learner = builder(task).build();
    learn(learner, 0, 1500);
    AutoLearner resumed = (AutoLearner) Learner.fromBytes(learner.toBytes());
    Model read = ModelFormat.read(ModelFormat.write(learner.snapshot()));
    for (int t = 5000; t < 5050; t++) {
      for (double level : learner.settings().levels()) {
        double[] expected = answer(learner, row(t), level);
        double[] ofModel = answer(learner.snapshot(), row(t), level);
        assertArrayEquals(expected, ofModel, 1e-9);
        assertArrayEquals(ofModel, answer(read, row(t), level));
        assertArrayEquals(expected, answer(resumed, row(t), level));
      }
    }
    learn(learner, 1500, 2500);
    learn(resumed, 1500, 2500);
    assertArrayEquals(learner.toBytes(), resumed.toBytes());
  }

  @Test
  void theIntervalIsAroundThePrediction() {
    AutoLearner learner = builder(Task.REGRESSION).build();
    learn(learner, 0, 500);
    Model model = learner.snapshot();
    FeatureVector x = row(9999);
    Interval narrow = model.interval(x, 0.8);
    Interval wide = model.interval(x, 0.95);
    assertEquals(model.predict(x), (narrow.lower() + narrow.upper()) / 2, 1e-9);
    assertTrue(wide.lower() < narrow.lower() && narrow.upper() < wide.upper());
  }

  @Test
  void thePredictedClassIsAlwaysInTheSet() {
    AutoLearner learner = builder(Task.CLASSIFICATION).build();
    for (int t = 0; t < 1500; t++) {
      FeatureVector x = row(t);
      double predicted = learner.predict(x);
      double[] set = learner.predictionSet(x, 0.8);
      assertTrue(t == 0 || List.of(boxed(set)).contains(predicted), "at " + t);
      learner.learn(x, target(Task.CLASSIFICATION, t), 1);
    }
  }

  private static Double[] boxed(double[] values) {
    Double[] boxed = new Double[values.length];
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = values[i];
    }
    return boxed;
  }

  @ParameterizedTest
  @EnumSource
  void anInstanceWithoutWeightChangesNothing(Task task) {
    AutoLearner learner = builder(task).build();
    learn(learner, 0, 100);
    byte[] before = learner.toBytes();
    learner.learn(row(100), target(task, 100), 0);
    assertArrayEquals(before, learner.toBytes());
  }

  /** Asking for scores or not makes no difference to the thresholds. */
  @Test
  void scoresAreTheSameWhetherAskedForOrNot() {
    AutoLearner with = builder(Task.CLASSIFICATION).build();
    AutoLearner without = builder(Task.CLASSIFICATION).build();
    double[] scores = new double[4];
    for (int t = 0; t < 1200; t++) {
      with.predictThenLearn(row(t), target(Task.CLASSIFICATION, t), 1, scores);
      without.learn(row(t), target(Task.CLASSIFICATION, t), 1);
    }
    assertArrayEquals(with.toBytes(), without.toBytes());
  }

  @Test
  void levelsAreSetWhenTheLearnerIsBuilt() {
    AutoLearner learner = builder(Task.REGRESSION).levels(0.5, 0.3).build();
    assertEquals(List.of(0.3, 0.5), learner.calibration().levels());
    learn(learner, 0, 50);
    assertTrue(learner.interval(row(1), 0.3).width() < learner.interval(row(1), 0.5).width());
    Throwable e = assertThrows(IllegalArgumentException.class, () -> learner.interval(row(1), 0.9));
    assertTrue(e.getMessage().startsWith("level must be one of [0.3, 0.5], was 0.9"));
    assertThrows(IllegalStateException.class, () -> learner.predictionSet(row(1), 0.5));
    assertThrows(IllegalArgumentException.class, () -> builder(Task.REGRESSION).levels(1).build());
    assertThrows(
        IllegalArgumentException.class, () -> builder(Task.REGRESSION).levels(Double.NaN).build());
  }

  @ParameterizedTest
  @EnumSource
  void withoutLevelsThereIsNothing(Task task) throws InvalidModelException {
    AutoLearner learner = builder(task).levels().build();
    learn(learner, 0, 50);
    assertEquals(List.of(), learner.calibration().levels());
    Model model = learner.snapshot();
    assertThrows(IllegalArgumentException.class, () -> answer(model, row(1), 0.9));
    AutoLearner resumed = (AutoLearner) Learner.fromBytes(learner.toBytes());
    assertEquals(learner.settings(), resumed.settings());
    Learner paper = Avm.paperClassifier().gamma(1).delta(1).lambda(0.1).build();
    assertThrows(IllegalArgumentException.class, () -> paper.predictionSet(row(1), 0.9));
  }

  @ParameterizedTest
  @EnumSource
  void hostileSectionsAreRefused(Task task) {
    AutoLearner learner = builder(task).build();
    learn(learner, 0, 60);
    byte[] file = learner.toBytes();
    int levels = 1;
    int logs = levels + 3 * 8;
    int observed = logs + 3 * 8;
    refused(file, levels, 0.99);
    refused(file, levels + 8, 0.8);
    refused(file, levels + 16, 1);
    refused(file, levels, Double.NaN);
    refused(file, logs, 41);
    refused(file, logs, Double.NaN);
    refused(file, logs, task == Task.CLASSIFICATION ? -1 : -41);
    refused(file, observed, -1.0);
    if (task == Task.REGRESSION) {
      int residuals = observed + 8;
      refused(file, residuals, -1);
      refused(file, residuals + 8, Double.POSITIVE_INFINITY);
      refused(file, residuals + 16, -1);
      refused(file, residuals + 24, -1);
      refused(file, residuals + 24 + 16 * 8, -1);
    }
  }

  private static void refused(byte[] file, int at, double value) {
    byte[] payload = FileForge.payloads(file).get(Sections.CALIBRATION).clone();
    ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).putDouble(at, value);
    byte[] forged = FileForge.with(file, Sections.CALIBRATION, payload);
    assertThrows(InvalidModelException.class, () -> Learner.fromBytes(forged), at + ": " + value);
    assertThrows(InvalidModelException.class, () -> ModelFormat.read(forged), at + ": " + value);
  }
}
