// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands in a process that has little memory. */
class SmallHeapTest {
  @TempDir Path folder;

  private Avm.Result run(String heap, Object... args) throws Exception {
    ProcessBuilder command = new Launcher(folder.resolve("home")).command(args);
    String before = command.environment().getOrDefault("AVM_JAVA_OPTS", "");
    command.environment().put("AVM_JAVA_OPTS", before + " -XX:+UseSerialGC -Xmx" + heap);
    return Launcher.finish(command);
  }

  /** Rows of many non-zeros among very many features, as documents are. */
  private Path documents(int rows, int words) throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      int topic = random.nextInt(2);
      text.append(topic);
      random
          .ints(words, 0, 20_000)
          .map(word -> word / 2 * 2 + (random.nextInt(4) == 0 ? 1 - topic : topic) + 1)
          .distinct()
          .sorted()
          .forEach(word -> text.append(' ').append(word).append(":1"));
      text.append('\n');
    }
    return Files.writeString(folder.resolve("documents.libsvm"), text);
  }

  /** Writing the learner at every point of the curve took several times its size. */
  @Test
  void evaluatingSparseRowsNeedsLittleMoreThanTheLearner() throws Exception {
    Avm.Result result = run("56m", "evaluate", documents(1500, 400), "--json");
    assertEquals(0, result.code(), result.err());
  }

  @Test
  void tooLittleMemoryIsSaidInOneSentence() throws Exception {
    Path data = documents(1500, 400);
    Avm.Result result = run("24m", "evaluate", data, "--shuffle");
    assertEquals(ExitCodes.FAILURE, result.code(), result.err());
    assertTrue(result.lastError().startsWith("avm: "), result.err());
    assertTrue(result.lastError().contains("memory"), result.err());
    assertFalse(result.err().contains("\tat "), result.err());
  }
}
