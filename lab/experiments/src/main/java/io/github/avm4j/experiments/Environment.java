// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.model.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Where and when results are made: one line of a results file for each start. */
public final class Environment {
  private Environment() {}

  /** This process, now. */
  public static ObjectNode here() throws IOException {
    Provenance here = Provenance.here(0);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("started", Instant.now().toString()).put("jdk", here.jdk());
    node.put("machine", here.architecture()).put("processor", processor());
    return node.put("simd", here.simd()).put("library", here.library());
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return "unknown";
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
