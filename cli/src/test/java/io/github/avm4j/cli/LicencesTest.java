// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

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
import org.junit.jupiter.api.Test;

/**
 * The distribution's list of other people's work, THIRD-PARTY.md: made from the POMs of the jars in
 * {@code lib} and {@code lib/serve}, and equal to the one in the sources, so that a change of
 * dependencies shows in review. {@code -Davm4j.update=true} writes it anew.
 */
class LicencesTest {
  private static final Path LIST = Path.of("src", "main", "dist", "THIRD-PARTY.md");

  /** As dependency:build-classpath left them in both modules. */
  private static List<Path> jars(String module) throws Exception {
    Path file = Path.of("..", module, "target", "runtime-jars.txt");
    List<Path> jars = new ArrayList<>();
    for (String jar : Files.readString(file).strip().split(File.pathSeparator)) {
      jars.add(Path.of(jar));
    }
    return jars;
  }

  @Test
  void everyJarHasALicenceWeMayShipUnderAndIsListed() throws Exception {
    Set<String> rows = new TreeSet<>();
    for (String module : List.of("cli", "serve")) {
      List<Path> jars = jars(module);
      assertTrue(jars.size() > 10, module + " has only " + jars);
      for (Path jar : jars) {
        rows.add(new MavenPom(jar).row());
      }
    }
    String list =
        """
        # Third-party software

        What `lib` and `lib/serve` hold besides avm4j, with the licences that its makers name in their POMs. Of several, any one may
        be chosen. Licence texts and notices are in the jars, under `META-INF`. Kept true by `LicencesTest`.

        | artifact | version | licence |
        |---|---|---|
        """
            + String.join("\n", rows)
            + "\n";
    if (Boolean.getBoolean("avm4j.update")) {
      Files.writeString(LIST, list);
    }
    assertEquals(
        Files.readString(LIST),
        list,
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
