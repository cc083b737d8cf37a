// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.AutoSum;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.merge.FirstOrderMerge;
import io.github.avm4j.internal.merge.SecondOrderMerge;
import java.util.List;

/**
 * Merges learners trained on disjoint parts of a stream.
 *
 * <pre>{@code
 * AutoLearner start = Avm.classifier().build();
 * beginning.forEach(instance -> start.learn(instance.x(), instance.label()));
 *
 * AutoLearner one = Avm.shard(start); // for a thread or machine of its own
 * AutoLearner two = Avm.shard(start);
 * left.forEach(instance -> one.learn(instance.x(), instance.label()));
 * right.forEach(instance -> two.learn(instance.x(), instance.label()));
 *
 * AutoLearner merged = Avm.merge(start, List.of(one, two));
 * }</pre>
 *
 * <p>The parts must be disjoint: an instance that two shards have seen counts twice. The shards
 * stay as they are; the result shares nothing with them, has their configuration, keeps its budget,
 * and can go on learning, be saved and be merged again. A shard that has seen nothing changes
 * nothing.
 *
 * <p>The paper's learner: the score is Σ (t_i/t) times the shards' scores, t_i instances each and t
 * in all, but for core points of one shard that lie in a cell of another's and give their
 * coefficient to it. With the hinge loss and a common core set that is exact to the bit. The order
 * of the shards does not matter; docs/merge.md has the laws, and what each costs.
 *
 * <p>Second-order learners: what they know adds up. That is exact on a common core set, which
 * shards have that began as one learner ({@link #shard}); else what a shard knows is carried over
 * to the core points of the one that has seen most, as far as they can express it. Cells are merged
 * cell by cell where the input space is divided alike, as that of shards of one start is; else the
 * result divides it anew.
 */
public final class Merge {
  private Merge() {}

  /**
   * One learner of the shards' kind and configuration that holds what all of them have learned.
   *
   * @param shards learners trained on disjoint parts of the stream; not changed
   * @return a new learner, which goes on learning
   * @throws IllegalArgumentException if there is no shard, if their kinds, configurations or
   *     numbers of features differ, or if there is no merge for their kind; nothing was changed
   *     then
   */
  public static Learner of(List<? extends Learner> shards) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("shards must hold at least one learner, was empty");
    }
    Class<?> kind = shards.get(0).getClass();
    for (int i = 1; i < shards.size(); i++) {
      if (shards.get(i).getClass() != kind) {
        throw new IllegalArgumentException(
            "shards must be of one kind: shard 0 is a %s, shard %d a %s"
                .formatted(kind.getSimpleName(), i, shards.get(i).getClass().getSimpleName()));
      }
    }
    if (kind == KernelLearner.class) {
      return new KernelLearner(
          FirstOrderMerge.of(shards.stream().map(s -> ((KernelLearner) s).engine).toList()));
    }
    if (kind == ScaledLearner.class) {
      return scaled(shards.stream().map(ScaledLearner.class::cast).toList());
    }
    if (kind == SecondOrderLearner.class) {
      return new SecondOrderLearner(
          SecondOrderMerge.of(shards.stream().map(s -> ((SecondOrderLearner) s).engine).toList()));
    }
    if (kind == AutoLearner.class) {
      return new AutoLearner(
          SecondOrderMerge.ofSelfConfiguring(
              shards.stream().map(s -> ((AutoLearner) s).engine).toList()));
    }
    throw new IllegalArgumentException("there is no merge for a " + kind.getSimpleName());
  }

  /** Sums of coefficients add only where all shards mean the same by a feature and a target. */
  private static Learner scaled(List<ScaledLearner> shards) {
    ScaledLearner first = shards.get(0);
    for (int i = 1; i < shards.size(); i++) {
      ScaledLearner shard = shards.get(i);
      if (!shard.scaling().equals(first.scaling()) || shard.intercept() != first.intercept()) {
        throw new IllegalArgumentException(
            "shards must scale features and target alike: shard %d differs from shard 0; give all"
                    .formatted(i)
                + " shards one scaling, or none");
      }
    }
    FirstOrderEngine sum =
        FirstOrderMerge.of(shards.stream().map(s -> s.unscaled().engine).toList());
    return new ScaledLearner(new KernelLearner(sum), first.scaling(), first.intercept());
  }

  /**
   * A copy of {@code start} to learn a part of the stream, and then {@link #of(AutoLearner, List)}:
   * it keeps its core points, cells, γ and scaling and forgets nothing, so that what it learns can
   * be separated from what it began with. The merged learner forgets again at the rate of {@code
   * start}.
   *
   * @param start the learner that the shards were copied from; not changed
   * @return a copy, which shares nothing with {@code start}
   * @throws IllegalArgumentException if {@code start} still estimates
   */
  public static AutoLearner shard(AutoLearner start) {
    return new AutoLearner(AutoSum.shard(start.engine));
  }

  /**
   * One learner of what {@code start} knew and its {@link #shard}s have learned since. On the
   * common core set nothing is lost: for the squared loss the result is that of one learner that
   * learned from every instance in turn, for others it differs by where their scores were.
   *
   * <p>The order of the shards does not matter, to the bit.
   *
   * @param start the learner that the shards were copied from; not changed
   * @param shards learners trained on disjoint parts of the stream; not changed
   * @return a new learner, which goes on learning
   * @throws IllegalArgumentException if there is no shard, {@code start} still estimates, it has
   *     learned since its shards were made, or a shard did not begin as its {@link #shard}
   */
  public static AutoLearner of(AutoLearner start, List<AutoLearner> shards) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("shards must hold at least one learner, was empty");
    }
    List<AutoEngine> engines = shards.stream().map(s -> s.engine).toList();
    return new AutoLearner(AutoSum.of(start.engine, SecondOrderMerge.sorted(engines)));
  }
}
