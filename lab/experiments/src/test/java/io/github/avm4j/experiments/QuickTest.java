// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick run, from files to report, and that a second start has nothing left to do. */
class QuickTest {
  @TempDir Path folder;

  @Test
  void orderingsHold() throws Exception {
    Path data = Path.of(System.getProperty("avm4j.data", ""));
    Assumptions.assumeTrue(
        Files.isRegularFile(data.resolve("casp/CASP.csv.xz")),
        "SKIPPED, -Davm4j.data=<folder> must hold casp/CASP.csv.xz");
    String[] command = {
      "--quick",
      "--seeds",
      "1",
      "--data",
      data.toString(),
      "--tables",
      folder.toString(),
      "--memory",
      "600m"
    };
    assertEquals(0, Main.run(command));
    Path results = folder.resolve("reproduction/results.jsonl");
    int lines = Files.readAllLines(results).size();
    assertTrue(Files.readString(folder.resolve("reproduction.md")).contains("### casp"));
    assertEquals(0, Main.run(command));
    assertEquals(lines + 1, Files.readAllLines(results).size(), "only the environment again");
  }
}
