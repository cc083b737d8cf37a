// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The state of several {@link FirstOrderEngine}s added up on a core set that is given: what a merge
 * needs of a learner's inside. Which points make up the set, and whether shards fit together, is
 * decided before; see package {@code merge}.
 */
public final class FirstOrderSum {
  private static final long LARGEST_COUNT = 1L << 62;

  private FirstOrderSum() {}

  /** A coefficient column of a shard, or a part of it, on its way to one of the sum. */
  private record Flow(int from, int to, double factor) {}

  /** The part {@code factor} of a shard's core point that goes to core point {@code slot}. */
  public record Share(int shard, int point, int slot, double factor) {}

  /**
   * A learner over {@code set} whose core points hold their shares of what the shards' held.
   * O(shares·columns), and O(S²·d) more where the learner projects.
   *
   * @param shards of one configuration, each of which has seen an instance
   * @param set becomes the learner's own
   * @param absorbed added to the shards' own count, as {@code refused} is
   * @throws IllegalArgumentException if a count exceeds 2^62 or the classes are too many
   */
  public static FirstOrderEngine of(
      List<FirstOrderEngine> shards, CoreSet set, List<Share> shares, long absorbed, long refused) {
    AvmConfig config = shards.get(0).config();
    FirstOrderEngine sum = new FirstOrderEngine(config, new Labels(), random(shards));
    sum.addClasses(unitedLabels(shards));
    sum.set = set;
    sum.started = true;
    sum.absorbed = total("absorbed", shards, FirstOrderEngine::absorbed) + absorbed;
    sum.refused = total("refused", shards, FirstOrderEngine::refused) + refused;
    total("instances", shards, FirstOrderEngine::instances);
    if (set.size() > 0) {
      sum.solver.reserve(set.size() - 1);
    }
    sum.solver.join(shards.stream().map(shard -> shard.solver).toList());
    shards.forEach(shard -> sum.yMax = Math.max(sum.yMax, shard.yMax));
    List<List<Flow>> flows = shards.stream().map(shard -> flows(shard, sum)).toList();
    for (Share share : shares) {
      FirstOrder part = shards.get(share.shard).solver;
      for (Flow flow : flows.get(share.shard)) {
        double factor = flow.factor * share.factor;
        sum.solver.gather(part, flow.from, share.point, flow.to, share.slot, factor);
      }
    }
    if (sum.projects) {
      sum.solver.enterBall(squaredNorm(sum), sum.yMax / Math.sqrt(config.lambda()));
    }
    return sum;
  }

  private static long total(
      String name, List<FirstOrderEngine> shards, ToLongFunction<FirstOrderEngine> count) {
    long sum = 0;
    for (FirstOrderEngine shard : shards) {
      long value = count.applyAsLong(shard);
      if (value > LARGEST_COUNT - sum) {
        throw new IllegalArgumentException(name + " of all shards must be at most 2^62");
      }
      sum += value;
    }
    return sum;
  }

  /** SplitMix64 adds a constant a draw, so advances add up to that of one source. */
  private static long random(List<FirstOrderEngine> shards) {
    long seed = shards.get(0).config().seed();
    return shards.stream().mapToLong(shard -> shard.random.state() - seed).sum() + seed;
  }

  /** The declared labels in their order, then all others ascending. */
  private static List<Double> unitedLabels(List<FirstOrderEngine> shards) {
    TreeSet<Double> others = new TreeSet<>();
    for (FirstOrderEngine shard : shards) {
      for (double label : shard.labels.toArray()) {
        others.add(label);
      }
    }
    List<Double> declared = shards.get(0).config().labels();
    declared.forEach(others::remove);
    List<Double> all = new ArrayList<>(declared);
    all.addAll(others);
    return all;
  }

  private static List<Flow> flows(FirstOrderEngine shard, FirstOrderEngine sum) {
    int columns = sum.columns();
    if (columns == 1) {
      boolean flipped =
          sum.task() == Task.CLASSIFICATION && sum.labels.indexOf(shard.label(0)) != 0;
      return List.of(new Flow(0, 0, flipped ? -1 : 1));
    }
    List<Flow> flows = new ArrayList<>();
    if (shard.columns() > 1) {
      for (int j = 0; j < shard.classes(); j++) {
        flows.add(new Flow(j, sum.labels.indexOf(shard.label(j)), 1));
      }
      return flows;
    }
    int own = sum.labels.indexOf(shard.label(0));
    flows.add(new Flow(0, own, -0.5));
    if (shard.classes() == 2) {
      flows.add(new Flow(0, sum.labels.indexOf(shard.label(1)), 0.5));
      return flows;
    }
    for (int j = 0; j < columns; j++) {
      if (j != own) {
        flows.add(new Flow(0, j, 0.5 / (columns - 1)));
      }
    }
    return flows;
  }

  private static double squaredNorm(FirstOrderEngine learner) {
    FirstOrder solver = learner.solver;
    double norm = 0;
    for (int i = 0; i < learner.set.size(); i++) {
      learner.distances.fillFromPoint(learner.set, i, learner.kernel);
      norm +=
          solver.coefficient(0, i)
              * solver.score(0, learner.distances.kernel(), learner.distances.size());
    }
    return norm;
  }
}
