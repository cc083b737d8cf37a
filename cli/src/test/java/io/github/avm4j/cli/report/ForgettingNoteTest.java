// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.AutoLearner;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ForgettingNoteTest {
  /** Two features; which side is which changes every {@code phase} rows. */
  private static AutoLearner taught(AutoLearner learner, int phase) {
    Random random = new Random(3);
    for (int t = 0; t < 20_000; t++) {
      double[] x = {random.nextGaussian(), random.nextGaussian()};
      learner.learn(x, (x[0] > 0) == (t / phase % 2 == 0) ? 1 : 0);
    }
    return learner;
  }

  @Test
  void aStreamThatChangesIsSaidToChange() {
    String note = ForgettingNote.of(taught(Avm.classifier().build(), 2000));
    assertTrue(note.startsWith("the stream changed abruptly, "), note);
    assertTrue(note.endsWith("--forgetting 1"), note);
  }

  /** Where bytes are bounded nothing takes over, and it forgets faster. */
  @Test
  void forgettingIsReported() {
    String note = ForgettingNote.of(taught(Avm.classifier().memory(1 << 20).build(), 2000));
    assertTrue(note.startsWith("the stream changes: only about the last "), note);
    assertTrue(note.endsWith("--forgetting 1"), note);
  }

  @Test
  void nothingIsSaidOfAStreamThatDoesNotNorOfWhatWasTold() {
    assertEquals("", ForgettingNote.of(taught(Avm.classifier().build(), 1_000_000)));
    assertEquals("", ForgettingNote.of(taught(Avm.classifier().forgetting(0.99).build(), 2000)));
    assertEquals("", ForgettingNote.of(Avm.paperClassifier().gamma(1).delta(1).lambda(1).build()));
  }
}
