// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.model.SplitTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cells that are learned apart. */
class CellLearnerTest {
  private static final int PLAN_ROWS = 600;

  /** Streams by what is special about them. */
  enum Kind {
    CLASSES,
    REGRESSION,
    /** Rows in sparse form, which a dense scaling makes dense. */
    LISTED,
    /** Rows of more features than one lists. */
    SPARSE
  }

  private static AutoConfig settings(Kind kind) {
    return (kind == Kind.REGRESSION ? Avm.regressor() : Avm.classifier().labels(0, 1))
        .budget(24)
        .estimation(200)
        .config();
  }

  private static FeatureVector row(Kind kind, int i) {
    // Consecutive seeds give nearly the same first number.
    Random random = new Random(0x9E3779B97F4A7C15L * (i + 7));
    double[] x = {8 * random.nextDouble(), 8 * random.nextDouble()};
    return switch (kind) {
      case LISTED -> FeatureVector.sparse(new int[] {0, 1}, x);
      case SPARSE ->
          FeatureVector.sparse(
              new int[] {0, 3, 5 + random.nextInt(4000)}, new double[] {x[0], x[1], 0.1});
      default -> FeatureVector.dense(x);
    };
  }

  private static double target(Kind kind, FeatureVector x) {
    double a = x.get(0);
    double b = x.get(kind == Kind.SPARSE ? 3 : 1);
    return kind == Kind.REGRESSION ? Math.sin(3 * a) * Math.cos(3 * b) : ((int) a + (int) b) % 2;
  }

  private static CellPlan plan(Kind kind, int cells) {
    AutoLearner learner = new AutoLearner(settings(kind));
    List<FeatureVector> rows = IntStream.range(0, PLAN_ROWS).mapToObj(i -> row(kind, i)).toList();
    rows.forEach(x -> learner.learn(x, target(kind, x)));
    return CellPlan.of(learner, rows, cells);
  }

  private static CellLearner[] begun(Kind kind, CellPlan plan) {
    CellLearner[] learners = new CellLearner[plan.size()];
    Arrays.setAll(learners, c -> new CellLearner(plan, settings(kind)));
    for (int i = 0; i < PLAN_ROWS; i++) {
      FeatureVector x = row(kind, i);
      learners[plan.cellOf(x)].begin(x, target(kind, x), 1);
    }
    return learners;
  }

  private static double step(CellLearner[] learners, CellPlan plan, Kind kind, int i) {
    FeatureVector x = row(kind, i);
    return learners[plan.cellOf(x)].predictThenLearn(x, target(kind, x), 1);
  }

  private static Model whole(CellPlan plan, CellLearner[] learners) {
    List<@Nullable Model> models = new ArrayList<>();
    long instances = 0;
    for (CellLearner learner : learners) {
      models.add(learner.model());
      instances += learner.instances();
    }
    return plan.model(models, instances);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsSavedAsAModelAndRoutesAsBefore(Kind kind) throws InvalidModelException {
    CellPlan plan = plan(kind, 8);
    CellPlan read = new CellPlan(ModelFormat.read(ModelFormat.write(plan.model())));
    assertTrue(plan.size() > 4, "cells: " + plan.size());
    assertEquals(plan.size(), read.size());
    boolean[] met = new boolean[plan.size()];
    for (int i = PLAN_ROWS; i < 2 * PLAN_ROWS; i++) {
      FeatureVector x = row(kind, i);
      met[plan.cellOf(x)] = true;
      assertEquals(plan.cellOf(x), read.cellOf(x));
      assertEquals(plan.outer().predict(x), read.model().predict(x));
    }
    assertFalse(Arrays.equals(new boolean[plan.size()], met));
    assertArrayEquals(ModelFormat.write(plan.model()), ModelFormat.write(read.model()));
  }

  @ParameterizedTest
  @EnumSource
  void goesOnBitForBitWhenSavedAndRead(Kind kind) throws InvalidModelException {
    CellPlan plan = plan(kind, 4);
    CellLearner[] learners = begun(kind, plan);
    CellLearner[] saved = begun(kind, plan);
    for (int i = PLAN_ROWS; i < 3000; i++) {
      if (i % 171 == 0) {
        int c = i % saved.length;
        saved[c] = CellLearner.fromBytes(saved[c].toBytes(), plan);
      }
      assertEquals(step(learners, plan, kind, i), step(saved, plan, kind, i));
    }
    for (int c = 0; c < learners.length; c++) {
      assertArrayEquals(learners[c].toBytes(), saved[c].toBytes());
      assertEquals(learners[c].leads(), saved[c].leads());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theWholeModelPredictsAsTheLearnersDo(Kind kind) throws InvalidModelException {
    CellPlan plan = plan(kind, 4);
    CellLearner[] learners = begun(kind, plan);
    for (int i = PLAN_ROWS; i < 4000; i++) {
      step(learners, plan, kind, i);
    }
    Model whole = whole(plan, learners);
    Model read = ModelFormat.read(ModelFormat.write(whole));
    assertTrue(whole.parts().size() > 0, "no cell leads");
    assertEquals(4000, read.provenance().instances());
    for (int i = 4000; i < 4300; i++) {
      FeatureVector x = row(kind, i);
      double said = learners[plan.cellOf(x)].predict(x);
      assertEquals(said, whole.predict(x), 1e-9);
      assertEquals(whole.predict(x), read.predict(x));
    }
    CellPlan again = new CellPlan(read);
    assertArrayEquals(
        ModelFormat.write(plan.outer()),
        ModelFormat.write(again.outer().with(Provenance.here(PLAN_ROWS))));
  }

  @Test
  void theExpertIsThatOfAPlainLoop() throws InvalidModelException {
    CellPlan plan = plan(Kind.CLASSES, 4);
    CellLearner[] learners = begun(Kind.CLASSES, plan);
    AutoLearner plain =
        new AutoLearner(settings(Kind.CLASSES).toBuilder().labels().cells(0).build());
    for (int i = 0; i < 3000; i++) {
      FeatureVector x = row(Kind.CLASSES, i);
      if (plan.cellOf(x) == 1) {
        plain.learn(x, target(Kind.CLASSES, x));
      }
      if (i >= PLAN_ROWS) {
        step(learners, plan, Kind.CLASSES, i);
      }
    }
    byte[] expert = Learner.fromBytes(learners[1].toBytes()).toBytes();
    assertArrayEquals(plain.toBytes(), expert);
    assertEquals(plain.instances(), learners[1].instances());
  }

  @Test
  void takesOverWhereItIsBetterAndOnlyThere() {
    CellPlan plan = plan(Kind.CLASSES, 4);
    CellLearner[] learners = begun(Kind.CLASSES, plan);
    CellLearner idle = new CellLearner(plan, settings(Kind.CLASSES));
    assertNull(idle.model());
    assertEquals(
        "classifier of a cell, the frozen model predicts: 0 instances, 0 core points",
        idle.toString());
    assertEquals(plan.outer().predict(row(Kind.CLASSES, 1)), idle.predict(row(Kind.CLASSES, 1)));
    int wrong = 0;
    int frozen = 0;
    int[] led = new int[plan.size()];
    int[] met = new int[plan.size()];
    for (int i = PLAN_ROWS; i < 9000; i++) {
      FeatureVector x = row(Kind.CLASSES, i);
      boolean late = i >= 6000;
      wrong += step(learners, plan, Kind.CLASSES, i) != target(Kind.CLASSES, x) && late ? 1 : 0;
      frozen += plan.outer().predict(x) != target(Kind.CLASSES, x) && late ? 1 : 0;
      int cell = plan.cellOf(x);
      met[cell] += late ? 1 : 0;
      led[cell] += late && learners[cell].leads() ? 1 : 0;
    }
    assertTrue(wrong < 0.85 * frozen, wrong + " mistakes, the frozen model makes " + frozen);
    assertTrue(Arrays.stream(led).sum() > 0.8 * Arrays.stream(met).sum(), Arrays.toString(led));
    for (int c = 0; c < learners.length; c++) {
      assertTrue(led[c] > 0.5 * met[c], "led " + led[c] + " of " + met[c] + " late rows");
      assertEquals(learners[c].leads(), learners[c].model() != null);
      assertTrue(learners[c].size() <= 24);
    }
  }

  /** Two classes by the sign of a feature, which change places every so many rows. */
  private static double target(FeatureVector x, boolean exchanged) {
    return x.get(0) > 4 == exchanged ? 1 : 0;
  }

  @Test
  void aCellOfFewRowsFollowsLabelsThatChangePlaces() throws InvalidModelException {
    int each = 4 * 150;
    AutoLearner first = new AutoLearner(settings(Kind.CLASSES));
    List<FeatureVector> rows =
        IntStream.range(0, each).mapToObj(i -> row(Kind.CLASSES, i)).toList();
    rows.forEach(x -> first.learn(x, target(x, false)));
    CellPlan plan = CellPlan.of(first, rows, 4);
    AutoConfig settings = Avm.classifier().config();
    CellLearner[] learners = new CellLearner[plan.size()];
    Arrays.setAll(learners, c -> new CellLearner(plan, settings));
    rows.forEach(x -> learners[plan.cellOf(x)].begin(x, target(x, false), 1));
    for (int part = 1; part < 7; part++) {
      int wrong = 0;
      for (int i = part * each; i < (part + 1) * each; i++) {
        FeatureVector x = row(Kind.CLASSES, i);
        int c = plan.cellOf(x);
        double y = target(x, part % 2 == 1);
        learners[c] = i % 7 == 0 ? CellLearner.fromBytes(learners[c].toBytes(), plan) : learners[c];
        wrong += learners[c].predictThenLearn(x, y, 1) != y ? 1 : 0;
      }
      assertTrue(wrong < 0.3 * each, wrong + " mistakes of " + each + " in part " + part);
    }
  }

  @Test
  void refusesWhatDoesNotFitAndStaysAsItWas() {
    CellPlan plan = plan(Kind.CLASSES, 4);
    CellLearner learner = begun(Kind.CLASSES, plan)[0];
    byte[] before = learner.toBytes();
    FeatureVector good = FeatureVector.dense(1, 1);
    FeatureVector bad = FeatureVector.dense(1, Double.NaN);
    FeatureVector wide = FeatureVector.dense(1, 2, 3);
    assertThrows(IllegalArgumentException.class, () -> learner.predictThenLearn(good, 7, 1));
    assertThrows(IllegalArgumentException.class, () -> learner.predictThenLearn(good, 1, -1));
    assertThrows(IllegalArgumentException.class, () -> learner.predictThenLearn(bad, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> learner.begin(wide, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> plan.cellOf(wide));
    assertThrows(IllegalArgumentException.class, () -> plan.cellOf(bad));
    learner.predictThenLearn(good, 1, 0);
    assertArrayEquals(before, learner.toBytes());
    assertThrows(
        IllegalArgumentException.class, () -> new CellLearner(plan, settings(Kind.REGRESSION)));
    assertThrows(IllegalArgumentException.class, () -> new CellPlan(plan.outer()));
    SplitTree tree =
        new SplitTree(2, false, new int[1], new double[1], new int[] {~0}, new int[] {~1});
    Model leaves = plan.outer().with(List.of(new Cells(tree, Arrays.asList(null, null))));
    assertThrows(IllegalArgumentException.class, () -> new CellPlan(leaves));
  }

  @Test
  void readsNoForeignNorDamagedFile() throws InvalidModelException {
    CellPlan plan = plan(Kind.CLASSES, 4);
    CellPlan numbers = plan(Kind.REGRESSION, 4);
    byte[] file = begun(Kind.CLASSES, plan)[0].toBytes();
    assertThrows(InvalidModelException.class, () -> CellLearner.fromBytes(file, numbers));
    byte[] plain = Learner.fromBytes(file).toBytes();
    assertThrows(InvalidModelException.class, () -> CellLearner.fromBytes(plain, plan));
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = Arrays.copyOf(file, i % 3 == 0 ? random.nextInt(file.length) : file.length);
      if (damaged.length == file.length) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      }
      assertThrows(InvalidModelException.class, () -> CellLearner.fromBytes(damaged, plan));
    }
  }
}
