// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/**
 * The pages and pictures of the site that are made of the code are those that the code makes;
 * {@code -Davm4j.update=true} writes them anew.
 */
class SitePagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path REFERENCE = ROOT.resolve("docs/reference");
  private static final Path IMAGES = ROOT.resolve("docs/images");

  @Test
  void commands() throws IOException {
    compare(REFERENCE.resolve("commands.md"), SitePages.commands(), text -> text);
  }

  @Test
  void settings() throws IOException {
    String page = SitePages.settings(ROOT);
    for (Class<?> builder : List.of(AutoConfig.Builder.class, AvmConfig.Builder.class)) {
      for (String name : SitePages.setterNames(builder)) {
        assertTrue(page.contains("| `" + name), () -> name + " of " + builder);
      }
    }
    compare(REFERENCE.resolve("settings.md"), page, text -> text);
  }

  /** The last digits of sums depend on the width of vectors, so figures may differ. */
  @Test
  void demo() throws IOException {
    compare(ROOT.resolve("site/demo.txt"), SitePages.demo(), SitePagesTest::withoutFigures);
  }

  @Test
  void drawings() throws Exception {
    for (Drawing drawing : Drawing.all()) {
      String svg = drawing.svg();
      Path file = IMAGES.resolve(drawing.name());
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg)));
      if (Boolean.getBoolean("avm4j.update")) {
        Files.writeString(file, svg);
      }
      String kept = Files.readString(file);
      assertEquals(count(kept, "<circle"), count(svg, "<circle"), 0.1 * count(svg, "<circle"));
      assertEquals(withoutFigures(texts(kept)), withoutFigures(texts(svg)), drawing.name());
    }
  }

  private static void compare(Path file, String made, UnaryOperator<String> form)
      throws IOException {
    if (Boolean.getBoolean("avm4j.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, made);
    }
    assertEquals(
        form.apply(Files.readString(file)),
        form.apply(made),
        file + " is not what the code makes: if that is meant, run with -Davm4j.update=true");
  }

  private static String withoutFigures(String text) {
    return text.replaceAll("[0-9][0-9.,]*", "0")
        .replaceAll("[|#o ]*\n", "\n")
        .replaceAll(" +", " ");
  }

  private static String texts(String svg) {
    return String.join("\n", svg.lines().filter(line -> line.contains("<text")).toList())
        .replaceAll("<text[^>]*>", "");
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }
}
