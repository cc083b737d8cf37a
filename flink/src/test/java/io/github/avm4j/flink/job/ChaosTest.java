// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short chaos; flink/chaos.sh runs it for half an hour. */
@Tag("cluster")
class ChaosTest {
  @Test
  void aFewKillsLoseNothingAndAreNoticed() throws Exception {
    Path avm = Path.of("..", "cli", "target", "avm", "bin", "avm").toAbsolutePath();
    long seconds = Long.getLong("avm4j.chaos.seconds", 20);
    Chaos.run(seconds, Files.exists(avm) ? avm : null, Long.getLong("avm4j.chaos.seed", 1));
  }
}
