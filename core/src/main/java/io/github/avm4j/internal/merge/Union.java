// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import static io.github.avm4j.internal.coreset.CellSearch.NONE;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CellSearch;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.firstorder.FirstOrderSum.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Several core sets made one under a coverage and a budget, and what stands for each of their
 * points.
 *
 * <p>The points come in turn: the first of each set, then the second of each, as they would have
 * come in one stream. Each is treated as the learner treats an instance: a centre inside a cell is
 * left to that cell, any other becomes a centre; a point that was kept exactly is kept exactly;
 * beyond the budget {@link WhenFull} decides. What is left to a core point is left to its {@link
 * Neighbourhood}, which is never farther in feature space. A point moves at most once.
 *
 * <p>O(N·S·d) for N points given and S kept, dense; O(N·S·nnz) sparse.
 */
public final class Union {
  private record Moved(int shard, int point, FeatureVector x) {}

  private final AvmConfig config;
  private final CoreDistances distances = new CoreDistances();
  private final List<Share> shares = new ArrayList<>();
  private final Map<Integer, List<Moved>> moved = new TreeMap<>();
  private CoreSet set;
  private long absorbed;
  private long refused;

  public Union(AvmConfig config, List<CoreSet> sets) {
    this.config = config;
    // A vector of any length fits a sparse set, so one that is sparse makes the union so.
    boolean sparse = sets.stream().anyMatch(CoreSet::isOpenEnded);
    this.set = sparse ? CoreSet.sparse(config.features()) : CoreSet.dense(sets.get(0).dimension());
    int longest = sets.stream().mapToInt(CoreSet::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (int s = 0; s < sets.size(); s++) {
        if (i < sets.get(s).size()) {
          place(new Moved(s, i, sets.get(s).point(i)), sets.get(s).isCentre(i));
        }
      }
    }
    moved.forEach(this::share);
  }

  private void place(Moved point, boolean centre) {
    distances.measure(set, point.x);
    int cell = centre ? CellSearch.find(config.coverage(), point.x, set, distances) : NONE;
    boolean full = config.budget() > 0 && set.size() >= config.budget();
    if (cell != NONE) {
      move(point, cell);
    } else if (!full) {
      set = set.roomFor(point.x);
      shares.add(new Share(point.shard, point.point, set.append(point.x, centre), 1));
    } else if (config.whenFull() == WhenFull.REFUSE) {
      refused++;
    } else {
      absorbed++;
      move(point, distances.nearest());
    }
  }

  private void move(Moved point, int anchor) {
    moved.computeIfAbsent(anchor, a -> new ArrayList<>()).add(point);
  }

  private void share(int anchor, List<Moved> points) {
    Neighbourhood neighbours = new Neighbourhood(set, anchor, config.kernel());
    for (Moved point : points) {
      double[] weights = neighbours.weights(point.x);
      for (int k = 0; k < weights.length; k++) {
        if (weights[k] != 0) {
          shares.add(new Share(point.shard, point.point, neighbours.slots()[k], weights[k]));
        }
      }
    }
  }

  /** The points kept. */
  public CoreSet set() {
    return set;
  }

  /** What of each point goes where; a point that was refused has none. */
  public List<Share> shares() {
    return shares;
  }

  /** Points outside every cell that core points took because the budget was full. */
  public long absorbed() {
    return absorbed;
  }

  /** Points outside every cell that were dropped because the budget was full. */
  public long refused() {
    return refused;
  }
}
