// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.ModelFormat;
import io.github.avm4j.solver.Candidates;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a learner's file after one instance more, at most. What has been learned can be saved: a
 * learner that a file could not hold any more refuses instances and stays as it is. O(1), from
 * counts alone.
 */
final class SavedSize {
  /** Most bytes of a learner; what is left is for the schema of its rows. */
  static final long MOST = ModelFormat.MOST_BYTES - (1L << 26);

  /** Configuration, provenance, counters, heads of sections. */
  private static final long FIXED = 1 << 14;

  /** A label, twice, and what a class has beside its coefficients. */
  private static final long CLASS = 32;

  private SavedSize() {}

  static void require(ExpansionLearner learner, FeatureVector x) {
    long bytes = learner instanceof KernelLearner paper ? with(paper, x) : newton(learner, x);
    if (bytes > learner.mostSaved) {
      throw refusal(bytes, learner.mostSaved, "budget(n)");
    }
  }

  static void require(AutoLearner learner, FeatureVector x) {
    long bytes = with(learner, x);
    if (bytes > learner.mostSaved) {
      throw refusal(bytes, learner.mostSaved, "budget(n), fine(n) or memory(bytes)");
    }
  }

  private static IllegalArgumentException refusal(long bytes, long most, String remedy) {
    return new IllegalArgumentException(
        "the learner is as large as a file can hold: with this instance it could take %d bytes, at"
                .formatted(bytes)
            + " most are %d; it has not changed and can be saved; to learn on, build one with a"
                .formatted(most)
            + " smaller "
            + remedy);
  }

  private static long newton(ExpansionLearner learner, FeatureVector x) {
    return with((SecondOrderLearner) learner, x);
  }

  static long with(KernelLearner learner, FeatureVector x) {
    long columns = Footprint.columns(learner.classes() + 1);
    long perPoint = 8 * columns * (2 + learner.solver.average().windowCount());
    return points(learner, x) + (learner.size() + 1) * perPoint;
  }

  static long with(SecondOrderLearner learner, FeatureVector x) {
    long size = Math.min(learner.size() + 1, learner.config().budget());
    long columns = Footprint.columns(learner.classes() + 1);
    long matrices = 8 * size * (size + 1);
    long candidates = Candidates.MOST * (64 + 8 * (columns + size));
    @Nullable Candidates waiting = learner.exchange.candidates;
    if (waiting != null) {
      candidates += 2 * waiting.savedBytesWith(x);
    }
    return points(learner, x) + matrices + 8 * size * (columns + 2) + candidates;
  }

  /** Core points and what all learners have. */
  private static long points(ExpansionLearner learner, FeatureVector x) {
    CoreSet set = learner.started ? learner.set : learner.firstSet(x);
    return FIXED + CLASS * (learner.classes() + 1) + set.savedBytesWith(x);
  }

  /**
   * As many learners as may run at a time, whether they do or not: a contest begins at any time.
   */
  static long with(AutoLearner learner, FeatureVector x) {
    long largest = 0;
    for (Race.Runner runner : learner.race.runners) {
      largest = Math.max(largest, with(runner.learner, x));
    }
    @Nullable SecondOrderLearner challenger = learner.trial.challenger;
    if (challenger != null) {
      largest = Math.max(largest, with(challenger, x));
    }
    long kept = learner.estimating ? learner.kept.bytes() + KeptInstances.bytesOf(x) : 0;
    int features = Math.max(learner.kept.features(), x.dimension());
    long scaling = 17L * Math.max(learner.scaling.dimension(), features);
    return AutoConfig.MOST_LEARNERS * largest + kept + scaling + fine(learner, x);
  }

  /** Fine points stand in the model, or beside it while they do not answer. */
  private static long fine(AutoLearner learner, FeatureVector x) {
    CoreSet set = learner.fine.set;
    if (set == null) {
      return 0;
    }
    long columns = Footprint.columns(learner.classes() + 1);
    return set.savedBytesWith(x) + 8L * (set.size() + 1) * (columns + 1);
  }
}
