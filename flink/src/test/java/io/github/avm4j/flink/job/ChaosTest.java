// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A short chaos, {@code -Davm4j.chaos.seconds=20}; flink/chaos.sh runs it for half an hour. It
 * takes one to three minutes to start and end, so the gate leaves it to FaultTest, which kills the
 * same processes one at a time.
 */
@Tag("cluster")
@EnabledIfSystemProperty(named = "avm4j.chaos.seconds", matches = "[0-9]+")
class ChaosTest {
  @Test
  void aFewKillsLoseNothingAndAreNoticed() throws Exception {
    Path avm = Path.of("..", "cli", "target", "avm", "bin", "avm").toAbsolutePath();
    long seconds = Long.getLong("avm4j.chaos.seconds", 20);
    Chaos.run(seconds, Files.exists(avm) ? avm : null, Long.getLong("avm4j.chaos.seed", 1));
  }
}
