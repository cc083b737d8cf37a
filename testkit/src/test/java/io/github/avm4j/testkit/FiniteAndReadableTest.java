// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * {@link FiniteAndReadable} for learners of random configurations. {@code -Dnasty=2000} runs the
 * long form: 2000 learners of every kind, 500 steps each.
 */
class FiniteAndReadableTest {
  private static final int LEARNERS = Integer.getInteger("nasty", 60);
  private static final int STEPS = 500;

  private static void check(Function<RandomLearners, Learner> kind) throws InvalidModelException {
    for (long seed = 0; seed < LEARNERS; seed++) {
      FiniteAndReadable.check(kind.apply(new RandomLearners(seed)), seed, STEPS);
    }
  }

  @Test
  void ofThePaper() throws InvalidModelException {
    check(RandomLearners::paper);
  }

  @Test
  void ofTheSecondOrder() throws InvalidModelException {
    check(RandomLearners::secondOrder);
  }

  @Test
  void thatConfigureThemselves() throws InvalidModelException {
    check(RandomLearners::self);
  }
}
