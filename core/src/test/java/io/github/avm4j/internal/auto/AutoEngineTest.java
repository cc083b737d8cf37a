// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Laws of the engine, on streams that bring each of its decisions. */
class AutoEngineTest {
  private static final double[] NO_SCORES = {};
  private static final int BUDGET = 40;
  private static final int STEPS = 500;

  private record Row(FeatureVector x, double y) {
    double feature(int j) {
      return x.values()[j];
    }
  }

  /** Boxes of three classes, as a tree has them; each of the next one after the change. */
  private static List<Row> boxes(int rows, int change) {
    Random random = new Random(1);
    List<Row> result = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      double[] x = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
      int box = (int) (4 * x[0]) + (int) (3 * x[1]);
      result.add(new Row(FeatureVector.dense(x), (i < change ? box : box + 1) % 3));
    }
    return result;
  }

  private static List<Row> waves(int rows) {
    Random random = new Random(2);
    List<Row> result = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      double[] x = {random.nextDouble(), random.nextDouble(), random.nextGaussian()};
      result.add(
          new Row(
              FeatureVector.dense(x), Math.sin(9 * x[0]) * x[1] + 0.05 * random.nextGaussian()));
    }
    return result;
  }

  private static AutoEngine engine(Task task) {
    return new AutoEngine(AutoConfig.of(task).toBuilder().budget(BUDGET).build());
  }

  private static double[] predictions(AutoEngine engine, List<Row> rows) {
    return rows.stream()
        .mapToDouble(row -> engine.predictThenLearn(row.x, row.y, 1, NO_SCORES))
        .toArray();
  }

  private static double mistakes(double[] predictions, List<Row> rows, int from, int to) {
    int wrong = 0;
    for (int i = from; i < to; i++) {
      wrong += predictions[i] == rows.get(i).y ? 0 : 1;
    }
    return wrong / (double) (to - from);
  }

  @Test
  void cellsPredictWhereTheyAreBetter() {
    List<Row> rows = boxes(6_000, 6_000);
    AutoEngine engine = engine(Task.CLASSIFICATION);
    double[] predictions = predictions(engine, rows);
    assertTrue(engine.predictingCells() > 3, engine.toString());
    assertTrue(mistakes(predictions, rows, 4_000, 6_000) < 0.06, engine.toString());
  }

  /**
   * What takes long is done in slices: newcomers and weights after rows 300 and 1,000, divisions
   * and their cells after 3,000, weights and challengers after 4,000. A learner saved meanwhile
   * goes on bit for bit, and the old predicts.
   */
  @Test
  void resumesInTheMiddleOfASlice() throws InvalidModelException {
    List<Row> rows = boxes(6_000, 6_000);
    AutoEngine engine = engine(Task.CLASSIFICATION);
    List<AutoEngine> resumed = new ArrayList<>();
    int from = 0;
    for (int at : new int[] {300, 301, 1_000, 1_001, 3_000, 3_001, 3_002, 3_020, 4_000, 4_002}) {
      List<Row> next = rows.subList(from, at);
      double[] expected = predictions(engine, next);
      for (AutoEngine copy : resumed) {
        assertArrayEquals(expected, predictions(copy, next), "before " + at);
        assertArrayEquals(AutoFile.write(engine), AutoFile.write(copy), "state at " + at);
      }
      assertEquals(at <= 1_001, engine.isBeginning(), "entrants are being taught at " + at);
      assertEquals(at > 3_002, engine.cells() == 16, "divisions are made at " + at);
      resumed.add(copy(engine));
      from = at;
    }
    assertTrue(
        engine.evidence().stream().anyMatch(one -> one.rows() == 0 && !one.challenger().isEmpty()),
        "a challenger is being taught: " + engine.evidence());
  }

  private static AutoEngine copy(AutoEngine engine) throws InvalidModelException {
    return AutoFile.read(Sections.read(AutoFile.write(engine)), false);
  }

  @Test
  void renewalFollowsAChange() {
    List<Row> rows = new ArrayList<>();
    for (Row row : boxes(7_000, 7_000)) {
      boolean above = row.feature(0) + row.feature(1) > 1;
      rows.add(new Row(row.x, above == rows.size() < 6_000 ? 1 : 0));
    }
    AutoEngine engine = engine(Task.CLASSIFICATION);
    double[] predictions = predictions(engine, rows);
    assertEquals(1, engine.renewals(), engine.toString());
    assertTrue(mistakes(predictions, rows, 6_500, 7_000) < 0.05, engine.toString());
  }

  @Test
  void numbersAreLearned() {
    List<Row> rows = waves(5_000);
    double[] predictions = predictions(engine(Task.REGRESSION), rows);
    double squares = 0;
    for (int i = 3_000; i < rows.size(); i++) {
      squares += Math.pow(predictions[i] - rows.get(i).y, 2) / 2_000;
    }
    assertTrue(Math.sqrt(squares) < 0.08, "root mean squared error " + Math.sqrt(squares));
  }

  @Test
  void namesOfClassesDoNotMatter() {
    List<Row> rows = boxes(4_000, 3_500);
    DoubleUnaryOperator renamed = label -> 7 - 3 * label;
    List<Row> others = rows.stream().map(r -> new Row(r.x, renamed.applyAsDouble(r.y))).toList();
    double[] expected = predictions(engine(Task.CLASSIFICATION), rows);
    assertArrayEquals(
        Arrays.stream(expected).map(renamed).toArray(),
        predictions(engine(Task.CLASSIFICATION), others));
  }

  @Test
  void orderOfFeaturesHardlyMatters() {
    List<Row> rows = boxes(4_000, 4_000);
    List<Row> turned =
        rows.stream()
            .map(r -> new Row(FeatureVector.dense(r.feature(2), r.feature(0), r.feature(1)), r.y))
            .toList();
    double[] expected = predictions(engine(Task.CLASSIFICATION), rows);
    double[] found = predictions(engine(Task.CLASSIFICATION), turned);
    int same = 0;
    for (int i = 0; i < found.length; i++) {
      same += found[i] == expected[i] ? 1 : 0;
    }
    assertTrue(same > 0.99 * found.length, same + " of " + found.length + " predictions agree");
  }

  @Test
  void sparseRowsAreLearnedAsDenseOnes() {
    List<Row> rows = boxes(2_000, 2_000);
    AutoEngine dense = engine(Task.CLASSIFICATION);
    AutoEngine sparse = engine(Task.CLASSIFICATION);
    int[] all = {0, 1, 2};
    int mistakes = 0;
    for (Row row : rows) {
      mistakes += dense.predictThenLearn(row.x, row.y, 1, NO_SCORES) == row.y ? 0 : 1;
      FeatureVector x = FeatureVector.sparse(all, row.x.values());
      mistakes -= sparse.predictThenLearn(x, row.y, 1, NO_SCORES) == row.y ? 0 : 1;
    }
    assertTrue(Math.abs(mistakes) < 100, mistakes + " mistakes more");
  }

  @Test
  void scoresArePredictionsAndWeightZeroChangesNothing() {
    AutoEngine engine = engine(Task.CLASSIFICATION);
    AutoEngine undisturbed = engine(Task.CLASSIFICATION);
    assertTrue(Double.isNaN(engine.predict(FeatureVector.dense(0, 0, 0))));
    double[] scores = new double[3];
    double[] again = new double[3];
    for (Row row : boxes(4_000, 3_500)) {
      int classes = engine.classes();
      double predicted = engine.predict(row.x);
      engine.scores(row.x, again);
      engine.predictThenLearn(row.x, row.y + 9, 0, NO_SCORES);
      assertEquals(predicted, engine.predictThenLearn(row.x, row.y, 1, scores));
      assertEquals(predicted, undisturbed.predictThenLearn(row.x, row.y, 1, NO_SCORES));
      assertArrayEquals(again, scores);
      for (int c = 0; c < classes; c++) {
        assertTrue(scores[c] <= scores[indexOf(engine, predicted)], "class " + c);
      }
    }
  }

  private static int indexOf(AutoEngine engine, double label) {
    for (int c = 0; c < engine.classes(); c++) {
      if (engine.label(c) == label) {
        return c;
      }
    }
    throw new AssertionError("no class " + label);
  }

  /** The first row decides the form; rows of the other form mean the same. */
  @Test
  void denseRowsAmongSparseOnesAreAsTheirSparseForm() {
    AutoEngine mixed = new AutoEngine(AutoConfig.of(Task.CLASSIFICATION));
    AutoEngine sparse = new AutoEngine(AutoConfig.of(Task.CLASSIFICATION));
    Random random = new Random(5);
    for (int t = 0; t < 1_500; t++) {
      double a = random.nextGaussian();
      double b = random.nextInt(3) == 0 ? 0 : 50 * random.nextDouble();
      double y = a * (b - 20) > 0 ? 1 : 0;
      FeatureVector dense = FeatureVector.dense(a, b, 1);
      FeatureVector same =
          b == 0
              ? FeatureVector.sparse(new int[] {0, 2}, new double[] {a, 1})
              : FeatureVector.sparse(new int[] {0, 1, 2}, new double[] {a, b, 1});
      FeatureVector x = t == 0 || t % 3 == 1 ? same : dense;
      assertEquals(
          sparse.predictThenLearn(same, y, 1, NO_SCORES),
          mixed.predictThenLearn(x, y, 1, NO_SCORES),
          "row " + t);
    }
  }

  /**
   * Of the step's own code. With the Vector API the compiler may box a vector for good, where other
   * tests of the same process have shaped what it inlines; NoAllocationTest measures that.
   */
  @Test
  void aWarmStepAllocatesNothing() {
    assumeTrue(VectorOpsProvider.get().name().equals("scalar"), "needs plain loops");
    AutoEngine engine =
        new AutoEngine(AutoConfig.of(Task.CLASSIFICATION).toBuilder().budget(16).build());
    List<Row> rows = boxes(4_000, 4_000);
    FeatureVector[] vectors = rows.stream().map(Row::x).toArray(FeatureVector[]::new);
    long least = Long.MAX_VALUE;
    // Until rows kept are as many as there is room for, each is an allocation; decisions allocate.
    for (int round = 0; round < 100 && least > 0; round++) {
      for (int from = 0; from < vectors.length; from += STEPS) {
        long before = Allocation.soFar();
        for (int i = from; i < from + STEPS; i++) {
          engine.predictThenLearn(vectors[i], rows.get(i).y, 1, NO_SCORES);
        }
        least = Math.min(least, Allocation.soFar() - before);
      }
    }
    assertEquals(0, least, "bytes in 500 steps");
  }
}
