// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataCommandTest {
  @TempDir Path folder;

  @Test
  void listNamesTheSets() throws IOException {
    Avm.Result text = Avm.run("data", "list");
    assertEquals(0, text.code(), text.err());
    assertTrue(text.out().lines().skip(1).findFirst().orElse("").startsWith("a9a "), text.out());
    JsonNode tree = new ObjectMapper().readTree(Avm.run("data", "list", "--json").out());
    assertEquals(text.out().lines().count() - 1, tree.size());
    assertEquals(123, tree.get(0).get("features").asInt());
  }

  @Test
  void showTellsLicenceAndFiles() throws IOException {
    Avm.Result text = Avm.run("data", "show", "a9a");
    assertTrue(text.out().contains("licence "), text.out());
    assertTrue(text.out().contains("\nfile       role=train"), text.out());
    JsonNode tree = new ObjectMapper().readTree(Avm.run("data", "show", "A9A", "--json").out());
    assertEquals("a9a", tree.get("name").asText());
  }

  @Test
  void sayingNothingIsWrongUsage() {
    assertEquals(2, Avm.run("data").code());
    assertEquals(2, Avm.run("data", "show").code());
  }

  @Test
  void getFindsAMirror() throws IOException {
    Path mirror = Path.of(System.getProperty("avm4j.data", "."));
    Assumptions.assumeTrue(
        Files.exists(mirror.resolve("a9a/a9a.xz")), "skipped: no data sets in " + mirror);
    Avm.Result text = Avm.run("data", "get", "a9a", "--mirror", mirror, "--cache", folder);
    assertEquals(0, text.code(), text.err());
    assertTrue(text.out().startsWith("train " + mirror.resolve("a9a/a9a.xz")), text.out());
    String json =
        Avm.run("data", "get", "a9a", "--mirror", mirror, "--cache", folder, "--json").out();
    assertEquals(1, new ObjectMapper().readTree(json).get("test").size());
  }
}
