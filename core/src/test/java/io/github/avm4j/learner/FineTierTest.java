// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.AutoLearnerBuilder;
import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.auto.MemoryShares;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.FloatModel;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FineTierTest {
  private static final int FINE = 300;

  /** A pattern finer than twenty core points can draw, of two or three classes, or a number. */
  private static double target(FeatureVector x, String task) {
    double a = x.values()[0];
    double b = x.values()[1];
    int square = (int) (6 * a) + (int) (6 * b);
    return switch (task) {
      case "binary" -> square % 2;
      case "multiclass" -> square % 3;
      default -> Math.sin(30 * a) + Math.sin(25 * b);
    };
  }

  private static FeatureVector row(SplittableRandom random) {
    return FeatureVector.dense(random.nextDouble(), random.nextDouble());
  }

  private static AutoLearnerBuilder builder(String task) {
    return (task.equals("number") ? Avm.regressor() : Avm.classifier())
        .estimation(100)
        .budget(20)
        .fine(FINE);
  }

  private static double error(AutoLearner learner, String task, int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double sum = 0;
    for (int t = 0; t < rows; t++) {
      FeatureVector x = row(random);
      double y = target(x, task);
      double miss = learner.predictThenLearn(x, y, 1) - y;
      if (t >= rows / 2) {
        sum += task.equals("number") ? miss * miss : miss == 0 ? 0 : 1;
      }
    }
    return sum / (rows - rows / 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "multiclass", "number"})
  void drawsWhatTheCorePointsCannot(String task) {
    AutoLearner with = builder(task).build();
    AutoLearner without = builder(task).fine(0).build();
    double fine = error(with, task, 12_000, 1);
    double coarse = error(without, task, 12_000, 1);
    System.out.printf("%s: error %.4f with fine points, %.4f without%n", task, fine, coarse);
    assertTrue(fine < 0.6 * coarse, task + ": " + fine + ", without " + coarse);
    assertEquals(FINE, with.fine());
    assertTrue(with.size() > FINE && with.size() <= 20 + FINE, with.size() + " core points");
    assertEquals(0, without.fine());
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "multiclass", "number"})
  void theModelAnswersAsTheLearner(String task) throws InvalidModelException {
    AutoLearner learner = builder(task).build();
    error(learner, task, 8000, 2);
    assertEquals(FINE, learner.fine());
    Model model = learner.snapshot();
    assertEquals(FINE, model.fine());
    Model read = ModelFormat.read(ModelFormat.write(model));
    assertEquals(model.stretch(), read.stretch());
    FloatModel rounded = new FloatModel(model);
    SplittableRandom random = new SplittableRandom(3);
    int classes = Math.max(1, learner.classes());
    for (int t = 0; t < 300; t++) {
      FeatureVector x = row(random);
      double[] expected = new double[classes];
      double[] found = new double[classes];
      learner.scores(x, expected);
      model.scores(x, found);
      assertArrayEquals(expected, found, 1e-9);
      assertEquals(learner.score(x), model.score(x), 1e-9);
      rounded.scores(x, found);
      assertArrayEquals(expected, found, 1e-2);
      read.scores(x, found);
      model.scores(x, expected);
      assertArrayEquals(expected, found, 0, "saved and read");
      assertEquals(model.predict(x), learner.predict(x), 1e-9);
    }
    assertEquals(model.size() - FINE, model.withoutFine().size());
    assertEquals(0, model.withoutFine().fine());
  }

  /** In every phase a learner that was saved ends as one that was not. */
  @Test
  void goesOnWhereItWas() throws InvalidModelException {
    for (String task : List.of("binary", "multiclass", "number")) {
      double forgetting = task.equals("multiclass") ? 0.9998 : 0;
      AutoLearner straight = builder(task).forgetting(forgetting).build();
      AutoLearner stopped = builder(task).forgetting(forgetting).build();
      SplittableRandom random = new SplittableRandom(4);
      boolean gathered = false;
      boolean learned = false;
      for (int t = 0; t < 8000; t++) {
        FeatureVector x = row(random);
        double y = target(x, task);
        straight.learn(x, y);
        stopped.learn(x, y);
        if (t % 111 == 0) {
          gathered |= stopped.engine.fine.set != null && !stopped.engine.fine.learns();
          learned |= stopped.engine.fine.learns() && !stopped.engine.fine.leads();
          stopped = (AutoLearner) Learner.fromBytes(stopped.toBytes());
        }
      }
      assertTrue(gathered && learned && stopped.engine.fine.leads(), task);
      assertArrayEquals(straight.toBytes(), stopped.toBytes());
    }
  }

  /** Where there is nothing to find it gives its room back. */
  @Test
  void isOverWhereItDoesNotPay() throws InvalidModelException {
    AutoLearner learner = builder("binary").scaling(ScalingMode.NONE).build();
    SplittableRandom random = new SplittableRandom(5);
    long most = 0;
    for (int t = 0; t < 60_000 && !learner.engine.fine.over; t++) {
      FeatureVector x = row(random);
      double y = x.values()[0] > 0.5 ? 1 : 0;
      learner.learn(x, random.nextDouble() < 0.3 ? 1 - y : y);
      most = Math.max(most, learner.engine.fine.bytes());
      assertFalse(learner.engine.fine.leads() && t > 50_000, "still answers after " + t);
    }
    assertTrue(most > 0);
    assertTrue(learner.engine.fine.over);
    assertEquals(0, learner.engine.fine.bytes());
    assertEquals(0, learner.snapshot().fine());
    AutoLearner read = (AutoLearner) Learner.fromBytes(learner.toBytes());
    assertTrue(read.engine.fine.over);
  }

  /** When there is no longer anything to know it steps back. */
  @Test
  void stepsBackWhenTheStreamChanges() {
    AutoLearner learner = builder("binary").forgetting(1).build();
    SplittableRandom random = new SplittableRandom(6);
    boolean stepped = false;
    for (int t = 0; t < 40_000; t++) {
      FeatureVector x = row(random);
      learner.learn(x, t < 10_000 ? target(x, "binary") : random.nextInt(2));
      assertTrue(t != 9_999 || learner.engine.fine.leads());
      stepped |= t > 10_000 && !learner.engine.fine.leads();
    }
    assertTrue(stepped, "it answered all the time");
  }

  @Test
  void learnsAnew() {
    AutoLearner learner = builder("binary").forgetting(1).build();
    SplittableRandom random = new SplittableRandom(6);
    double late = 0;
    for (int t = 0; t < 40_000; t++) {
      FeatureVector x = row(random);
      double y = t < 10_000 ? target(x, "binary") : x.values()[0] > 0.5 ? 1 : 0;
      boolean mistake = learner.predictThenLearn(x, y, 1) != y;
      late += t >= 35_000 && mistake ? 1 : 0;
    }
    assertTrue(late / 5000 < 0.05, late / 5000 + " mistakes after the change");
  }

  @Test
  void aClassMayAppearLater() {
    AutoLearner learner = builder("binary").build();
    error(learner, "binary", 8000, 7);
    assertTrue(learner.engine.fine.leads());
    SplittableRandom random = new SplittableRandom(8);
    double late = 0;
    for (int t = 0; t < 8000; t++) {
      FeatureVector x = row(random);
      double y = target(x, "multiclass");
      boolean mistake = learner.predictThenLearn(x, y, 1) != y;
      late += t >= 6000 && mistake ? 1 : 0;
    }
    assertEquals(3, learner.classes());
    assertTrue(learner.engine.fine.leads());
    assertTrue(late / 2000 < 0.3, late / 2000 + " mistakes");
    double[] scores = new double[3];
    double[] expected = new double[3];
    FeatureVector x = row(random);
    learner.snapshot().scores(x, scores);
    learner.scores(x, expected);
    assertArrayEquals(expected, scores, 1e-9);
  }

  @Test
  void itsBytesAreBounded() {
    long memory = 400_000;
    AutoLearner learner = builder("binary").fine(20_000).memory(memory).build();
    SplittableRandom random = new SplittableRandom(9);
    for (int t = 0; t < 20_000; t++) {
      FeatureVector x = row(random);
      learner.learn(x, target(x, "binary"));
      assertTrue(learner.bytes() <= memory, learner.bytes() + " bytes after " + t);
    }
    assertTrue(learner.fine() > 100, learner.fine() + " fine points");
    assertTrue(learner.engine.fine.bytes() <= MemoryShares.engine(learner.engine.config));
  }

  /** Classes that come while points are gathered leave room for fewer. */
  @Test
  void classesTakeItsRoomWhileItGathers() {
    long memory = 400_000;
    AutoLearner learner = builder("binary").fine(20_000).forgetting(1).memory(memory).build();
    SplittableRandom random = new SplittableRandom(17);
    for (int t = 0; t < 6000; t++) {
      FeatureVector x = FeatureVector.dense(random.doubles(20).toArray());
      learner.learn(x, t < 1800 ? random.nextInt(2) : random.nextInt(100));
      assertTrue(learner.bytes() <= memory, learner.bytes() + " bytes after " + t);
    }
  }

  /** Of a thousand dense features there is room for 262 points, whatever was told. */
  @Test
  void manyFeaturesFewPoints() {
    AutoLearner learner = builder("binary").fine(4096).build();
    SplittableRandom random = new SplittableRandom(22);
    for (int t = 0; t < 2500 && !learner.engine.fine.learns(); t++) {
      FeatureVector x = FeatureVector.dense(random.doubles(1000).toArray());
      learner.learn(x, random.nextInt(2));
    }
    assertTrue(learner.engine.fine.learns());
    assertEquals(262, learner.engine.fine.points().size());
  }

  /** Few distinct instances: the gathering ends nevertheless. */
  @Test
  void gatheringEnds() {
    AutoLearner learner = builder("binary").fine(4096).build();
    SplittableRandom random = new SplittableRandom(18);
    for (int t = 0; t < 90_000 && !learner.engine.fine.learns(); t++) {
      double[] x = random.ints(7, 0, 2).asDoubleStream().toArray();
      learner.learn(FeatureVector.dense(x), random.nextDouble() < 0.4 ? 1 - x[0] : x[0]);
      if (learner.engine.fine.over) {
        return;
      }
      assertTrue(
          learner.engine.fine.near == 0 || learner.engine.fine.near > 0.1,
          "mean " + learner.engine.fine.near);
    }
    assertTrue(learner.engine.fine.learns());
  }

  /** A stream of dense and sparse instances keeps to the leader's kind. */
  @Test
  void denseAndSparseInstancesMix() throws InvalidModelException {
    for (boolean denseFirst : new boolean[] {true, false}) {
      AutoLearner learner = builder("binary").scaling(ScalingMode.NONE).build();
      SplittableRandom random = new SplittableRandom(19);
      for (int t = 0; t < 5000; t++) {
        FeatureVector x = row(random);
        boolean dense = t < 990 == denseFirst;
        FeatureVector given = dense ? x : FeatureVector.sparse(new int[] {0, 1}, x.values());
        learner.learn(given, target(x, "binary"));
        if (t % 400 == 0) {
          assertArrayEquals(learner.toBytes(), Learner.fromBytes(learner.toBytes()).toBytes());
        }
      }
      assertEquals(FINE, learner.fine());
    }
  }

  /** The leader's own number of features survives, though the model has more or fewer. */
  @Test
  void declaredFeaturesSurvive() throws InvalidModelException {
    AutoLearner learner = builder("binary").features(1000).build();
    SplittableRandom random = new SplittableRandom(20);
    for (int t = 0; t < 8000; t++) {
      FeatureVector x = row(random);
      learner.learn(FeatureVector.sparse(new int[] {3, 7}, x.values()), target(x, "binary"));
    }
    assertTrue(learner.engine.fine.leads());
    AutoLearner read = (AutoLearner) Learner.fromBytes(learner.toBytes());
    assertEquals(learner.bytes(), read.bytes());
    assertEquals(learner.engine.leader().set.dimension(), read.engine.leader().set.dimension());
    assertEquals(learner.snapshot().dimension(), read.snapshot().dimension());
    assertArrayEquals(learner.toBytes(), read.toBytes());
  }

  @Test
  void classesTakeItsRoom() {
    long memory = 1_000_000;
    AutoLearner learner = builder("binary").fine(20_000).memory(memory).build();
    SplittableRandom random = new SplittableRandom(14);
    for (int t = 0; t < 20_000; t++) {
      FeatureVector x = row(random);
      learner.learn(x, t < 19_000 ? target(x, "binary") : random.nextInt(80));
      assertTrue(learner.bytes() <= memory, learner.bytes() + " bytes after " + t);
      assertTrue(t != 18_999 || learner.engine.fine.leads(), "fine points answer before");
    }
    assertEquals(80, learner.classes());
  }

  /** Fine points may have features that no core point has. */
  @Test
  void farFeaturesOfFinePointsDoNotMoveTheCorePoints() throws InvalidModelException {
    AutoLearner straight = builder("binary").build();
    AutoLearner stopped = builder("binary").build();
    SplittableRandom random = new SplittableRandom(15);
    for (int t = 0; t < 8000; t++) {
      FeatureVector x = row(random);
      int[] indices = t < 1500 ? new int[] {3, 7} : new int[] {3, 7, 5000};
      double[] values = {x.values()[0], x.values()[1], 0.01};
      FeatureVector sparse = FeatureVector.sparse(indices, values, indices.length);
      straight.learn(sparse, target(x, "binary"));
      stopped.learn(sparse, target(x, "binary"));
      if (t % 777 == 0) {
        stopped = (AutoLearner) Learner.fromBytes(stopped.toBytes());
      }
    }
    assertTrue(straight.engine.fine.leads());
    assertArrayEquals(straight.toBytes(), stopped.toBytes());
  }

  @Test
  void sparseInstancesHaveFinePointsToo() throws InvalidModelException {
    AutoLearner learner = builder("binary").build();
    SplittableRandom random = new SplittableRandom(10);
    for (int t = 0; t < 8000; t++) {
      FeatureVector x = row(random);
      FeatureVector sparse = FeatureVector.sparse(new int[] {3, 5000}, x.values());
      learner.learn(sparse, target(x, "binary"));
    }
    assertEquals(FINE, learner.fine());
    AutoLearner read = (AutoLearner) Learner.fromBytes(learner.toBytes());
    assertArrayEquals(learner.toBytes(), read.toBytes());
  }

  /** What is merged has no fine points: those of one learner do not fit the sum. */
  @Test
  void aMergedLearnerGathersAnew() {
    AutoLearner a = builder("binary").build();
    AutoLearner b = builder("binary").build();
    error(a, "binary", 8000, 11);
    error(b, "binary", 8000, 12);
    AutoLearner merged = (AutoLearner) Merge.of(List.of(a, b));
    assertEquals(0, merged.fine());
    error(merged, "binary", 4000, 13);
    assertEquals(FINE, merged.fine());
    assertEquals(0, Merge.shard(a).fine());
    AutoLearner alone = (AutoLearner) Merge.of(List.of(builder("binary").build(), a));
    assertEquals(FINE, alone.fine());
    SplittableRandom random = new SplittableRandom(16);
    for (int t = 0; t < 100; t++) {
      FeatureVector x = row(random);
      assertEquals(a.score(x), alone.score(x), 1e-6 * (1 + Math.abs(a.score(x))));
    }
  }
}
