// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.testing.Streams;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ConcurrentModificationException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What a user is told who uses the library as it is not meant. */
class MisuseTest {
  private static final @Nullable FeatureVector NONE = null;

  private static Learner taught() {
    Learner learner = Avm.classifier().build();
    for (double[] x : Streams.gaussian(1, 100, 2)) {
      learner.learn(new double[] {x[0], 100 * x[1]}, x[0] > 0 ? 1 : 0);
    }
    return learner;
  }

  private static void namesX(Executable call) {
    String message = assertThrows(NullPointerException.class, call).getMessage();
    assertTrue(String.valueOf(message).startsWith("x is null"), message);
  }

  @Test
  @SuppressWarnings("NullAway") // what is tested
  void nullIsNamed() {
    Learner learner = taught();
    Model model = learner.snapshot();
    namesX(() -> learner.predict(NONE));
    namesX(() -> learner.learn(NONE, 1));
    namesX(() -> learner.learn((double[]) null, 1));
    namesX(() -> model.predict(NONE));
    namesX(() -> model.predict((double[]) null));
    namesX(() -> Avm.classifier().build().predict(NONE));
  }

  /** Two threads meet within a step sooner or later. */
  @Test
  void twoThreadsAreTold() throws InterruptedException {
    AtomicReference<String> said = new AtomicReference<>("");
    long end = System.nanoTime() + 30_000_000_000L;
    while (said.get().isEmpty() && System.nanoTime() < end) {
      Learner learner = taught();
      Thread[] threads = new Thread[2];
      for (int i = 0; i < threads.length; i++) {
        long seed = i;
        threads[i] = new Thread(() -> learn(learner, seed, said));
        threads[i].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertTrue(said.get().contains("one thread at a time; share its snapshot()"), said.get());
  }

  private static void learn(Learner learner, long seed, AtomicReference<String> said) {
    Random random = new Random(seed);
    try {
      for (int t = 0; t < 5000 && said.get().isEmpty(); t++) {
        learner.learn(new double[] {random.nextGaussian(), random.nextGaussian()}, t % 2);
      }
    } catch (ConcurrentModificationException e) {
      said.set(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Two threads can do any harm; the next learner is tried.
      return;
    }
  }

  @Test
  void aFolderThatIsMissingIsNamedByTheFileAskedFor(@TempDir Path folder) {
    Path file = folder.resolve("nowhere").resolve("m.avm");
    Model model = taught().snapshot();
    String message =
        assertThrows(NoSuchFileException.class, () -> Avm.save(model, file)).getMessage();
    assertTrue(message.startsWith(file + ": its folder"), message);
  }
}
