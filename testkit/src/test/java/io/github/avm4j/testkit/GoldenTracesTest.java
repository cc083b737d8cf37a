// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What {@link GoldenTraces} prints is what {@code traces.txt} says. {@code -Davm4j.update=true}
 * writes the file anew; a change of it is seen in review.
 */
class GoldenTracesTest {
  private static final Path FILE = Path.of("src/test/resources/traces.txt");

  @Test
  void areWhatTheyWere() throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Davm4j.simd=off",
                "-ea",
                "-XX:+UseSerialGC",
                "-cp",
                KnownNumbersTest.classPath(),
                GoldenTraces.class.getName())
            .redirectErrorStream(true)
            .start();
    child.getOutputStream().close();
    String traces = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, child.waitFor(), traces);
    String architecture = System.getProperty("os.arch");
    assumeTrue(
        "amd64".equals(architecture),
        "traces resume as they should, and are recorded for amd64, not " + architecture);
    if (Boolean.getBoolean("avm4j.update")) {
      Files.writeString(FILE, traces);
    }
    assertEquals(
        comparable(Files.readString(FILE)),
        comparable(traces),
        "an engine gives other bits: if that is meant, run this test with -Davm4j.update=true");
  }

  /** Recorded with JDK 17: from 19 on {@link Double#toString} writes fewer digits into cells. */
  private static String comparable(String traces) {
    boolean digits = Runtime.version().feature() < 19;
    return traces
        .lines()
        .filter(line -> digits || !line.startsWith("rows"))
        .collect(Collectors.joining("\n"));
  }
}
