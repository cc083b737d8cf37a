// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.PaperBuilder;
import io.github.avm4j.averaging.SuffixAverage;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Allocation;
import io.github.avm4j.model.ByteWriter;
import io.github.avm4j.model.FileForge;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.ModelFormat;
import io.github.avm4j.model.Sections;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Files whose checksums are right and whose content is not: only {@link InvalidModelException}, and
 * no more memory than {@link ModelFormat} promises.
 */
class HostileFileTest {
  private static final int MODEL_FACTOR = 16;
  private static final int LEARNER_FACTOR = 32;
  private static final int CONSTANT = 64 * 1024;

  /** Offsets in the CONFIG payload. */
  private static final int LABEL_COUNT = 1 + 17 + 17 + 8 + 17 + 17 + 17 + 4 + 1 + 8 + 4;

  private static PaperBuilder classifier() {
    return Avm.paperClassifier().gamma(0.5).delta(0.5).lambda(0.01);
  }

  private static Learner small() {
    Learner learner = classifier().build();
    for (int i = 0; i < 5; i++) {
      learner.learn(new double[] {i, -i}, i % 2);
    }
    return learner;
  }

  private static byte[] payload(Consumer<ByteWriter> content) {
    ByteWriter out = new ByteWriter();
    content.accept(out);
    return out.toBytes();
  }

  private static String refusedAsModel(byte[] file) {
    checkModelAllocation(file);
    checkLearnerAllocation(file);
    assertThrows(InvalidModelException.class, () -> LearnerFormat.read(file));
    return assertThrows(InvalidModelException.class, () -> ModelFormat.read(file)).getMessage();
  }

  private static String refusedAsLearner(byte[] file) {
    checkLearnerAllocation(file);
    return assertThrows(InvalidModelException.class, () -> LearnerFormat.read(file)).getMessage();
  }

  private static void checkModelAllocation(byte[] file) {
    long bytes = Allocation.of(() -> ModelFormat.read(file));
    long limit = (long) MODEL_FACTOR * file.length + CONSTANT;
    assertTrue(bytes <= limit, bytes + " bytes for a file of " + file.length);
  }

  private static void checkLearnerAllocation(byte[] file) {
    long bytes = Allocation.of(() -> LearnerFormat.read(file));
    long limit = (long) LEARNER_FACTOR * file.length + CONSTANT;
    assertTrue(bytes <= limit, bytes + " bytes for a file of " + file.length);
  }

  private static byte[] withModel(Learner base, Consumer<ByteWriter> content) {
    return FileForge.with(base.toBytes(), Sections.MODEL, payload(content));
  }

  private static byte[] patched(byte[] file, int type, int offset, Consumer<ByteWriter> bytes) {
    byte[] section = FileForge.payloads(file).get(type);
    byte[] patch = payload(bytes);
    System.arraycopy(patch, 0, section, offset, patch.length);
    return FileForge.with(file, type, section);
  }

  @Test
  void everyPayloadCutShortOrTooLongIsRefused() {
    byte[] file = small().toBytes();
    FileForge.payloads(file)
        .forEach(
            (type, bytes) -> {
              for (int length = 0; length < bytes.length; length++) {
                byte[] shorter = FileForge.with(file, type, Arrays.copyOf(bytes, length));
                assertThrows(InvalidModelException.class, () -> LearnerFormat.read(shorter));
              }
              refusedAsLearner(FileForge.with(file, type, Arrays.copyOf(bytes, bytes.length + 1)));
            });
  }

  @Test
  void hugeCountsInTinyFiles() {
    for (int count : new int[] {1_000, 1_000_000, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      refusedAsModel(withModel(small(), out -> out.i32(count)));
      for (int storage = 0; storage < 3; storage++) {
        int code = storage;
        Consumer<ByteWriter> head =
            out -> {
              out.i32(0);
              out.u8(code);
            };
        // dimension, size, columns, non-zeros
        refusedAsModel(
            withModel(
                small(),
                head.andThen(
                    out -> {
                      out.i32(count);
                      out.i32(1);
                      out.i32(1);
                    })));
        refusedAsModel(
            withModel(
                small(),
                head.andThen(
                    out -> {
                      out.i32(2);
                      out.i32(count);
                      out.i32(1);
                    })));
        refusedAsModel(
            withModel(
                small(),
                head.andThen(
                    out -> {
                      out.i32(2);
                      out.i32(0);
                      out.i32(count);
                    })));
      }
      refusedAsModel(
          withModel(
              small(),
              out -> {
                out.i32(0);
                out.u8(2);
                out.i32(100);
                out.i32(1);
                out.u8(1);
                out.i32(count);
                out.raw(new byte[64]);
              }));
      refusedAsModel(
          patched(small().toBytes(), Sections.CONFIG, LABEL_COUNT, out -> out.i32(count)));
    }
  }

  @Test
  void unknownCodesAreRefusedByName() {
    byte[] file = small().toBytes();
    int[] offsets = {0, 1, 18, 43, 60, 77, 98};
    String[] names = {
      "learner", "kernel", "loss", "coverage", "approximation", "output", "when full"
    };
    int[] firstUnknown = {4, 5, 7, 2, 4, 4, 2};
    for (int i = 0; i < offsets.length; i++) {
      for (int code : new int[] {firstUnknown[i], 200, 255}) {
        String message =
            refusedAsModel(patched(file, Sections.CONFIG, offsets[i], out -> out.u8(code)));
        assertTrue(message.contains("unknown " + names[i] + " code " + code), message);
      }
    }
    int points = 4 + 16;
    String storage = refusedAsModel(patched(file, Sections.MODEL, points, out -> out.u8(3)));
    assertTrue(storage.contains("unknown storage code 3"), storage);
    String centre = refusedAsModel(patched(file, Sections.MODEL, points + 9, out -> out.u8(2)));
    assertTrue(centre.contains("unknown centre code 2"), centre);
    String started = refusedAsLearner(patched(file, Sections.LEARNER, 0, out -> out.u8(2)));
    assertTrue(started.contains("unknown started code 2"), started);
  }

  @Test
  void configurationsThatNoBuilderGivesAreRefused() {
    byte[] file = small().toBytes();
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 0, out -> out.u8(1)))
            .contains("loss must fit the task REGRESSION"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 2, out -> out.f64(-1)))
            .contains("gamma must be > 0 and finite, was -1.0"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 35, out -> out.f64(Double.NaN)))
            .contains("lambda must be finite, was NaN"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 94, out -> out.i32(-1)))
            .contains("budget must be >= 0 (0: no limit), was -1"));
    assertTrue(
        refusedAsModel(patched(file, Sections.CONFIG, 107, out -> out.i32(Integer.MAX_VALUE)))
            .contains("features must be"));
  }

  @Test
  void labelsMustBeDistinctFiniteAndFew() {
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, 1, 3, 3))).contains("3.0 twice"));
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, 0.0, -0.0, 1))).contains("0.0 twice"));
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, 1, Double.POSITIVE_INFINITY)))
            .contains("label must be finite"));
    double[] many = distinct(100_001);
    assertTrue(
        refusedAsModel(withModel(small(), out -> labels(out, many)))
            .contains("at most 100000, was 100001"));
    double[] twice = distinct(100_000);
    twice[99_999] = 7;
    String message = refusedAsModel(withModel(small(), out -> labels(out, twice)));
    assertTrue(message.length() < 200, message);
  }

  @Test
  void declaredLabelsMustBeDistinctToo() {
    byte[] file = classifier().labels(distinct(50_000)).build().toBytes();
    byte[] twice = patched(file, Sections.CONFIG, LABEL_COUNT + 4 + 8 * 49_999, out -> out.f64(7));
    String message = refusedAsModel(twice);
    assertTrue(message.contains("labels must be distinct, was 7.0 twice"), message);
  }

  /** Labels, no core points and as many columns as they need. */
  private static void labels(ByteWriter out, double... labels) {
    out.i32(labels.length);
    out.f64s(labels, labels.length);
    out.u8(1);
    out.i32(0);
    out.i32(0);
    out.i32(labels.length > 2 ? labels.length : 1);
  }

  private static double[] distinct(int n) {
    double[] labels = new double[n];
    Arrays.setAll(labels, i -> i);
    return labels;
  }

  @Test
  void aRegressionHasNoLabels() {
    Learner learner = Avm.paperRegressor().gamma(1).delta(1).lambda(0.1).build();
    byte[] file =
        withModel(
            learner,
            out -> {
              out.i32(2);
              out.f64(1);
              out.f64(2);
              out.u8(1);
              out.i32(0);
              out.i32(0);
              out.i32(1);
            });
    assertTrue(refusedAsModel(file).contains("a regression model has no labels, had 2"));
  }

  @Test
  void columnsMustFitTheLabels() {
    byte[] file =
        withModel(
            small(),
            out -> {
              out.i32(3);
              out.f64s(new double[] {1, 2, 3}, 3);
              out.u8(1);
              out.i32(0);
              out.i32(0);
              out.i32(1);
            });
    assertTrue(refusedAsModel(file).contains("3 labels need 3 columns, were 1"));
    // Without core points a column takes no bytes in the file.
    byte[] many =
        withModel(
            small(),
            out -> {
              out.i32(0);
              out.u8(1);
              out.i32(0);
              out.i32(0);
              out.i32(100_000);
            });
    assertTrue(refusedAsModel(many).contains("0 labels need 1 columns, were 100000"));
  }

  @Test
  void sparsePointsMustBeAscendingAndInRange() {
    int[][] indices = {{3, 2}, {2, 2}, {-1, 2}, {0, 10}, {0, Integer.MAX_VALUE}};
    for (int[] pair : indices) {
      refusedAsModel(withModel(small(), out -> sparsePoint(out, pair, 1, 2)));
    }
    String nan =
        refusedAsModel(
            withModel(small(), out -> sparsePoint(out, new int[] {1, 2}, 1, Double.NaN)));
    assertTrue(nan.contains("feature must be finite, was NaN"), nan);
    String large =
        refusedAsModel(withModel(small(), out -> sparsePoint(out, new int[] {1, 2}, 1, 1e200)));
    assertTrue(large.contains("core point 0 has features too large"), large);
  }

  /** Two labels and one point of a postings set of ten features. */
  private static void sparsePoint(ByteWriter out, int[] indices, double... values) {
    out.i32(2);
    out.f64(0);
    out.f64(1);
    out.u8(2);
    out.i32(10);
    out.i32(1);
    out.u8(1);
    out.i32(indices.length);
    out.i32s(indices, indices.length);
    out.f64s(values, values.length);
    out.i32(1);
    out.f64(1);
  }

  @Test
  void denseSetsHaveFeaturesAndTilesFew() {
    refusedAsModel(
        withModel(
            small(),
            out -> {
              out.i32(0);
              out.u8(0);
              out.i32(0);
              out.i32(0);
              out.i32(1);
            }));
    String message =
        refusedAsModel(
            withModel(
                small(),
                out -> {
                  out.i32(0);
                  out.u8(1);
                  out.i32(2049);
                  out.i32(0);
                  out.i32(1);
                }));
    assertTrue(message.contains("at most 2048 features, was 2049"), message);
  }

  @Test
  void learnerStateIsChecked() {
    byte[] file = small().toBytes();
    assertTrue(learnerWith(file, 1, out -> out.i64(-1)).contains("steps must be in 0..2^62"));
    assertTrue(learnerWith(file, 1, out -> out.i64(Long.MAX_VALUE)).contains("steps must be"));
    assertTrue(learnerWith(file, 1, out -> out.i64(6)).contains("6 steps in a file of 5"));
    assertTrue(learnerWith(file, 9, out -> out.f64(0)).contains("shrink must be in"));
    assertTrue(learnerWith(file, 9, out -> out.f64(1e-100)).contains("was 1.0E-100"));
    assertTrue(learnerWith(file, 9, out -> out.f64(1.5)).contains("was 1.5"));
    assertTrue(learnerWith(file, 17, out -> out.f64(-1)).contains("squared norm must be >= 0"));
    assertTrue(learnerWith(file, 25, out -> out.i64(-1)).contains("absorbed must be"));
    assertTrue(learnerWith(file, 33, out -> out.i64(-1)).contains("refused must be"));
    assertTrue(learnerWith(file, 41, out -> out.f64(-3)).contains("yMax must be >= 0, was -3.0"));
    assertTrue(learnerWith(file, 0, out -> out.u8(0)).contains("has not started"));
    assertTrue(
        learnerWith(file, 57, out -> out.f64(Double.NEGATIVE_INFINITY))
            .contains("coefficient must be finite"));
    assertTrue(
        learnerWith(file, 57 + 5 * 8, out -> out.u8(1)).contains("needs 0 windows, found 1"));
    assertTrue(learnerWith(file, 58 + 5 * 8, out -> out.i64(6)).contains("rung 6 lies beyond"));
  }

  private static String learnerWith(byte[] file, int offset, Consumer<ByteWriter> bytes) {
    return refusedAsLearner(patched(file, Sections.LEARNER, offset, bytes));
  }

  @Test
  void aNegativeLargestTargetCannotTurnTheModelRound() {
    Learner learner =
        Avm.paperRegressor().loss(new SquaredLoss()).gamma(1).delta(1).lambda(0.01).build();
    learner.learn(new double[] {1}, 2);
    String message = learnerWith(learner.toBytes(), 41, out -> out.f64(-2));
    assertEquals("yMax must be >= 0, was -2.0", message);
  }

  @Test
  void averageWeightsAreChecked() {
    Learner learner = classifier().output(new SuffixAverage(0.5, 0)).build();
    learner.learn(new double[] {1}, 1);
    int scalars = 57 + 8 + 1 + 8;
    assertTrue(
        learnerWith(learner.toBytes(), scalars + 16, out -> out.f64(-1))
            .contains("a weight must be >= 0, was -1.0"));
  }

  @Test
  void aModelIsNoLearner() throws InvalidModelException {
    byte[] file = small().snapshot().toBytes();
    assertEquals(5, ModelFormat.read(file).size());
    assertTrue(refusedAsLearner(file).contains("a model cannot go on learning"));
  }

  @Test
  void manyLabelsCostWhatTheyWeigh() throws InvalidModelException {
    double[] many = distinct(100_000);
    byte[] file =
        withModel(classifier().output(new SuffixAverage(0.5, 0)).build(), out -> labels(out, many));
    assertEquals(100_000, LearnerFormat.read(file).classes());
    checkModelAllocation(file);
    checkLearnerAllocation(file);
    byte[] declared = classifier().labels(many).build().toBytes();
    checkModelAllocation(declared);
    checkLearnerAllocation(declared);
  }

  @Test
  void oneLongDensePoint() {
    Learner learner = classifier().build();
    learner.learn(new double[100_000], 1);
    checkModelAllocation(learner.toBytes());
    checkLearnerAllocation(learner.toBytes());
  }

  @Test
  void tilesOfEveryWidth() {
    for (int points : new int[] {1, 7, 8, 9, 16, 17, 31, 32, 33, 65}) {
      Learner learner = classifier().output(new SuffixAverage(0.5, 0)).build();
      double[] x = new double[1_000];
      for (int i = 0; i < points; i++) {
        x[i] = 10;
        learner.learn(x, i % 3);
        x[i] = 0;
      }
      assertEquals(points, learner.size());
      checkModelAllocation(learner.toBytes());
      checkLearnerAllocation(learner.toBytes());
    }
  }

  @Test
  void postingsOfDistinctFeatures() {
    for (int perPoint : new int[] {1, 3, 1_000, 60_000}) {
      Learner learner = classifier().build();
      for (int i = 0; i < Math.max(1, Math.min(3_000, 20_000 / perPoint)); i++) {
        int[] indices = new int[perPoint];
        int first = 10_000 + i * perPoint;
        Arrays.setAll(indices, k -> first + k);
        double[] values = new double[perPoint];
        Arrays.fill(values, 5);
        learner.learn(FeatureVector.sparse(indices, values), i % 2);
      }
      checkModelAllocation(learner.toBytes());
      checkLearnerAllocation(learner.toBytes());
    }
  }

  @Test
  void manyEmptyPoints() throws InvalidModelException {
    byte[] file =
        withModel(
            small(),
            out -> {
              out.i32(2);
              out.f64(0);
              out.f64(1);
              out.u8(1);
              out.i32(0);
              out.i32(30_000);
              out.raw(new byte[30_000]);
              out.i32(1);
              out.f64s(new double[30_000], 30_000);
            });
    assertEquals(30_000, ModelFormat.read(file).size());
    checkModelAllocation(file);
  }
}
