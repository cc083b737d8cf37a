// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.build;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The POM beside a jar of a Maven repository, with its parents: what licence its makers name. */
final class MavenPom {
  /** Names as POMs have them; the first that fits. What none fits is refused, GPL among it. */
  private static final Map<Pattern, String> ALLOWED = new LinkedHashMap<>();

  static {
    allow("Apache-2.0", "(the )?apache.*\\b2(\\.0)?\\b.*");
    allow("MIT", "(the )?mit( license)?( \\(mit\\))?");
    allow("MIT-0", "mit-0");
    allow("0BSD", "0bsd");
    allow("BSD-2-Clause", "(simplified|new)? ?bsd[- ]2[- ]clause.*|the bsd 2-clause.*");
    allow(
        "BSD-3-Clause",
        ".*bsd[- ]3[- ]clause.*|3-clause bsd.*|(new |revised )bsd.*|eclipse distribution.*");
    allow("EPL-2.0", "eclipse public license.*2\\.0|epl-2\\.0");
    allow("CC0-1.0", "cc0.*|public domain.*");
    allow("CDDL-1.1", "cddl.*");
  }

  private final Path jar;

  MavenPom(Path jar) {
    this.jar = jar;
  }

  private static void allow(String spdx, String name) {
    ALLOWED.put(Pattern.compile(name, Pattern.CASE_INSENSITIVE), spdx);
  }

  /** A line of the list. */
  String row() throws Exception {
    Path version = parent(jar);
    Path artifact = parent(version);
    Path pom = version.resolve(artifact.getFileName() + "-" + version.getFileName() + ".pom");
    Element project = read(pom);
    String group = text(project, "groupId");
    String named =
        (group.isEmpty() ? text(child(project, "parent"), "groupId") : group)
            + ":"
            + artifact.getFileName();
    Path root = parent(artifact);
    for (int k = named.substring(0, named.indexOf(':')).split("\\.").length; k > 0; k--) {
      root = parent(root);
    }
    String licence = licence(named, licences(project, root));
    return "| " + named + " | " + version.getFileName() + " | " + licence + " |";
  }

  /** Those that are allowed among the names; one is enough. */
  static String licence(String artifact, List<String> names) {
    TreeSet<String> found = new TreeSet<>();
    for (String name : names) {
      ALLOWED.forEach(
          (pattern, spdx) -> {
            if (pattern.matcher(name).matches()) {
              found.add(spdx);
            }
          });
    }
    if (found.isEmpty()) {
      throw new IllegalStateException(
          artifact + " may not be shipped under " + names + "; leave it out or clear it first");
    }
    return String.join(" or ", found);
  }

  /** The nearest POM that names any. */
  private static List<String> licences(Element project, Path root) throws Exception {
    Element licenses = child(project, "licenses");
    List<String> names = new ArrayList<>();
    for (Element license : children(licenses, "license")) {
      names.add(text(license, "name"));
    }
    Element up = child(project, "parent");
    if (!names.isEmpty() || up == null) {
      return names;
    }
    String artifact = text(up, "artifactId");
    String version = text(up, "version");
    Path folder = root.resolve(text(up, "groupId").replace('.', '/')).resolve(artifact);
    return licences(read(folder.resolve(version).resolve(artifact + "-" + version + ".pom")), root);
  }

  private static Path parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IOException(path + " is not in a Maven repository");
    }
    return parent;
  }

  private static Element read(Path pom) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
  }

  private static List<Element> children(Element of, String name) {
    List<Element> found = new ArrayList<>();
    for (Node n = of == null ? null : of.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static Element child(Element of, String name) {
    List<Element> found = children(of, name);
    return found.isEmpty() ? null : found.get(0);
  }

  private static String text(Element of, String name) {
    Element found = child(of, name);
    return found == null ? "" : found.getTextContent().strip();
  }
}
