// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.HostileFiles.patched;
import static io.github.avm4j.learner.HostileFiles.refusedAsLearner;
import static io.github.avm4j.learner.HostileFiles.refusedAsModel;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.ByteWriter;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.InvalidModelException;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Fine points that no learner would have written. */
class HostileFineTest {
  private static final int FINE = 40;

  /** Bytes before those of the fine points. */
  private static final int TEMPERATURE = 8 + 1 + 8 + 8 + 3 * 16 + 4;

  /** Bytes of a contest of two. */
  private static final int CONTEST = 1 + 8 + 8 + 2 * 16;

  /** A learner that answers with fine points, or, after fewer rows, gathers or learns them. */
  private static AutoLearner learner(int rows) {
    AutoLearner learner = Avm.classifier().estimation(50).budget(10).fine(FINE).build();
    SplittableRandom random = new SplittableRandom(1);
    for (int t = 0; t < rows; t++) {
      FeatureVector x = FeatureVector.dense(random.nextDouble(), random.nextDouble());
      learner.learn(x, ((int) (4 * x.values()[0]) + (int) (4 * x.values()[1])) % 2);
    }
    return learner;
  }

  private static String model(byte[] file, int offset, Consumer<ByteWriter> bytes) {
    return refusedAsModel(patched(file, Sections.FINE, offset, bytes));
  }

  private static String state(byte[] file, int offset, Consumer<ByteWriter> bytes) {
    return refusedAsLearner(patched(file, Sections.FINE_LEARNER, TEMPERATURE + offset, bytes));
  }

  @Test
  void ofAModel() {
    AutoLearner learner = learner(4000);
    assertEquals(FINE, learner.fine());
    byte[] file = learner.toBytes();
    int size = learner.size();
    assertTrue(model(file, 0, out -> out.i32(-1)).contains("-1 cannot be fine ones"));
    assertTrue(model(file, 0, out -> out.i32(size + 1)).contains("cannot be fine ones"));
    assertTrue(model(file, 4, out -> out.f64(0)).contains("stretch must be > 0"));
    assertTrue(model(file, 4, out -> out.f64(-1)).contains("stretch must be > 0"));
    assertTrue(model(file, 4, out -> out.f64(Double.NaN)).contains("stretch"));
    byte[] fewer = patched(file, Sections.FINE, 0, out -> out.i32(FINE - 1));
    String message = refusedAsLearner(fewer);
    assertTrue(
        message.contains("exceed the budget") || message.contains("fine points cannot be"),
        message);
  }

  @Test
  void ofALearnerThatAnswers() {
    byte[] file = learner(4000).toBytes();
    assertTrue(state(file, -4, out -> out.i32(3)).contains("core points of 3 features"));
    assertTrue(state(file, -4, out -> out.i32(-1)).contains("core points of -1 features"));
    assertTrue(state(file, 0, out -> out.i32(-1)).contains("fine points must be in 0..100000"));
    assertTrue(state(file, 0, out -> out.i32(FINE - 1)).contains("40 fine points cannot be"));
    assertTrue(state(file, 4, out -> out.u8(3)).contains("40 fine points in the model, 0 in"));
    assertTrue(state(file, 4, out -> out.u8(1)).contains("that have not learned"));
    assertTrue(state(file, 4, out -> out.u8(9)).contains("phase"));
    assertTrue(state(file, 5, out -> out.f64(-1)).contains("mean squared distance"));
    assertTrue(state(file, 13, out -> out.i64(-1)).contains("considered"));
    assertTrue(state(file, 21, out -> out.i64(-1)).contains("gathered"));
    assertTrue(state(file, 29, out -> out.u8(2)).contains("incumbent"));
    assertTrue(state(file, 30, out -> out.i64(-1)).contains("observed losses"));
    assertTrue(state(file, 29 + CONTEST, out -> out.i32(1 << 30)).contains("in a model of 2"));
    int solver = 29 + CONTEST + 4;
    assertTrue(state(file, solver, out -> out.f64(-1)).contains("gamma of the fine points"));
    assertTrue(state(file, solver, out -> out.f64(0)).contains("gamma"));
    assertTrue(state(file, solver, out -> out.f64(1)).contains("gamma of the fine points cannot"));
    assertTrue(state(file, solver, out -> out.f64(1e308)).contains("gamma of the fine points"));
    assertTrue(state(file, solver + 8, out -> out.i64(1L << 61)).contains("led after"));
    assertTrue(state(file, solver + 16, out -> out.i64(-1)).contains("learned"));
    assertTrue(state(file, solver + 24, out -> out.f64(-1)).contains("scale of residuals"));
    assertTrue(state(file, solver + 32, out -> out.f64(-1)).contains("variance"));
    assertTrue(state(file, solver + 32, out -> out.f64(1e308)).contains("variance cannot be"));
  }

  /** Section 9 in the file of a learner that cannot have fine points. */
  @Test
  void ofOtherLearners() {
    byte[] fine = FileForge.payloads(learner(4000).toBytes()).get(Sections.FINE);
    byte[] few = fine.clone();
    few[0] = 1;
    byte[] file = LearnerFormat.write(learner(4000).engine.leader());
    String message = refusedAsLearner(Sections.append(file, Sections.FINE, few));
    assertTrue(message.contains("a learner that has none"), message);
    message = refusedAsLearner(Sections.append(HostileFiles.small().toBytes(), Sections.FINE, few));
    assertTrue(message.contains("a learner that has none"), message);
  }

  /** Fine points are gathered after the race; a file that has them earlier would end badly. */
  @Test
  void beforeTheirTime() {
    byte[] early = learner(40).toBytes();
    byte[] state = FileForge.payloads(learner(550).toBytes()).get(Sections.FINE_LEARNER);
    String message = refusedAsLearner(FileForge.with(early, Sections.FINE_LEARNER, state));
    assertTrue(message.contains("before the race for gamma is over"), message);
  }

  /** What sparse points take in memory is in the file, too. */
  @Test
  void sparsePointsOfManyFeatures() throws InvalidModelException {
    AutoLearner learner = Avm.classifier().estimation(50).budget(10).fine(2000).build();
    SplittableRandom random = new SplittableRandom(1);
    for (int t = 0; t < 2000; t++) {
      int[] indices = {random.nextInt(3), 2047};
      double[] values = {random.nextDouble(), 10 * random.nextDouble()};
      learner.learn(FeatureVector.sparse(indices, values), random.nextInt(2));
    }
    assertTrue(learner.engine.fine.set != null && learner.engine.fine.set.size() > 100);
    HostileFiles.checkLearnerAllocation(learner.toBytes());
    assertArrayEquals(learner.toBytes(), Learner.fromBytes(learner.toBytes()).toBytes());
  }

  @Test
  void aModelsFinePointsNeedTheLearners() {
    FileForge forge = new FileForge();
    FileForge.payloads(learner(4000).toBytes())
        .forEach(
            (type, payload) -> {
              if (type != Sections.FINE_LEARNER) {
                forge.section(type, payload);
              }
            });
    assertTrue(refusedAsLearner(forge.toBytes()).contains("FINE_LEARNER"));
  }

  @Test
  void temperature() {
    byte[] file = learner(100).toBytes();
    assertTrue(state(file, -TEMPERATURE, out -> out.i64(-1)).contains("met"));
    assertTrue(state(file, 8 - TEMPERATURE, out -> out.u8(3)).contains("incumbent"));
    assertTrue(state(file, 9 - TEMPERATURE, out -> out.i64(-1)).contains("observed"));
    assertTrue(state(file, 17 - TEMPERATURE, out -> out.f64(Double.NaN)).contains("finite"));
    assertTrue(state(file, 33 - TEMPERATURE, out -> out.f64(-1)).contains("squared"));
  }

  @Test
  void ofALearnerThatGathers() {
    AutoLearner learner = learner(550);
    assertTrue(learner.engine.fine.set != null && !learner.engine.fine.learns());
    byte[] file = learner.toBytes();
    int size = 29 + CONTEST + 1 + 4;
    assertTrue(state(file, size, out -> out.i32(-1)).contains("core points"));
    assertTrue(state(file, size, out -> out.i32(1 << 30)).contains("bytes needed"));
    int firstValue = size + 4 + 1;
    assertTrue(state(file, firstValue, out -> out.f64(1e153)).contains("a fine point cannot"));
    assertFalse(state(file, 29, out -> out.u8(1)).isEmpty());
  }
}
