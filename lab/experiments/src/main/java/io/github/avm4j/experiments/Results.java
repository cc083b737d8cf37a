// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Raw results: a file of JSON lines that is only ever appended to, so that a run that was stopped
 * goes on where it was. Of two lines with one key the later counts; a last line that was cut is
 * done again. What a later revision replaced is still there to be compared. Safe for several
 * threads.
 */
public final class Results {
  private final Path file;
  private final ObjectMapper mapper = new ObjectMapper();
  private final Map<String, JsonNode> byKey = new LinkedHashMap<>();
  private final Map<String, JsonNode> earlier = new LinkedHashMap<>();
  private final List<JsonNode> environments = new ArrayList<>();

  /** Reads what is there. */
  public Results(Path file) throws IOException {
    this.file = file;
    if (!Files.exists(file)) {
      return;
    }
    String text = Files.readString(file);
    for (String line : text.split("\n", -1)) {
      if (!line.isBlank()) {
        read(line);
      }
    }
    if (!text.isEmpty() && !text.endsWith("\n")) {
      Files.writeString(file, "\n", StandardOpenOption.APPEND);
    }
  }

  private void read(String line) {
    try {
      keep(mapper.readTree(line));
    } catch (JsonProcessingException cut) {
      System.err.println("left out a line that is no JSON: " + cut.getOriginalMessage());
    }
  }

  private void keep(JsonNode node) {
    if (node.has("key")) {
      JsonNode before = byKey.put(node.get("key").asText(), node);
      if (before != null && Job.revision(before) < Job.revision(node)) {
        earlier.put(node.get("key").asText(), before);
      }
    } else {
      environments.add(node);
    }
  }

  /** Adds a line, which counts from now on. */
  public synchronized void append(JsonNode node) throws IOException {
    String line = mapper.writeValueAsString(node) + "\n";
    Files.write(
        file,
        line.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    keep(node);
  }

  /** The result of a job, unless it failed. */
  Optional<JsonNode> of(Job job) {
    return of(job.key());
  }

  /** The result of that key, unless it failed. */
  public synchronized Optional<JsonNode> of(String key) {
    return Optional.ofNullable(byKey.get(key))
        .filter(node -> !node.get("status").asText().equals("failed"));
  }

  /** Whether the job has a result, not failed and not of an earlier revision. */
  boolean has(Job job) {
    return of(job).filter(node -> Job.revision(node) >= job.revision()).isPresent();
  }

  /** The results of an earlier revision that later ones have replaced. */
  synchronized Collection<JsonNode> earlier() {
    return List.copyOf(earlier.values());
  }

  /** Whether the same job ran out of time on another permutation. */
  synchronized boolean ranOutOfTime(Job job) {
    String anyOrder = job.key().substring(0, job.key().lastIndexOf('|') + 1);
    return byKey.values().stream()
        .filter(node -> node.get("status").asText().equals("out of time"))
        .map(node -> node.get("key").asText())
        .anyMatch(key -> key.substring(0, key.lastIndexOf('|') + 1).equals(anyOrder));
  }

  /** The last line of every key. */
  public synchronized Collection<JsonNode> all() {
    return List.copyOf(byKey.values());
  }

  /** Where results were made, one for each start. */
  public synchronized List<JsonNode> environments() {
    return List.copyOf(environments);
  }
}
