// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The arrows between the modules, as their POMs draw them; what tests need is not counted. */
class ModuleArrowsTest {
  private static final Path ROOT = Path.of("..");

  /** What each module may depend on: the table of ARCHITECTURE.md. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          // What it names it manages; it depends on none of them.
          Map.entry(
              "bom",
              Set.of(
                  "core",
                  "data",
                  "export",
                  "moa",
                  "testkit",
                  "flink",
                  "follow",
                  "follow-kafka",
                  "baselines",
                  "serve",
                  "cli")),
          Map.entry("core", Set.of()),
          Map.entry("testkit", Set.of("core")),
          Map.entry("fixtures", Set.of("core")),
          Map.entry("data", Set.of("core")),
          Map.entry("export", Set.of("core")),
          Map.entry("moa", Set.of("core")),
          Map.entry("baselines", Set.of("core")),
          Map.entry("follow", Set.of("core")),
          Map.entry("follow-kafka", Set.of("follow")),
          Map.entry("serve", Set.of("core", "follow", "follow-kafka")),
          Map.entry("flink", Set.of("core", "data", "follow", "follow-kafka")),
          Map.entry(
              "cli",
              Set.of(
                  "core",
                  "data",
                  "export",
                  "baselines",
                  "flink",
                  "serve",
                  "follow",
                  "follow-kafka")),
          Map.entry("examples", Set.of("core", "data", "export")));

  @Test
  void modulesSeeOnlyWhatTheyMay() throws Exception {
    Document parent = parse(ROOT.resolve("pom.xml"));
    NodeList modules = parent.getElementsByTagName("module");
    for (int i = 0; i < modules.getLength(); i++) {
      String module = modules.item(i).getTextContent().strip();
      Set<String> allowed = ALLOWED.get(module);
      assertNotNull(allowed, "say here and in ARCHITECTURE.md what " + module + " may depend on");
      Set<String> forbidden = new TreeSet<>(arrows(module));
      forbidden.removeAll(allowed);
      assertEquals(Set.of(), forbidden, module + " must not depend on these");
    }
  }

  private static Set<String> arrows(String module) throws Exception {
    Set<String> arrows = new TreeSet<>();
    Path pom = ROOT.resolve(module).resolve("pom.xml");
    NodeList dependencies = parse(pom).getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      String artifact = text(dependency, "artifactId");
      boolean ours = text(dependency, "groupId").equals("io.github.avm4j");
      if (ours && !text(dependency, "scope").equals("test")) {
        arrows.add(artifact.replaceFirst("avm4j-", ""));
      }
    }
    return arrows;
  }

  private static String text(Element element, String name) {
    NodeList found = element.getElementsByTagName(name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }

  private static Document parse(Path file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(Files.newInputStream(file));
  }

  /** The names of the table are those of folders, so that a typing error cannot allow anything. */
  @Test
  void theTableNamesModulesThatExistOrArePlanned() throws Exception {
    List<String> planned = List.of("baselines", "serve", "flink");
    for (String module : ALLOWED.keySet()) {
      boolean known = Files.exists(ROOT.resolve(module)) || planned.contains(module);
      assertEquals(true, known, module);
    }
  }
}
