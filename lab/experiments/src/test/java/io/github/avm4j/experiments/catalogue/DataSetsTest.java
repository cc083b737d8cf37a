// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSetsTest {
  private static final Path MIRROR = Path.of(System.getProperty("avm4j.data", "none"));

  @TempDir Path folder;

  private String run(int status, String... words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    int code = DataSets.run(words, out, out);
    String said = bytes.toString(StandardCharsets.UTF_8);
    assertEquals(status, code, said);
    return said;
  }

  private String[] here(String mirror, String... words) {
    String[] all = java.util.Arrays.copyOf(words, words.length + 4);
    all[words.length] = "--cache";
    all[words.length + 1] = folder.toString();
    all[words.length + 2] = "--mirror";
    all[words.length + 3] = mirror;
    return all;
  }

  @Test
  void listSaysWhereSetsComeFrom() {
    String text = run(0, here(folder.toString(), "list"));
    assertTrue(text.lines().skip(1).findFirst().orElse("").startsWith("a9a "), text);
    assertTrue(text.contains("  download  ") && text.contains("  mirror    "), text);
  }

  @Test
  void showTellsLicenceAndFiles() throws IOException {
    JsonNode tree = new ObjectMapper().readTree(run(0, "show", "A9A"));
    assertEquals("a9a", tree.get("name").asText());
    assertTrue(tree.has("licence") && tree.get("files").size() == 2, tree.toString());
  }

  @Test
  void getFindsAMirror() throws IOException {
    assumeTrue(Files.exists(MIRROR.resolve("a9a/a9a.xz")), "no data sets in " + MIRROR);
    String text = run(0, here(MIRROR.toString(), "get", "a9a"));
    assertTrue(text.startsWith("train " + MIRROR.resolve("a9a/a9a.xz")), text);
    String[] json = here(MIRROR.toString(), "get", "a9a", "--json");
    assertEquals(1, new ObjectMapper().readTree(run(0, json)).get("test").size());
  }

  @Test
  void whatIsWrongIsSaid() {
    assertTrue(run(2).contains("--mirror"));
    assertTrue(run(2, "show").contains("show NAME"));
    assertTrue(run(1, "get", "nope").contains("no data set is called \"nope\""));
    assertTrue(run(1, here(folder.toString(), "get", "elec")).contains("variable AVM_MIRROR"));
  }
}
