// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON lines: one object per line, as {@link JsonRow} reads it. The first object's keys are the
 * columns.
 */
final class JsonRows extends Rows {
  private final LineSource lines;
  private final Layout layout;
  private final JsonRow parser;

  private JsonRows(Input input, ReaderOptions options, Layout layout) {
    lines = new LineSource(input.name(), input.stream(), options.maxLineBytes());
    this.layout = layout;
    parser = new JsonRow(input.name(), layout, options);
  }

  static Rows open(Input input, ReaderOptions options, @Nullable Layout first) throws IOException {
    Layout layout = first != null ? first : Layout.of(input.name(), keys(input, options), options);
    return new JsonRows(input, options, layout);
  }

  /** The first object's keys. */
  private static List<String> keys(Input input, ReaderOptions options) throws IOException {
    JsonFactory json = JsonRow.factory(options.maxLineBytes());
    Set<String> keys = new LinkedHashSet<>();
    LineSource head =
        new LineSource(
            input.name(), new ByteArrayInputStream(input.head().bytes()), options.maxLineBytes());
    while (head.next()) {
      try (JsonParser parser =
          json.createParser(head.buffer(), head.from(), head.to() - head.from())) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          continue;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          keys.add(parser.currentName());
          parser.nextToken();
          parser.skipChildren();
        }
        if (token == JsonToken.START_OBJECT && !keys.isEmpty()) {
          return List.copyOf(keys);
        }
        break;
      } catch (JsonProcessingException e) {
        throw new BadFileException(
            input.name() + ":" + head.line() + ": not JSON: " + e.getOriginalMessage(), e);
      }
    }
    throw new BadFileException(input.name() + ": the first line must be a JSON object with keys");
  }

  @Override
  Layout layout() {
    return layout;
  }

  @Override
  CellReader cells() {
    return parser.cells();
  }

  @Override
  boolean read(Row row) throws IOException {
    while (lines.next()) {
      if (parser.parse(lines.buffer(), lines.from(), lines.to(), lines.line(), row)) {
        return true;
      }
    }
    return false;
  }

  @Override
  long line() {
    return lines.line();
  }

  @Override
  List<String> notes() {
    return parser.extra() == 0
        ? List.of()
        : List.of("keys that the first row lacks were ignored in " + parser.extra() + " rows");
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
