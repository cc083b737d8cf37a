// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bill of materials as the build writes it into the distribution. */
class SbomTest {
  private static final Path LICENCES = Path.of("src", "main", "dist", "THIRD-PARTY.md");
  private static final List<Path> LISTS =
      List.of(
          Path.of("target", "runtime-jars.txt"),
          Path.of("..", "serve", "target", "runtime-jars.txt"));

  @TempDir Path folder;

  private String write() throws IOException {
    Path out = folder.resolve("sbom.cdx.json");
    Sbom.main(
        new String[] {
          out.toString(),
          "avm4j",
          "1.2.3",
          LICENCES.toString(),
          LISTS.get(0).toString(),
          LISTS.get(1).toString()
        });
    return Files.readString(out);
  }

  @Test
  void namesEveryJarThatIsShippedWithItsLicenceAndHash() throws Exception {
    Set<String> jars = new TreeSet<>();
    for (Path list : LISTS) {
      jars.addAll(List.of(Files.readString(list).strip().split(File.pathSeparator)));
    }
    String text = write();
    JsonNode bom = new ObjectMapper().readTree(text);
    assertEquals("CycloneDX", bom.path("bomFormat").asText());
    assertEquals("1.2.3", bom.path("metadata").path("component").path("version").asText());
    assertEquals(jars.size(), bom.path("components").size());
    Set<String> purls = new TreeSet<>();
    for (JsonNode component : bom.path("components")) {
      String purl = component.path("purl").asText();
      assertTrue(purls.add(purl), purl + " twice");
      assertTrue(
          component.path("hashes").path(0).path("content").asText().matches("[0-9a-f]{64}"), purl);
      JsonNode licence = component.path("licenses").path(0);
      assertTrue(licence.path("license").has("id") || licence.has("expression"), purl);
    }
    String all = String.join("\n", purls);
    for (String name : List.of("com.linecorp.armeria/armeria@", "info.picocli/picocli@")) {
      assertTrue(all.contains("pkg:maven/" + name), all);
    }
    assertTrue(all.contains("classifier=linux-x86_64&type=jar"), all);
    assertEquals(text, write(), "the same jars give the same bytes");
  }

  @Test
  void refusesAJarWhoseLicenceNobodyListed() throws Exception {
    Path list = folder.resolve("jars.txt");
    Files.writeString(list, "/repository/org/example/unheard-of/1/unheard-of-1.jar");
    String[] args = {
      folder.resolve("a").toString(), "avm4j", "1", LICENCES.toString(), list.toString()
    };
    IOException refused = assertThrows(IOException.class, () -> Sbom.main(args));
    assertTrue(refused.getMessage().contains("unheard-of"), refused.getMessage());
  }
}
