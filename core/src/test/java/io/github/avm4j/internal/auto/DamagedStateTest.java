// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes of the state that someone has changed, with right checksums: refused, or harmless. */
class DamagedStateTest {
  private static final int CHANGE = 5000;

  private static void learn(Learner learner, boolean numbers, boolean sparse, int from, int to) {
    for (int t = from; t < to; t++) {
      Random random = new Random(t);
      double[] x = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      boolean side = x[t < CHANGE ? 0 : 1] > 0;
      double y = numbers ? x[0] * x[1] : side ? 1 : x[2] > 1 ? 2 : 0;
      learner.learn(
          sparse ? FeatureVector.sparse(new int[] {0, 1, 5}, x) : FeatureVector.dense(x), y, 1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, false",
    "40, false, false",
    "40, true, true",
    "1200, false, true",
    "5200, false, false",
    "3300, true, false"
  })
  void isRefusedOrHarmless(int rows, boolean numbers, boolean sparse) throws Exception {
    AutoConfig.Builder<AutoLearner> builder = numbers ? Avm.regressor() : Avm.classifier();
    AutoLearner learner = builder.budget(12).build();
    learn(learner, numbers, sparse, 0, rows);
    byte[] file = learner.toBytes();
    assertArrayEquals(file, Learner.fromBytes(file).toBytes());
    byte[] state = FileForge.payloads(file).get(Sections.STATE);
    Random random = new Random(rows);
    int harmless = 0;
    for (int i = 0; i < 500; i++) {
      int at = i < 200 ? i % state.length : random.nextInt(state.length);
      byte[] damaged = state.clone();
      damaged[at] = (byte) (i % 3 == 0 ? 0xff : i % 3 == 1 ? damaged[at] + 1 : random.nextInt());
      byte[] forged = FileForge.with(file, Sections.STATE, damaged);
      long limit = 64L * file.length + (1 << 18);
      long bytes = Allocation.of(() -> Learner.fromBytes(forged));
      assertTrue(
          bytes <= limit,
          bytes + " bytes for a file of " + file.length + ", byte " + at + " is " + damaged[at]);
      try {
        Learner read = Learner.fromBytes(forged);
        try {
          learn(read, numbers, sparse, rows, rows + 5);
        } catch (IllegalArgumentException e) {
          assertTrue(e.getMessage() != null, "a row that does not fit changed settings");
        }
        harmless++;
      } catch (InvalidModelException e) {
        assertTrue(e.getMessage() != null);
      }
    }
    assertTrue(harmless > 0 && harmless < 500, harmless + " of 500 harmless");
    for (int length = 0; length < state.length; length += 1 + state.length / 100) {
      byte[] shorter = FileForge.with(file, Sections.STATE, Arrays.copyOf(state, length));
      assertThrows(InvalidModelException.class, () -> Learner.fromBytes(shorter));
    }
  }
}
