// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.internal.secondorder.SecondOrder;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.tuning.TunedEngine;
import java.util.ArrayList;
import java.util.List;

/**
 * The learners that a shard began as, oldest first, each by the identity of its state at that
 * moment. A merge subtracts the start from its shards, which is right only if the start is still
 * what they began as.
 *
 * @param starts identities, at most {@link #MOST}; empty for a learner that began with nothing
 */
public record Origins(List<Long> starts) {
  /** Older ones are dropped: merges need the last two. */
  public static final int MOST = 16;

  /** Of a learner that began with nothing. */
  public static final Origins NONE = new Origins(List.of());

  public Origins {
    starts = List.copyOf(starts);
  }

  /** Of a shard of {@code start}, or of what its shards have learned with it. */
  public static Origins after(AutoEngine start) {
    List<Long> starts = new ArrayList<>(start.origins.starts);
    starts.add(identity(start));
    return new Origins(starts.subList(Math.max(0, starts.size() - MOST), starts.size()));
  }

  /** Whether a learner of these origins began as {@code start}. */
  public boolean contains(AutoEngine start) {
    return starts.contains(identity(start));
  }

  /**
   * 64 bits of a hash of all that a merge uses: it differs once the learner has learned from one
   * instance more, and is the same for a copy and for what was saved and read.
   */
  public static long identity(AutoEngine learner) {
    Hash hash = new Hash();
    hash.add(learner.whole);
    learner.levels.forEach(hash::add);
    return hash.value;
  }

  /** Takes in numbers one by one; each step is one to one (the finalizer of SplitMix64). */
  private static final class Hash {
    private long value;

    void add(TunedEngine engine) {
      SecondOrderEngine leader = engine.leader();
      SecondOrder solver = leader.solver;
      add(engine.intercept);
      add(leader.instances);
      add(leader.learned);
      add(leader.labels.toArray(), leader.classes());
      for (double[] column : leader.outputCoefficients()) {
        add(column, column.length);
      }
      add(solver.pendingFactor());
      add(solver.pending(), solver.size());
      for (int i = 0; i < solver.size(); i++) {
        add(solver.covariance(i), i + 1);
        add(solver.inverseGram(i), i + 1);
      }
    }

    void add(double[] numbers, int count) {
      add(count);
      for (int i = 0; i < count; i++) {
        add(numbers[i]);
      }
    }

    void add(double number) {
      add(Double.doubleToLongBits(number));
    }

    void add(long word) {
      long hash = (value ^ word) + 0x9E3779B97F4A7C15L;
      hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
      hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
      value = hash ^ (hash >>> 31);
    }
  }
}
