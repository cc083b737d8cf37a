// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No stream both chooses and judges, and rows are left out and sorted as their names say. */
class StreamTableTest {
  private static final StreamData DATA =
      new StreamData(
          "rows",
          Task.CLASSIFICATION,
          false,
          List.of(
              FeatureVector.dense(2, 1),
              FeatureVector.sparse(new int[] {0, 1}, new double[] {2, 1}),
              FeatureVector.dense(2, 1),
              FeatureVector.dense(2, 0),
              FeatureVector.dense(1, 9),
              FeatureVector.dense(2, 1)),
          List.of(0.0, 0.0, 1.0, 0.0, 1.0, 0.0));

  @Test
  void whatJudgesChoosesNothing() {
    List<String> names =
        Stream.of(StreamTable.DEVELOPMENT, StreamTable.HELD_OUT)
            .flatMap(sources -> sources.stream().map(StreamTable.Source::name))
            .toList();
    Set<String> different = new HashSet<>(names);
    assertEquals(names.size(), different.size(), names.toString());
  }

  @Test
  void equalRowsAreLeftOut() {
    StreamData left = DATA.distinct();
    assertEquals(List.of(0.0, 0.0, 1.0, 0.0, 1.0), left.y());
    assertTrue(left.x().get(1).isSparse(), "the sparse row is not the dense one");
  }

  @Test
  void rowsAreSortedByFeaturesInTurn() {
    StreamData sorted = DATA.by(0, 1);
    assertTrue(sorted.ordered());
    assertEquals(List.of(1.0, 0.0, 0.0, 0.0, 1.0, 0.0), sorted.y());
    assertEquals(List.of(0.0, 0.0, 1.0, 0.0, 1.0, 0.0), DATA.y(), "the old order stays");
  }
}
