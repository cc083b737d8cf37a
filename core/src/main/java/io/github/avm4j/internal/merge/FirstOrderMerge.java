// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.firstorder.FirstOrderSum;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The merge of the paper's learners.
 *
 * <p>With the step η_t = 1/(λt) the iterate of shard i after its t_i instances is w⁽ⁱ⁾ =
 * A⁽ⁱ⁾/(λ·t_i), where A⁽ⁱ⁾ sums the negated gradients −α·Φ(c) of its instances in any order. So
 * with t = Σ t_i the merged iterate
 *
 * <pre>w = Σ A⁽ⁱ⁾ / (λt) = Σ (t_i/t)·w⁽ⁱ⁾</pre>
 *
 * <p>is the very one of a single learner that saw all instances and took, for each, the gradient
 * and core point that its shard took. It is not the one of a single learner that chose its own: a
 * gradient depends on the model of its moment, and a shard's model has seen less. In the form Σ
 * (t_i/t)·w⁽ⁱ⁾ it is the parallel SGD of Zinkevich, Weimer, Li and Smola (NIPS 2010).
 *
 * <p>What holds, and how exactly:
 *
 * <ol>
 *   <li>Counts add. Where no core point moves, coefficients A add: to the bit with the hinge, ℓ1 or
 *       ε-insensitive loss and unit weights (they are whole numbers, or halves once a third class
 *       came), else to rounding.
 *   <li>The score, whichever {@link io.github.avm4j.averaging.Output} is configured, is Σ (t_i/t)
 *       times the shards' scores. Except: if a suffix average of known horizon is still closed in
 *       one shard, the merged window starts anew and the output is the last iterate until it opens.
 *   <li>A core point p that lies in another shard's cell is left to the core points around; that
 *       costs at most |A_p|·‖Φ(p) − Φ(c)‖/(λt) in ‖w‖, c being the cell's own: see {@link Union}
 *       and {@link Neighbourhood}. One that is refused costs |A_p|/(λt). Counts of absorbed and
 *       refused take it as one, whatever number of instances is behind it.
 *   <li>The order of the shards does not matter, to the bit. Grouping does, within the cost above,
 *       twice as often moved: merge all at once where you can.
 *   <li>Classes are united by label: the declared ones in their order, then the others ascending. A
 *       shard of two classes among more takes part as −f/2 and f/2. One that has seen a single
 *       class knows it against no other in particular: f/2 is shared among all others.
 *   <li>The random source goes on as that of one learner of this seed after t instances. The shards
 *       themselves all drew the same numbers.
 *   <li>The squared loss with λ ≤ 1: the norm is computed anew, O(S²·d), and w is drawn back into
 *       the ball of the largest y_max if moving core points pushed it out.
 * </ol>
 */
public final class FirstOrderMerge {
  private FirstOrderMerge() {}

  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  private record Shard(FirstOrderEngine learner, CoreSet points, byte[] bytes) {
    static Shard of(FirstOrderEngine learner) {
      return new Shard(learner, learner.snapshot().coreSet().copy(), LearnerFormat.write(learner));
    }
  }

  public static FirstOrderEngine of(List<FirstOrderEngine> learners) {
    Configurations.requireEqual(learners.stream().map(FirstOrderEngine::config).toList());
    List<Shard> shards = new ArrayList<>();
    for (FirstOrderEngine learner : learners) {
      if (learner.instances() > 0) {
        shards.add(Shard.of(learner));
      }
    }
    AvmConfig config = learners.get(0).config();
    if (shards.isEmpty()) {
      return new FirstOrderEngine(config);
    }
    if (shards.size() == 1) {
      return copy(shards.get(0).bytes);
    }
    requireOneShape(shards);
    // Any order that is a function of the shards alone makes the result independent of the given.
    shards.sort((a, b) -> Arrays.compare(a.bytes, b.bytes));
    Union union = new Union(config, shards.stream().map(Shard::points).toList());
    return FirstOrderSum.of(
        shards.stream().map(Shard::learner).toList(),
        union.set(),
        union.shares(),
        union.absorbed(),
        union.refused());
  }

  /** Checks that all shards of dense vectors have one number of features. */
  private static void requireOneShape(List<Shard> shards) {
    int[] dimensions =
        shards.stream()
            .map(Shard::points)
            .filter(points -> !points.isOpenEnded())
            .mapToInt(CoreSet::dimension)
            .distinct()
            .toArray();
    if (dimensions.length > 1) {
      throw new IllegalArgumentException(
          "shards must have one number of features, were " + Arrays.toString(dimensions));
    }
  }

  private static FirstOrderEngine copy(byte[] bytes) {
    try {
      return (FirstOrderEngine) LearnerFormat.read(bytes).engine();
    } catch (InvalidModelException e) {
      throw new IllegalArgumentException("a shard cannot be copied: " + e.getMessage(), e);
    }
  }
}
