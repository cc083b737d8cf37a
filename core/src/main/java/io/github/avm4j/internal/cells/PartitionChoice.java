// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.cells;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.partition.Centres;
import io.github.avm4j.partition.Partition;
import io.github.avm4j.partition.SplitTree;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides the space by a tree of thresholds if that is clearly better than around centres, for the
 * instances at hand. Both are found from the first half of them. Small engines, one in each cell,
 * then learn all of them, one after the other, and their losses in the second half are compared.
 */
final class PartitionChoice {
  /** Most instances that are looked at. */
  private static final int SAMPLE = 8000;

  /** Most instances that a tree is grown on. */
  private static final int TREE_SAMPLE = 16_000;

  /** Core points of an engine that is taught only to compare. */
  private static final int BUDGET = 128;

  /** The tree must lower the loss to so much, and mistakes by any. */
  private static final double CLEARLY = 0.97;

  /** Log losses of scores as they are, and sharpened twice and four times. */
  private static final int SHARPNESS = 3;

  private final List<StoredInstances.Kept> instances;
  private final Scaling scaling;
  private final SecondOrderConfig config;

  private PartitionChoice(
      List<StoredInstances.Kept> instances, Scaling scaling, SecondOrderConfig config) {
    this.instances = instances;
    this.scaling = scaling;
    this.config =
        config.toBuilder().budget(Math.min(BUDGET, config.budget())).forgetting(1).build();
  }

  /**
   * The partition; null if the instances are too few, or of two forms.
   *
   * @param all instances, before scaling
   * @param scaling in which distances are measured
   * @param config of the engine of the whole space
   * @param count most cells
   */
  static @Nullable Partition of(
      StoredInstances all, Scaling scaling, SecondOrderConfig config, int count) {
    CoreSet points = KMeans.ofSample(all.vectors(), scaling, count);
    if (points == null) {
      return null;
    }
    PartitionChoice choice =
        new PartitionChoice(sample(config.task(), all, SAMPLE), scaling, config);
    SplitTree tree =
        choice.isTreeBetter(count)
            ? TreeGrowth.grow(config.task(), sample(config.task(), all, TREE_SAMPLE), count)
            : null;
    return tree == null ? new Centres(scaling, points) : tree;
  }

  /** At most so many instances, evenly spread; outliers among targets of a regression are cut. */
  private static List<StoredInstances.Kept> sample(Task task, StoredInstances all, int most) {
    int size = Math.min(most, all.size());
    double[] targets = task == Task.REGRESSION ? all.targets(all.meanTarget()) : all.labels();
    return IntStream.range(0, size)
        .map(i -> (int) ((long) i * all.size() / size))
        .mapToObj(i -> cut(all.list().get(i), targets[i]))
        .toList();
  }

  private static StoredInstances.Kept cut(StoredInstances.Kept one, double target) {
    return new StoredInstances.Kept(one.x(), target, one.weight());
  }

  private boolean isTreeBetter(int count) {
    List<StoredInstances.Kept> first = instances.subList(0, instances.size() / 2);
    SplitTree tree = TreeGrowth.grow(config.task(), first, count);
    List<FeatureVector> vectors = first.stream().map(StoredInstances.Kept::x).toList();
    CoreSet points = tree == null ? null : KMeans.ofSample(vectors, scaling, count);
    if (tree == null || points == null) {
      return false;
    }
    Losses around = taught(new Centres(scaling, points), first.size());
    Losses split = taught(tree, first.size());
    return split.loss < CLEARLY * around.loss && split.mistakes < around.mistakes;
  }

  /** The sum of losses, at their sharpest, and of mistakes or squared errors. */
  private record Losses(double loss, double mistakes) {}

  private Losses taught(Partition partition, int from) {
    SecondOrderEngine[] engines = new SecondOrderEngine[partition.size()];
    Arrays.setAll(engines, i -> new SecondOrderEngine(config));
    Scaling.Scaler scaler = new Scaling.Scaler(scaling);
    double[] losses = new double[SHARPNESS];
    double mistakes = 0;
    for (int i = 0; i < instances.size(); i++) {
      StoredInstances.Kept one = instances.get(i);
      SecondOrderEngine engine = engines[partition.indexOf(one.x())];
      FeatureVector z = scaler.scale(one.x());
      double y = one.y();
      double prediction = engine.predict(z);
      engine.learn(z, y, engine.worth(one.weight()));
      if (i >= from) {
        mistakes += one.weight() * Cell.loss(config.task(), prediction, y);
        engine.addLosses(y, one.weight(), losses);
      }
    }
    double loss = Arrays.stream(losses).min().orElseThrow();
    return new Losses(config.task() == Task.REGRESSION ? mistakes : loss, mistakes);
  }
}
