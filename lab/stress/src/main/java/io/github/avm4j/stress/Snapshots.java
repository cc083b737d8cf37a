// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A model is immutable: no thread that has it, however it came, sees more or less of it. */
public final class Snapshots {
  private static final double[] ONE = {0.1, 0.2};
  private static final double[] OTHER = {0.9, 0.1};

  private Snapshots() {}

  static Learner learner(int rows) {
    Learner learner = Avm.paperClassifier().gamma(2).delta(0.1).lambda(0.1).build();
    for (int i = 0; i < rows; i++) {
      learner.learn(new double[] {0.3 * i, 1 - 0.2 * i}, i % 2);
    }
    return learner;
  }

  static double score(Model model, double[] x) {
    return model.score(FeatureVector.dense(x));
  }

  /** A snapshot that reaches another thread by a race, while its learner goes on. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "not there yet")
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "whole, and as it was")
  @Outcome(id = "2", expect = FORBIDDEN, desc = "another model")
  @State
  public static class ByRace {
    private final Learner learner = learner(4);
    private final double expected = score(learner.snapshot(), ONE);
    private @Nullable Model shared;

    /** Publishes, then learns. */
    @Actor
    public void learn() {
      shared = learner.snapshot();
      learner.learn(ONE, 1);
    }

    /** Predicts. */
    @Actor
    public void predict(I_Result result) {
      Model model = shared;
      result.r1 = model == null ? 0 : score(model, ONE) == expected ? 1 : 2;
    }
  }

  /** Two threads predict different rows with one model. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each its own")
  @Outcome(expect = FORBIDDEN, desc = "one disturbs the other")
  @State
  public static class TwoReaders {
    private final Model model = learner(5).snapshot();
    private final double one = score(model, ONE);
    private final double other = score(model, OTHER);

    /** Predicts one row. */
    @Actor
    public void one(II_Result result) {
      result.r1 = score(model, ONE) == one ? 1 : 0;
    }

    /** Predicts another. */
    @Actor
    public void other(II_Result result) {
      result.r2 = score(model, OTHER) == other ? 1 : 0;
    }
  }
}
