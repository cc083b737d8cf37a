// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The learner of MOA that errs least on a stream, of those that the arena has run so far. */
final class BestOfMoa {
  private final List<JsonNode> done = new ArrayList<>();

  /** Of a file of the arena's results; of nothing if there is none. */
  BestOfMoa(Path results) throws IOException {
    ObjectMapper json = new ObjectMapper();
    for (String line : Files.exists(results) ? Files.readAllLines(results) : List.<String>of()) {
      JsonNode entry = json.readTree(line);
      boolean whole =
          entry.path("rows").asInt(-1) == 0 && entry.path("status").asText().equals("done");
      if (whole && entry.path("learner").asText().startsWith("moa-")) {
        done.add(entry);
      }
    }
  }

  /** The result with the least error on the stream, if it has so many instances. */
  Optional<JsonNode> on(String stream, long instances) {
    return done.stream()
        .filter(entry -> entry.path("stream").asText().equals(stream))
        .filter(entry -> entry.path("instances").asLong() == instances)
        .min(Comparator.comparingDouble(entry -> entry.path("error").asDouble()));
  }
}
