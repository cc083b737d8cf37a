// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command of docs/scale.md runs in the orders that change the rows; what it measures here means
 * nothing.
 */
class ShardAccuracyTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"rotated", "flipped"})
  void curve(String order) throws Exception {
    Path data = Path.of(System.getProperty("avm4j.data", ""));
    Assumptions.assumeTrue(
        Files.isRegularFile(data.resolve("ijcnn1/ijcnn1.xz")),
        "SKIPPED, -Davm4j.data=<folder> must hold ijcnn1/ijcnn1.xz");
    Path svg = folder.resolve("curve.svg");
    ShardAccuracy.main(
        new String[] {
          data.toString(), "ijcnn1", order, "2500", "1200", "1,3", "1000", svg.toString()
        });
    assertTrue(Files.readString(svg).contains("start, 1k"), order);
  }
}
