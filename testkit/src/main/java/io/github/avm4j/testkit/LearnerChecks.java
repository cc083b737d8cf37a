// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Predictor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * The contract of every online learner, as tests: {@code LearnerChecks.all(() -> builder.build())};
 * a {@link Learner} is asked for its bytes and its model too. The supplier gives a fresh, equally
 * configured learner at each call. What a learner cannot pass is named by an {@link Exemption}.
 */
public final class LearnerChecks {
  private static final int FEATURES = 3;
  private static final int STEPS = 600;

  /** Most of a baseline's error that a learner may have; the weakest method has 0.91. */
  private static final double LEARNED = 0.95;

  /** Share of an error that rounding may make. */
  private static final double SAME = 0.05;

  private final Supplier<? extends OnlineLearner> fresh;
  private final List<Instance> rows;
  private final boolean classifies;
  private final double tolerance;

  private LearnerChecks(Supplier<? extends OnlineLearner> fresh, double tolerance) {
    this.tolerance = tolerance;
    this.fresh = fresh;
    OnlineLearner learner = fresh.get();
    classifies = learner.task() == Task.CLASSIFICATION;
    int told = learner instanceof Learner configured ? configured.config().features() : 0;
    int d = told == 0 ? FEATURES : told;
    int classes = Math.max(3, learner.classes());
    rows =
        classifies
            ? Streams.recurringDrift(classes, d, STEPS, 11)
            : Streams.noisySine(d, STEPS, 0.1, 11);
  }

  /**
   * One test a check.
   *
   * @param fresh makes a learner that has seen nothing
   * @param exemptions checks that do not apply, with reasons
   * @return the tests, one per check
   */
  public static Stream<DynamicTest> all(
      Supplier<? extends OnlineLearner> fresh, Exemption... exemptions) {
    // A Newton step multiplies the rounding of a distance by the condition of the Gram matrix.
    boolean newton =
        fresh.get() instanceof Learner learner && learner.config() instanceof SecondOrderConfig;
    return all(fresh, newton ? 1e-7 : 1e-9, exemptions);
  }

  /**
   * The same for learners that multiply rounding.
   *
   * @param fresh makes a learner that has seen nothing
   * @param tolerance how far the answers to dense and sparse vectors may differ
   * @param exemptions checks that do not apply, with reasons
   * @return the tests, one per check
   */
  public static Stream<DynamicTest> all(
      Supplier<? extends OnlineLearner> fresh, double tolerance, Exemption... exemptions) {
    Map<String, Executable> checks = new LearnerChecks(fresh, tolerance).checks();
    for (Exemption exemption : exemptions) {
      Executable check = checks.remove(exemption.check());
      assertTrue(check != null, "no such check: " + exemption.check());
      checks.put(
          exemption.check() + " (exempt: " + exemption.reason() + ")",
          () -> assertThrows(Throwable.class, check, "an exemption that is not needed"));
    }
    return checks.entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(entry.getKey(), entry.getValue()));
  }

  private Map<String, Executable> checks() {
    Map<String, Executable> checks = new LinkedHashMap<>();
    checks.put("predicts before learning", this::predictsBeforeLearning);
    checks.put("learns", this::learns);
    checks.put("predict changes nothing", this::predictChangesNothing);
    checks.put("input is neither kept nor changed", this::inputIsNeitherKeptNorChanged);
    checks.put("same seed, same bits", this::sameSeedSameBits);
    checks.put("dense equals sparse", this::denseEqualsSparse);
    checks.put("zero weight changes nothing", this::zeroWeightChangesNothing);
    checks.put("weight matters", this::weightMatters);
    checks.put("bad values are refused", this::badValuesAreRefused);
    checks.put("wrong dimension is refused", this::wrongDimensionIsRefused);
    if (classifies) {
      checks.put("new classes at any time", this::newClassesAtAnyTime);
    }
    if (fresh.get() instanceof Learner) {
      checks.put("columns have no order", this::columnsHaveNoOrder);
      if (classifies) {
        checks.put("labels are names", this::labelsAreNames);
      }
      checks.putAll(new SavedLearnerChecks(() -> (Learner) fresh.get(), rows).checks());
    }
    return checks;
  }

  private OnlineLearner trained(int steps) {
    OnlineLearner learner = fresh.get();
    learn(learner, rows.subList(0, steps));
    return learner;
  }

  /** All that can be asked: the bytes of a learner that has them, otherwise its answers. */
  private byte[] state(OnlineLearner learner) {
    if (learner instanceof Learner saved) {
      return saved.toBytes();
    }
    double[] answers = answers(learner, rows);
    ByteBuffer bytes = ByteBuffer.allocate(8 * answers.length + 20);
    Arrays.stream(answers).forEach(bytes::putDouble);
    bytes.putLong(learner.instances()).putLong(learner.modelBytes()).putInt(learner.size());
    return bytes.array();
  }

  /** The learner and, if it gives one, its model. */
  private static List<Predictor> predictors(OnlineLearner learner) {
    return learner instanceof Learner saved ? List.of(learner, saved.snapshot()) : List.of(learner);
  }

  static void learn(OnlineLearner learner, List<Instance> instances) {
    for (Instance row : instances) {
      learner.learn(row.x(), row.y(), row.weight());
    }
  }

  static double[] answers(Predictor predictor, List<Instance> instances) {
    double[] scores = new double[Math.max(1, predictor.classes())];
    List<Double> all = new ArrayList<>();
    for (Instance row : instances) {
      all.add(predictor.predict(row.x()));
      all.add(predictor.score(row.x()));
      predictor.scores(row.x(), scores);
      Arrays.stream(scores).forEach(all::add);
    }
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private void predictsBeforeLearning() {
    OnlineLearner learner = fresh.get();
    boolean nothingKnown = classifies && learner.classes() == 0;
    double expected = nothingKnown ? Double.NaN : classifies ? learner.label(0) : 0;
    for (Predictor predictor : predictors(learner)) {
      assertEquals(expected, predictor.predict(rows.get(0).x()));
      assertEquals(0, predictor.score(rows.get(0).x()));
    }
    assertEquals(0, learner.instances());
    assertEquals(0, learner.size());
  }

  /**
   * Predictions before learning, over the second half, are better than the best constant of that
   * half and than the label or number before.
   */
  private void learns() {
    OnlineLearner learner = trained(STEPS / 2);
    List<Instance> unseen = rows.subList(STEPS / 2, STEPS);
    double own = 0;
    double noChange = 0;
    double before = rows.get(STEPS / 2 - 1).y();
    for (Instance row : unseen) {
      own += error(learner.predict(row.x()), row.y());
      noChange += error(before, row.y());
      before = row.y();
      learner.learn(row.x(), row.y(), row.weight());
    }
    double constant = Double.POSITIVE_INFINITY;
    for (Instance row : unseen) {
      double guess = row.y();
      constant = Math.min(constant, unseen.stream().mapToDouble(r -> error(guess, r.y())).sum());
    }
    assertEquals(STEPS, learner.instances());
    assertTrue(own < LEARNED * constant, "error " + own + ", the best constant has " + constant);
    assertTrue(own < LEARNED * noChange, "error " + own + ", no change has " + noChange);
  }

  private void columnsHaveNoOrder() {
    requireSameError(
        rows.stream().map(row -> new Instance(reversed(row.x()), row.y(), row.weight())).toList());
  }

  private static FeatureVector reversed(FeatureVector x) {
    double[] values = x.values().clone();
    for (int j = 0; j < values.length; j++) {
      values[j] = x.get(values.length - 1 - j);
    }
    return FeatureVector.dense(values);
  }

  private void labelsAreNames() {
    double most = rows.stream().mapToDouble(Instance::y).max().orElseThrow();
    requireSameError(
        rows.stream().map(row -> new Instance(row.x(), most - row.y(), row.weight())).toList());
  }

  /** But for rounding, which may decide what is nearly equal: mistakes differ as by chance. */
  private void requireSameError(List<Instance> others) {
    double own = totalError(rows);
    double other = totalError(others);
    double most = SAME * own + (classifies ? 2 * Math.sqrt(own) : 0);
    assertTrue(Math.abs(own - other) <= most, "error " + own + ", and " + other);
  }

  private double totalError(List<Instance> stream) {
    OnlineLearner learner = fresh.get();
    double sum = 0;
    for (Instance row : stream) {
      sum += error(learner.predictThenLearn(row.x(), row.y(), row.weight()), row.y());
    }
    return sum;
  }

  private double error(double prediction, double y) {
    return classifies ? (prediction == y ? 0 : 1) : Math.abs(prediction - y);
  }

  private void predictChangesNothing() {
    OnlineLearner asked = trained(300);
    OnlineLearner silent = trained(300);
    byte[] before = state(asked);
    answers(asked, rows.subList(300, 400));
    assertArrayEquals(before, state(asked));
    learn(asked, rows.subList(300, STEPS));
    learn(silent, rows.subList(300, STEPS));
    assertArrayEquals(state(silent), state(asked));
  }

  private void inputIsNeitherKeptNorChanged() {
    OnlineLearner learner = fresh.get();
    double[] array = new double[rows.get(0).x().count()];
    FeatureVector view = FeatureVector.dense(array);
    for (Instance row : rows) {
      System.arraycopy(row.x().values(), 0, array, 0, array.length);
      learner.learn(view, row.y(), 1);
      assertArrayEquals(row.x().values(), array);
      Arrays.fill(array, 1e9);
    }
    assertArrayEquals(state(trained(STEPS)), state(learner));
  }

  private void sameSeedSameBits() {
    assertArrayEquals(state(trained(STEPS)), state(trained(STEPS)));
  }

  private void denseEqualsSparse() {
    OnlineLearner dense = trained(STEPS);
    OnlineLearner sparse = fresh.get();
    List<Instance> listed = rows.stream().map(Instance::sparse).toList();
    learn(sparse, listed);
    assertEquals(dense.size(), sparse.size());
    assertArrayEquals(answers(dense, rows), answers(sparse, listed), tolerance);
    assertArrayEquals(answers(dense, rows), answers(dense, listed), tolerance);
  }

  private void zeroWeightChangesNothing() {
    for (int steps : new int[] {0, 300}) {
      OnlineLearner learner = trained(steps);
      byte[] before = state(learner);
      for (Instance row : rows.subList(0, 50)) {
        learner.learn(row.x(), row.y(), 0);
      }
      assertArrayEquals(before, state(learner));
    }
  }

  private void weightMatters() {
    OnlineLearner heavy = fresh.get();
    learn(heavy, rows.stream().map(row -> row.withWeight(2.5)).toList());
    assertFalse(Arrays.equals(answers(trained(STEPS), rows), answers(heavy, rows)));
  }

  private void badValuesAreRefused() {
    for (int steps : new int[] {0, 300}) {
      OnlineLearner learner = trained(steps);
      byte[] before = state(learner);
      FeatureVector good = rows.get(0).x();
      for (double bad : new double[] {Double.NaN, 1 / 0.0, -1 / 0.0}) {
        for (int j = 0; j < good.count(); j++) {
          FeatureVector x = good.copy();
          x.values()[j] = bad;
          FeatureVector listed = FeatureVector.sparse(new int[] {j}, new double[] {bad});
          refuses(() -> learner.learn(x, 1, 1));
          refuses(() -> learner.learn(listed, 1, 1));
          for (Predictor predictor : predictors(learner)) {
            refuses(() -> predictor.predict(x));
            refuses(() -> predictor.predict(listed));
          }
        }
        refuses(() -> learner.learn(good, bad, 1));
        refuses(() -> learner.learn(good, 1, bad));
      }
      refuses(() -> learner.learn(good, 1, -0.5));
      assertArrayEquals(before, state(learner));
    }
  }

  private void wrongDimensionIsRefused() {
    OnlineLearner learner = trained(300);
    byte[] before = state(learner);
    int d = rows.get(0).x().count();
    FeatureVector beyond = FeatureVector.sparse(new int[] {d}, new double[] {1});
    for (FeatureVector x :
        List.of(
            FeatureVector.dense(new double[d + 1]),
            FeatureVector.dense(new double[d - 1]),
            FeatureVector.dense(),
            beyond)) {
      refuses(() -> learner.learn(x, 1, 1));
      for (Predictor predictor : predictors(learner)) {
        refuses(() -> predictor.predict(x));
      }
    }
    assertArrayEquals(before, state(learner));
  }

  private static void refuses(Executable action) {
    assertThrows(IllegalArgumentException.class, action);
  }

  private void newClassesAtAnyTime() {
    OnlineLearner learner = trained(300);
    int classes = learner.classes();
    double[] x = new double[rows.get(0).x().count()];
    for (int k = 0; k < 3; k++) {
      double label = 50 - k;
      for (int i = 0; i < 60; i++) {
        learner.learn(FeatureVector.dense(x), label);
        learn(learner, rows.subList(300 + i, 301 + i));
      }
      assertEquals(classes + k + 1, learner.classes());
      assertEquals(label, learner.label(classes + k));
      double[] scores = new double[learner.classes()];
      learner.probabilities(rows.get(0).x(), scores);
      assertEquals(1, Arrays.stream(scores).sum(), 1e-12);
      Arrays.fill(x, -2 - k);
    }
  }
}
