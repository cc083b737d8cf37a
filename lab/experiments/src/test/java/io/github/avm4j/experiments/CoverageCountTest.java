// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.KernelLearner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The cells of the paper's Figure 1, counted as lab/results/coverage.md says. */
class CoverageCountTest {
  @Test
  void spheresOnALine() {
    List<FeatureVector> points =
        DoubleStream.of(0, 1, 2, 3, 4, 5)
            .mapToObj(x -> FeatureVector.dense(new double[] {x}))
            .toList();
    assertEquals(3, CoverageCount.onTheFly(points, 2.1), "around 0, 2 and 4");
    KernelLearner inAdvance = CoverageCount.learner(2.1);
    inAdvance.cover(points);
    assertEquals(2, inAdvance.cells(), "around 1 and 4");
  }

  @Test
  void theTableIsThatOfThePage() throws Exception {
    Path data = Path.of(System.getProperty("avm4j.data", ""));
    Assumptions.assumeTrue(
        Files.isRegularFile(data.resolve("a9a/a9a.xz")),
        "SKIPPED, -Davm4j.data=<folder> must hold a9a/a9a.xz");
    String table = CoverageCount.table(data);
    String page = Files.readString(Path.of("..", "results", "coverage.md"));
    assertTrue(page.contains(table), table);
  }
}
