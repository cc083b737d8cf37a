// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A number where a class was meant is refused; new classes and fractional ones are not. */
class DeclaredLabelsTest {
  @Test
  void aFractionAmongWholeLabelsIsRefused() {
    for (Learner learner :
        List.of(
            Avm.classifier().labels(0, 1).build(),
            Avm.paperClassifier().gamma(1).delta(1).lambda(0.1).labels(0, 1).build())) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> learner.learn(new double[] {1}, 0.5))
              .getMessage();
      assertTrue(message != null && message.endsWith("build a regressor"), message);
      assertEquals(0, learner.instances());
      learner.learn(new double[] {1}, 2);
      assertEquals(3, learner.classes());
    }
  }

  @Test
  void fractionsThatWereDeclaredAreLearned() {
    Learner learner = Avm.classifier().labels(0.5, 1).build();
    learner.learn(new double[] {1}, 0.5);
    learner.learn(new double[] {2}, 1.5);
    assertEquals(3, learner.classes());
  }
}
