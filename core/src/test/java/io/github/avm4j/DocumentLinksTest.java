// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every relative link in the Markdown files leads to a file, and to a heading if it names one. */
class DocumentLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:src|href)=\"([^\"]+)\"");
  private static final Pattern ELSEWHERE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*");

  @TempDir Path folder;

  @Test
  void everyRelativeLinkResolves() throws IOException {
    List<Path> documents = documents();
    assertTrue(documents.contains(ROOT.resolve("README.md")), () -> "found " + documents);
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents) {
      for (String link : links(document)) {
        links++;
        if (!resolves(document, link)) {
          broken.add(ROOT.relativize(document) + ": " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(links > 100, "only " + links + " links were found");
  }

  @Test
  void brokenLinksAreFound() throws IOException {
    Path page = folder.resolve("page.md");
    Files.writeString(folder.resolve("other.md"), "# What κ-M is, and `δ`\n## Same\n## Same\n");
    Files.writeString(
        page,
        """
        # Here
        [a](other.md) [b](other.md#what-κ-m-is-and-δ) [c](#here) [d](other.md#same-1)
        [e](absent.md) [f](other.md#absent) ![g](absent.svg) [h](https://example.org/absent)
        `[i](absent-in-code.md)`
        ```
        [j](absent-in-a-block.md)
        ```
        """);
    List<String> broken = new ArrayList<>(links(page));
    broken.removeIf(link -> resolves(page, link));
    assertEquals(List.of("absent.md", "other.md#absent", "absent.svg"), broken);
  }

  /** The Markdown files of the repository, without what builds leave. */
  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    List<Path> tops = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT)) {
      top.forEach(tops::add);
    }
    for (Path top : tops) {
      String name = top.getFileName().toString();
      if (name.endsWith(".md")) {
        documents.add(top);
      } else if (List.of("docs", "examples", "deploy", "lab").contains(name)) {
        try (Stream<Path> below = Files.walk(top)) {
          below.filter(DocumentLinksTest::isDocument).forEach(documents::add);
        }
      }
    }
    return documents;
  }

  private static boolean isDocument(Path path) {
    boolean built = ROOT.relativize(path).toString().contains("target");
    return path.toString().endsWith(".md") && !built;
  }

  /** What the links of a page name, without those to other sites. */
  private static List<String> links(Path document) throws IOException {
    List<String> links = new ArrayList<>();
    for (String line : proseOf(document)) {
      Matcher matcher = LINK.matcher(line.replaceAll("`[^`]*`", ""));
      while (matcher.find()) {
        String link = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        if (!ELSEWHERE.matcher(link).matches()) {
          links.add(link);
        }
      }
    }
    return links;
  }

  /** The lines outside blocks of code. */
  private static List<String> proseOf(Path document) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(document, UTF_8)) {
      if (line.strip().startsWith("```")) {
        code = !code;
      } else if (!code) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static boolean resolves(Path document, String link) {
    int hash = link.indexOf('#');
    String file = URLDecoder.decode(hash < 0 ? link : link.substring(0, hash), UTF_8);
    Path parent = document.toAbsolutePath().getParent();
    Path target = file.isEmpty() || parent == null ? document : parent.resolve(file);
    if (!Files.exists(target)) {
      return false;
    }
    try {
      String heading = hash < 0 ? "" : URLDecoder.decode(link.substring(hash + 1), UTF_8);
      return heading.isEmpty() || headings(target).contains(heading);
    } catch (IOException e) {
      throw new IllegalStateException(target.toString(), e);
    }
  }

  /** The anchors of a page's headings, as GitHub makes them. */
  private static Set<String> headings(Path document) throws IOException {
    Set<String> anchors = new HashSet<>();
    for (String line : proseOf(document)) {
      if (line.matches("#{1,6} .*")) {
        String text = line.replaceFirst("#+ ", "").strip().toLowerCase(Locale.ROOT);
        String anchor = text.replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "").replace(' ', '-');
        String unique = anchor;
        for (int copy = 1; !anchors.add(unique); copy++) {
          unique = anchor + "-" + copy;
        }
      }
    }
    return anchors;
  }
}
