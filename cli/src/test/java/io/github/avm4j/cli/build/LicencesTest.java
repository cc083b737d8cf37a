// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The lists of other people's work in what is shipped, THIRD-PARTY.md: made from the POMs of the
 * jars, and equal to those in the sources, so that a change of dependencies shows in review. {@code
 * -Davm4j.update=true} writes them anew.
 */
class LicencesTest {

  /** As dependency:build-classpath left them in a module. */
  private static List<Path> jars(Path file) throws Exception {
    List<Path> jars = new ArrayList<>();
    for (String jar : Files.readString(file).strip().split(File.pathSeparator)) {
      jars.add(Path.of(jar));
    }
    assertTrue(jars.size() > 10, file + " has only " + jars);
    return jars;
  }

  @Test
  void everyJarOfTheCommandHasALicenceWeMayShipUnderAndIsListed() throws Exception {
    check(
        Path.of("src", "main", "dist", "THIRD-PARTY.md"),
        "`lib` and `lib/serve` hold",
        List.of(
            Path.of("target", "runtime-jars.txt"),
            Path.of("..", "serve", "target", "runtime-jars.txt")));
  }

  @Test
  void soHasEveryJarOfTheStreamAddOn() throws Exception {
    Path target = Path.of("..", "flink", "target");
    Assumptions.assumeTrue(
        Files.exists(target.resolve("runtime-jars.txt")),
        "SKIPPED, the flink module has not been built: mvn -pl flink -am process-classes");
    check(
        Path.of("..", "flink", "src", "main", "dist", "THIRD-PARTY.md"),
        "the add-on's `lib` holds",
        List.of(target.resolve("compile-jars.txt"), target.resolve("runtime-jars.txt")));
  }

  /** Two versions of one jar on a class path are a matter of luck. */
  @Test
  void theStreamAddOnHasEachJarOnceAndItsBillOfMaterials() throws Exception {
    Path target = Path.of("..", "flink", "target");
    Path home = null;
    try (Stream<Path> folders = Files.exists(target) ? Files.list(target) : Stream.empty()) {
      home = folders.filter(f -> f.toString().contains("avm4j-stream-")).findAny().orElse(null);
    }
    Assumptions.assumeTrue(
        home != null, "SKIPPED, the add-on has not been built: mvn -pl flink -am package");
    Set<String> names = new TreeSet<>();
    try (Stream<Path> jars = Files.list(home.resolve("stream").resolve("lib"))) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString().replaceAll("-[0-9].*", "");
        assertTrue(names.add(name), name + " is there twice: " + home);
      }
    }
    String bom = Files.readString(home.resolve("stream").resolve("sbom.cdx.json"));
    assertTrue(bom.contains("pkg:maven/at.yawk.lz4/lz4-java@"), bom);
  }

  private static void check(Path list, String where, List<Path> lists) throws Exception {
    Set<String> rows = new TreeSet<>();
    for (Path file : lists) {
      for (Path jar : jars(file)) {
        rows.add(new MavenPom(jar).row());
      }
    }
    String text =
        """
        # Third-party software

        What %s besides avm4j, with the licences that its makers name in their POMs. Of several, any one may
        be chosen. Licence texts and notices are in the jars, under `META-INF`. Kept true by `LicencesTest`.

        | artifact | version | licence |
        |---|---|---|
        """
                .formatted(where)
            + String.join("\n", rows)
            + "\n";
    if (Boolean.getBoolean("avm4j.update")) {
      Files.writeString(list, text);
    }
    assertEquals(
        Files.readString(list),
        text,
        "dependencies have changed: see docs/dependencies.md, licences of what is shipped");
  }

  @Test
  void whatIsNotAllowedIsRefused() {
    for (String name : new String[] {"GNU General Public License v3", "LGPL-2.1", "My own", ""}) {
      assertThrows(IllegalStateException.class, () -> MavenPom.licence("a", List.of(name)), name);
    }
    assertThrows(IllegalStateException.class, () -> MavenPom.licence("a", List.of()));
    assertEquals("MIT", MavenPom.licence("a", List.of("GPLv3", "The MIT License")));
    assertEquals(
        "Apache-2.0", MavenPom.licence("a", List.of("The Apache Software License, Version 2.0")));
  }
}
