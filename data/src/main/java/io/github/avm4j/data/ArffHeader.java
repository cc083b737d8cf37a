// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The declarations before an ARFF file's {@code @data}. */
final class ArffHeader {
  private static final long LONGEST = 1L << 26;

  /** What an attribute holds. */
  enum Type {
    NUMERIC,
    NOMINAL,
    TEXT
  }

  /**
   * One declared attribute.
   *
   * @param values a nominal attribute's values
   * @param first its first value, which sparse rows leave out
   */
  record Attribute(String name, Type type, Set<String> values, @Nullable String first) {}

  private final String file;
  private final List<Attribute> attributes = new ArrayList<>();

  private ArffHeader(String file) {
    this.file = file;
  }

  /** Reads up to and with {@code @data}. */
  static List<Attribute> read(String file, LineSource lines) throws IOException {
    ArffHeader header = new ArffHeader(file);
    long bytes = 0;
    while (lines.next()) {
      bytes += lines.to() - lines.from();
      if (bytes > LONGEST || header.attributes.size() > Layout.MOST) {
        throw header.bad(lines, "the header is too long");
      }
      String line =
          new String(
                  lines.buffer(), lines.from(), lines.to() - lines.from(), StandardCharsets.UTF_8)
              .strip();
      String word = line.split("[\\s{]", 2)[0].toLowerCase(Locale.ROOT);
      if (word.equals("@data")) {
        return header.attributes;
      }
      if (word.equals("@attribute")) {
        header.attribute(lines, line.substring(word.length()).strip());
      } else if (!line.isEmpty() && !line.startsWith("%") && !word.equals("@relation")) {
        throw header.bad(lines, "@attribute or @data is expected before rows");
      }
    }
    throw new BadFileException(file + ": the file ends before @data");
  }

  private void attribute(LineSource lines, String declaration) throws BadFileException {
    ArffText name = ArffText.at(declaration, 0, "{");
    String type = name == null ? "" : declaration.substring(name.end()).strip();
    if (name == null || type.isEmpty()) {
      throw bad(lines, "an attribute is written @attribute name type");
    }
    if (type.startsWith("{")) {
      attributes.add(nominal(lines, name.text(), type));
      return;
    }
    Type found =
        switch (type.split("[\\s\\[]", 2)[0].toLowerCase(Locale.ROOT)) {
          case "numeric", "real", "integer" -> Type.NUMERIC;
          case "string", "date" -> Type.TEXT;
          default ->
              throw bad(lines, "numeric, {values}, string or date is expected, not this type");
        };
    attributes.add(new Attribute(name.text(), found, Set.of(), null));
  }

  private Attribute nominal(LineSource lines, String name, String type) throws BadFileException {
    Set<String> values = new java.util.LinkedHashSet<>();
    int i = 1;
    while (true) {
      ArffText value = ArffText.at(type, i, ",}");
      if (value == null || value.end() == type.length()) {
        throw bad(lines, "the list of values has no end");
      }
      if (!value.text().isEmpty()) {
        values.add(value.text());
      }
      i = value.end() + 1;
      if (type.charAt(value.end()) == '}') {
        String first = values.isEmpty() ? null : values.iterator().next();
        return new Attribute(name, Type.NOMINAL, values, first);
      }
    }
  }

  private BadFileException bad(LineSource lines, String problem) {
    String text =
        new String(
            lines.buffer(),
            lines.from(),
            Math.min(100, lines.to() - lines.from()),
            StandardCharsets.UTF_8);
    return new BadFileException(
        new Position(file, lines.line())
            + ": "
            + problem
            + ", found \""
            + BadRowException.shorten(text)
            + "\"");
  }
}
