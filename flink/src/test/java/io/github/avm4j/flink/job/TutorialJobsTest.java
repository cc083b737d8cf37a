// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The jobs of the tutorial can be read, and a misspelt key in one is found. */
class TutorialJobsTest {
  private static final Path PAGE = Path.of("..", "docs", "tutorials", "kafka-flink.md");
  private static final Pattern JOB = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @Test
  void jobsAreRead() throws IOException {
    List<String> jobs =
        JOB.matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult job) -> job.group(1))
            .toList();
    assertEquals(2, jobs.size());
    for (String job : jobs) {
      assertEquals("orders", StreamConfig.parse(job, null).name());
      String misspelt = job.replace("  topic:", "  topik:");
      assertThrows(ConfigException.class, () -> StreamConfig.parse(misspelt, null));
    }
  }
}
