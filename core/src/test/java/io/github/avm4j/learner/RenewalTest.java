// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.InvalidModelException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the default learner does when a stream changes abruptly. */
class RenewalTest {
  private static final int CHANGE = 5000;

  private static AutoConfig.Builder<AutoLearner> builder(Task task) {
    return (task == Task.REGRESSION ? Avm.regressor() : Avm.classifier()).budget(64);
  }

  /** Row t: before the change other features decide than after it, on another scale. */
  private static FeatureVector row(long t) {
    Random random = new Random(t);
    return FeatureVector.dense(random.doubles(4, 0, 4).toArray());
  }

  private static double target(Task task, FeatureVector x, boolean changed) {
    double a = x.get(changed ? 2 : 0);
    double b = x.get(changed ? 3 : 1);
    if (task == Task.REGRESSION) {
      return changed ? 5 * Math.sin(a) : Math.cos(a) + b;
    }
    return a > 2 == b > 2 ? 1 : !changed && a > 3 ? 2 : 0;
  }

  /** Learns rows of the stream and returns the mean loss. */
  private static double learn(Learner learner, Task task, int from, int to) {
    double sum = 0;
    for (int t = from; t < to; t++) {
      FeatureVector x = row(t);
      double y = target(task, x, t >= CHANGE);
      double miss = learner.predictThenLearn(x, y, 1, new double[0]) - y;
      sum += task == Task.REGRESSION ? miss * miss : miss == 0 ? 0 : 1;
    }
    return sum / (to - from);
  }

  @ParameterizedTest
  @EnumSource
  void aFreshLearnerTakesOverAfterAChange(Task task) {
    AutoLearner learner = builder(task).build();
    learn(learner, task, 0, CHANGE);
    assertEquals(0, learner.renewals());
    learn(learner, task, CHANGE, CHANGE + 4000);
    assertTrue(learner.renewals() > 0, "not renewed");
    assertEquals(CHANGE + 4000, learner.instances());
    assertEquals(CHANGE + 4000, learner.snapshot().provenance().instances());
    AutoLearner fresh = builder(task).build();
    learn(fresh, task, CHANGE, CHANGE + 4000);
    double own = learn(learner, task, CHANGE + 4000, CHANGE + 5000);
    double ideal = learn(fresh, task, CHANGE + 4000, CHANGE + 5000);
    // There is no noise: of the errors of a regression, hundred-thousandths of the variance remain.
    // Of a classification, ten mistakes in 1,000 rows have a standard error of three.
    double bound = 1.2 * ideal + (task == Task.REGRESSION ? 1e-4 : 3e-3);
    assertTrue(own <= bound, own + " in the stream, " + ideal + " from the change on");
    AutoLearner never = builder(task).forgetting(1).build();
    learn(never, task, 0, CHANGE + 4000);
    double without = learn(never, task, CHANGE + 4000, CHANGE + 5000);
    assertTrue(without > 2 * bound, without + " without a fresh learner, bound " + bound);
  }

  @ParameterizedTest
  @EnumSource
  void goesOnAfterSavingAsIfItHadNeverStopped(Task task) throws InvalidModelException {
    AutoLearner learner = builder(task).build();
    learn(learner, task, 0, CHANGE);
    boolean challenged = false;
    for (int t = CHANGE; t < CHANGE + 2000; t += 80) {
      AutoLearner restored = (AutoLearner) Learner.fromBytes(learner.toBytes());
      assertEquals(learner.settings(), restored.settings());
      learn(learner, task, t, t + 80);
      learn(restored, task, t, t + 80);
      assertArrayEquals(learner.toBytes(), restored.toBytes(), "at " + t);
      double error = Math.abs(learner.modelBytes() - learner.toBytes().length);
      assertTrue(error <= Math.max(1024, 0.02 * learner.modelBytes()), error + " bytes off");
      challenged |= learner.renewals() > 0;
    }
    assertTrue(challenged, "no challenger to save");
  }

  /** The challenger's labels become indexes with those of the others. */
  @Test
  void relabelledItGoesOnAlike() throws InvalidModelException {
    AutoLearner learner = Avm.classifier().build();
    Random random = new Random(8);
    Learner indexed = null;
    for (int t = 0; t < 6000; t++) {
      FeatureVector x = FeatureVector.dense(random.nextGaussian(), random.nextGaussian());
      int place = (x.get(0) > 0) == (t < 3000) ? 0 : 1;
      boolean challenged =
          learner.contests().stream()
              .anyMatch(one -> one.subject().equals("renewal") && !one.challengers().isEmpty());
      if (indexed == null && t > 3000 && challenged) {
        indexed = Relabelling.read(learner.toBytes());
      }
      double was = learner.predictThenLearn(x, place == 0 ? 7 : -3, 1);
      if (indexed != null) {
        int index = learner.label(0) == 7 ? place : 1 - place;
        double now = indexed.predictThenLearn(x, index, 1);
        assertEquals(was, learner.label((int) now), "row " + t);
      }
    }
    assertNotNull(indexed, "no challenger to save");
    assertTrue(learner.renewals() > 0);
  }

  /** Class 2 is gone after the change; it stays known, in its place. */
  @Test
  void classesStayInTheirPlaces() {
    AutoLearner learner = builder(Task.CLASSIFICATION).build();
    learn(learner, Task.CLASSIFICATION, 0, CHANGE);
    double[] labels = {learner.label(0), learner.label(1), learner.label(2)};
    learn(learner, Task.CLASSIFICATION, CHANGE, CHANGE + 3000);
    assertTrue(learner.renewals() > 0, "not renewed");
    assertEquals(3, learner.classes());
    assertArrayEquals(labels, new double[] {learner.label(0), learner.label(1), learner.label(2)});
  }

  @Test
  void merelyNoisyStreamsDoNotRenew() {
    for (int seed = 1; seed <= 3; seed++) {
      AutoLearner learner = Avm.classifier().budget(32).build();
      Random random = new Random(seed);
      for (int t = 0; t < 15_000; t++) {
        double[] x = {random.nextGaussian(), random.nextGaussian()};
        boolean noise = random.nextInt(4) == 0;
        learner.learn(x, (x[0] * x[1] > 0) != noise ? 1 : 0);
      }
      assertEquals(0, learner.renewals(), "seed " + seed);
    }
  }

  /** Row t of two classes by the sign of a feature, which change places at {@code change}. */
  private static boolean exchanged(Learner learner, int t, int change) {
    Random random = new Random(31L * t);
    double[] x = {random.nextGaussian(), random.nextGaussian()};
    double y = (x[0] > 0) == (t < change) ? 1 : 0;
    return learner.predictThenLearn(FeatureVector.dense(x), y, 1, new double[0]) != y;
  }

  @ParameterizedTest
  @ValueSource(ints = {600, 3000})
  void exchangedLabelsAreLearnedWithinTensOfInstances(int change) throws InvalidModelException {
    Learner learner = Avm.classifier().build();
    int late = 0;
    for (int t = 0; t < change + 150; t++) {
      boolean wrong = exchanged(learner, t, change);
      late += wrong && t >= change + 50 ? 1 : 0;
      if (t >= change && t % 3 == 0) {
        byte[] file = learner.toBytes();
        learner = Learner.fromBytes(file);
        assertArrayEquals(file, learner.toBytes(), "at " + t);
      }
    }
    assertEquals(1, ((AutoLearner) learner).renewals());
    assertTrue(late <= 12, late + " mistakes in the 100 instances from the 50th on");
  }

  @Test
  void savingChangesNothingAfterASuddenRise() throws InvalidModelException {
    AutoLearner learner = Avm.classifier().build();
    Learner saved = Avm.classifier().build();
    for (int t = 0; t < 800; t++) {
      assertEquals(exchanged(learner, t, 600), exchanged(saved, t, 600), "at " + t);
      saved = t % 4 == 0 ? Learner.fromBytes(saved.toBytes()) : saved;
    }
    assertArrayEquals(learner.toBytes(), saved.toBytes());
    assertEquals(1, learner.renewals());
  }

  @ParameterizedTest
  @EnumSource
  void noisyStreamsDoNotRenewWithinTheEstimation(Task task) {
    for (int seed = 1; seed <= 40; seed++) {
      AutoLearner learner = builder(task).build();
      Random random = new Random(seed);
      double noise = seed % 4 * 0.1;
      for (int t = 0; t < 990; t++) {
        double[] x = {random.nextGaussian(), random.nextGaussian()};
        boolean wrong = random.nextDouble() < noise;
        double y = (x[0] > 0) != wrong ? 1 : 0;
        learner.learn(x, task == Task.REGRESSION ? x[0] + random.nextGaussian() : y);
      }
      assertEquals(0, learner.renewals(), "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatBoundsItIsKeptTo(boolean memory) {
    AutoConfig.Builder<AutoLearner> builder = builder(Task.CLASSIFICATION);
    AutoLearner learner = (memory ? builder.memory(1 << 20) : builder.forgetting(1)).build();
    learn(learner, Task.CLASSIFICATION, 0, CHANGE + 3000);
    assertEquals(0, learner.renewals());
  }
}
