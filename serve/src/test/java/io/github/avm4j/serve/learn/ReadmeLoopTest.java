// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.serve.RunningServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loop of README.md, as it stands there, with curl: from nothing to a falling error. */
class ReadmeLoopTest {
  private static final String BEGIN = "```bash\navm serve --learn loop & sleep 5\n";

  @TempDir Path folder;

  private static boolean hasCurl() throws InterruptedException {
    try {
      ProcessBuilder curl = new ProcessBuilder("bash", "-c", "curl --version");
      return curl.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void theErrorFalls() throws Exception {
    assumeTrue(hasCurl(), "needs bash and curl");
    String readme = Files.readString(Path.of("..", "README.md"));
    int from = readme.indexOf(BEGIN) + BEGIN.length();
    assertTrue(from > BEGIN.length(), "README.md has no loop");
    String loop = readme.substring(from, readme.indexOf("```", from));
    assertTrue(loop.lines().count() <= 9, loop);
    List<JsonNode> replies;
    try (RunningServer server =
        new RunningServer((Path) null, "--learn=" + folder.resolve("loop"))) {
      String here = "127.0.0.1:" + server.server().port();
      Process process =
          new ProcessBuilder("bash", "-c", loop.replace("localhost:8080", here))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), said);
      try (MappingIterator<JsonNode> all =
          new ObjectMapper().readerFor(JsonNode.class).readValues(said)) {
        replies = all.readAll();
      }
    }
    JsonNode early = replies.get(9);
    JsonNode last = replies.get(replies.size() - 1);
    assertEquals(replies.size(), last.get("rows").asInt());
    double error = last.get("error").asDouble();
    assertTrue(error < 0.2 && error < early.get("error").asDouble(), early + " " + last);
    assertTrue(error < last.get("baseline").asDouble() / 2, last.toString());
  }
}
