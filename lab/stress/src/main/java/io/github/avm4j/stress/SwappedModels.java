// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.avm4j.follow.Arrival;
import io.github.avm4j.follow.NewestModel;
import io.github.avm4j.follow.NewestModel.Loaded;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A version replaces another while a thread predicts: each prediction is of one of the two. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "before")
@Outcome(id = "1, 2, 1", expect = ACCEPTABLE, desc = "between")
@Outcome(id = "2, 2, 1", expect = ACCEPTABLE, desc = "after")
@Outcome(expect = FORBIDDEN, desc = "back to the old one, or a mixture")
@State
public class SwappedModels {
  private static final double[] ROW = {0.4, 0.4};
  private static final byte[][] FILES = {file(3), file(6)};
  private static final double[] SCORES = {score(3), score(6)};

  private static final Arrival[] ARRIVALS = {arrival(1), arrival(2)};

  private final NewestModel newest = new NewestModel("m", rows -> {}, new Quiet());

  /** The first version predicts. */
  public SwappedModels() {
    take(1);
  }

  private static final class Quiet implements NewestModel.Listener {
    @Override
    public void used(Loaded now, @Nullable Loaded before) {}

    @Override
    public void refused(String reason) {
      throw new IllegalStateException(reason);
    }
  }

  private static Arrival arrival(int version) {
    return new Arrival("m", "", version, "here", null);
  }

  private static byte[] file(int rows) {
    return Snapshots.learner(rows).toBytes();
  }

  private static double score(int rows) {
    return Snapshots.score(Snapshots.learner(rows).snapshot(), ROW);
  }

  private void take(int version) {
    newest.take(ARRIVALS[version - 1], FILES[version - 1], null);
  }

  /** The second version comes. */
  @Actor
  public void swap() {
    take(2);
  }

  /** Predicts twice. */
  @Actor
  public void predict(III_Result result) {
    Loaded first = newest.get();
    Loaded second = newest.get();
    result.r1 = (int) first.arrival().version();
    result.r2 = (int) second.arrival().version();
    result.r3 = isWhole(first) && isWhole(second) ? 1 : 0;
  }

  private static boolean isWhole(Loaded loaded) {
    return Snapshots.score(loaded.rows().model(), ROW)
        == SCORES[(int) loaded.arrival().version() - 1];
  }
}
