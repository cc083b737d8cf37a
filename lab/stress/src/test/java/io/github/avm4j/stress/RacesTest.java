// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;

/**
 * Runs every stress test: once, in one compilation mode, which shows that they run and little more;
 * with {@code -Davm4j.stress=quick} for minutes in many, which finds races.
 */
class RacesTest {
  private static final String MODE = System.getProperty("avm4j.stress", "sanity");

  @Test
  void noneIsFound(@TempDir Path folder) throws Exception {
    Path log = folder.resolve("log");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(java, "-cp", path, Main.class.getName(), "-sc", "false", "-m", MODE));
    if (MODE.equals("sanity")) {
      command.addAll(List.of("-jvmArgs", "-XX:TieredStopAtLevel=1"));
    }
    int code =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    String said = Files.readString(log);
    assertEquals(0, code, said);
    for (String line :
        List.of(
            "Failed tests: No matches",
            "Error tests: No matches",
            "All remaining tests: 6 matching test results")) {
      assertTrue(said.contains(line), said);
    }
  }
}
