// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.cli.Avm;
import io.github.avm4j.cli.failure.ExitCodes;
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
    assertEquals(text.out().lines().count() - 2, tree.size(), "a heading and a legend");
    assertEquals(123, tree.get(0).get("features").asInt());
  }

  @Test
  void listSaysWhereSetsComeFrom() throws IOException {
    Object[] none = {"data", "list", "--cache", folder, "--mirror", folder.resolve("none")};
    Avm.Result text = Avm.run(none);
    long download = text.out().lines().filter(line -> line.contains("  download  ")).count();
    long mirror = text.out().lines().filter(line -> line.contains("  mirror    ")).count();
    assertTrue(download > 5 && mirror > 5, text.out());
    assertTrue(text.out().contains("AVM_MIRROR"), text.out());
    Object[] json = {
      "data", "list", "--json", "--cache", folder, "--mirror", folder.resolve("none")
    };
    JsonNode tree = new ObjectMapper().readTree(Avm.run(json).out());
    long here = 0;
    String onlyMirrored = "";
    for (JsonNode set : tree) {
      here += set.get("from").asText().equals("here") ? 1 : 0;
      onlyMirrored =
          set.get("from").asText().equals("mirror") ? set.get("name").asText() : onlyMirrored;
    }
    assertEquals(0, here);
    assertEquals(tree.size(), download + mirror);
    Avm.Result get =
        Avm.run("data", "get", onlyMirrored, "--cache", folder, "--mirror", folder.resolve("none"));
    assertEquals(ExitCodes.FAILURE, get.code());
    assertTrue(get.lastError().contains("variable AVM_MIRROR"), get.err());
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
