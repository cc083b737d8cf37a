// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.paper.Coverage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A coverage made in advance (Section 6.2): core points chosen among a sample so that each of its
 * instances lies in the cell of one. The paper leaves open how; found on the fly, the cells depend
 * on the order of the stream and are about twice as many (lab/results/coverage.md).
 *
 * <p>Greedy: each time the cell that holds most instances that are in none yet, the earliest of
 * equals. To find the fewest is NP-hard; greedy takes at most 1 + ½ + … + 1/n times as many, n
 * being the instances of the fullest cell (Chvátal, Mathematics of Operations Research 4, 1979).
 * O(n²·d) time for the sample, n²/8 bytes.
 */
public final class GreedyCover {
  /** Largest sample: its cells take 32 MB. */
  public static final int MOST = 1 << 14;

  private GreedyCover() {}

  /**
   * The chosen instances, in the order of choice.
   *
   * @param sample at most {@link #MOST} instances
   * @param empty a set without points, of the kind that holds them
   */
  public static List<FeatureVector> of(
      Coverage coverage, List<FeatureVector> sample, CoreSet empty) {
    List<BitSet> cells = cells(coverage, sample, empty);
    List<FeatureVector> chosen = new ArrayList<>();
    BitSet left = new BitSet();
    left.set(0, sample.size());
    while (!left.isEmpty()) {
      int best = 0;
      for (int i = 0; i < cells.size(); i++) {
        cells.get(i).and(left);
        best = cells.get(i).cardinality() > cells.get(best).cardinality() ? i : best;
      }
      chosen.add(sample.get(best));
      left.andNot(cells.get(best));
    }
    return chosen;
  }

  /** For each instance, those of the sample that its cell would hold. */
  private static List<BitSet> cells(Coverage coverage, List<FeatureVector> sample, CoreSet empty) {
    List<BitSet> cells = new ArrayList<>();
    CoreDistances distances = new CoreDistances();
    for (FeatureVector centre : sample) {
      BitSet inside = new BitSet(sample.size());
      CoreSet one = empty.copy().roomFor(centre);
      one.append(centre, true);
      for (int j = 0; j < sample.size(); j++) {
        distances.measure(one, sample.get(j));
        inside.set(j, CellSearch.find(coverage, sample.get(j), one, distances) == 0);
      }
      cells.add(inside);
    }
    return cells;
  }
}
