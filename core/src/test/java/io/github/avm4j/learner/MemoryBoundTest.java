// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.Footprint;
import io.github.avm4j.model.InvalidModelException;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bound on bytes holds after every instance, whatever comes: what the heap holds is at most
 * what the learner says, and that at most what it was told. What cannot fit is refused, saying how
 * much would do.
 */
class MemoryBoundTest {
  private static AutoLearner learner(long memory) {
    return Avm.classifier().budget(2000).estimation(200).memory(memory).build();
  }

  private static void assertBound(AutoLearner learner, String when) {
    long held = RetainedSize.of(learner);
    long said = learner.bytes();
    assertTrue(held <= said, when + ": holds " + held + ", says " + said);
    assertTrue(
        said <= learner.settings().memory(),
        when + ": " + said + " of " + learner.settings().memory());
  }

  private static FeatureVector dense(Random random, int d) {
    return FeatureVector.dense(random.doubles(d, 0, 10).toArray());
  }

  private static FeatureVector sparse(Random random, int d, int most) {
    int count = random.nextInt(Math.min(d, most) + 1);
    int[] indices = random.ints(0, d).distinct().limit(count).sorted().toArray();
    return FeatureVector.sparse(indices, random.doubles(count, 0.5, 3).toArray());
  }

  /** Labels that keep appearing, from few to more than there is room for. */
  private static double label(Random random, int classes, int i, int n) {
    int known = 1 + (int) ((long) classes * i / n);
    return random.nextInt(Math.max(1, known));
  }

  /** From one class and 64 kB to 250 and a megabyte, each with vectors of four kinds. */
  private static Stream<Arguments> streams() {
    Random random = new Random(Long.getLong("avm4j.seed", 0));
    return IntStream.range(0, 32)
        .mapToObj(
            i ->
                Arguments.of(
                    random.nextLong(),
                    i < 4 ? 1 : i < 8 ? 250 : 1 + random.nextInt(250),
                    16 + i / 4 % 5,
                    i % 4));
  }

  @ParameterizedTest
  @MethodSource("streams")
  void holdsForRandomStreams(long seed, int classes, int logMemory, int kind)
      throws InvalidModelException {
    Random random = new Random(seed);
    AutoLearner learner = learner((1L << logMemory) + random.nextInt(1 << logMemory));
    int d = kind == 0 ? 1 + random.nextInt(40) : 1 + random.nextInt(kind == 3 ? 100_000 : 1000);
    int n = 700;
    int refused = 0;
    for (int i = 0; i < n; i++) {
      int wide = Math.max(1, kind == 3 ? (int) ((long) d * i / n) : d);
      FeatureVector x = kind < 2 ? dense(random, d) : sparse(random, wide, 30);
      long before = learner.instances();
      try {
        learner.learn(x, label(random, classes, i, n));
        assertEquals(before + 1, learner.instances());
      } catch (IllegalArgumentException e) {
        refused++;
        assertTrue(e.getMessage().contains("memory"), e.getMessage());
        assertEquals(before, learner.instances());
      }
      if (i % 20 == 0 || !learner.isEstimating() && i % 5 == 0) {
        assertBound(learner, "after " + i);
      }
    }
    assertTrue(refused < n || learner.size() == 0);
    assertTrue(refused == n || learner.size() > 0, "no core point");
    byte[] bytes = learner.toBytes();
    AutoLearner restored = (AutoLearner) Learner.fromBytes(bytes);
    assertEquals(learner.bytes(), restored.bytes(), "bytes after a restart");
    assertArrayEquals(bytes, restored.toBytes());
  }

  @Test
  void aHundredClassesFindRoomAndThousandsAreRefused() {
    Random random = new Random(1);
    AutoLearner learner = learner(256 << 10);
    for (int i = 0; i < 2000; i++) {
      learner.learn(dense(random, 10), i < 1000 ? i % 2 : random.nextInt(100));
      if (i % 10 == 0) {
        assertBound(learner, "after " + i);
      }
    }
    assertTrue(learner.classes() > 90, learner.classes() + " classes");
    assertTrue(learner.size() >= Footprint.LEAST_POINTS, learner.size() + " points");
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> {
              for (int label = 100; label < 10_000; label++) {
                learner.learn(dense(random, 10), label);
              }
            });
    assertTrue(refusal.getMessage().contains("memory"), refusal.getMessage());
    assertBound(learner, "after the refusal");
    learner.learn(dense(random, 10), 1);
    assertBound(learner, "after one more");
  }

  private static long least(String message) {
    Matcher number = Pattern.compile("at least (\\d+) bytes").matcher(message);
    assertTrue(number.find(), message);
    return Long.parseLong(number.group(1));
  }

  private static void teach(AutoLearner learner, int d) {
    Random random = new Random(2);
    for (int i = 0; i < 300; i++) {
      learner.learn(dense(random, d), i % 2);
      if (i % 50 == 0) {
        assertBound(learner, d + " features, after " + i);
      }
    }
    assertTrue(learner.size() >= Footprint.LEAST_POINTS, learner.size() + " points");
  }

  @Test
  void wideInstancesAreRefusedWithTheLeastThatWouldDo() {
    for (int d : new int[] {1000, 3000}) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> teach(learner(256 << 10), d));
      long least = least(refusal.getMessage());
      assertThrows(IllegalArgumentException.class, () -> teach(learner(least - 1), d));
      assertDoesNotThrow(() -> teach(learner(least), d));
    }
  }

  @Test
  void declaredLabelsAreRefusedAtOnce() {
    double[] labels = new double[5000];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = i;
    }
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> Avm.classifier().labels(labels).memory(256 << 10).build());
    long least = least(refusal.getMessage());
    assertBound(Avm.classifier().labels(labels).memory(least).build(), "at first");
  }
}
