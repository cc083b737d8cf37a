// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON lines: one flat object per line. The first object's keys are the columns. true is 1, false
 * 0; null, NaN and infinities are missing; a text stays a text though it may look like a number.
 */
final class JsonRows extends Rows {
  private final String file;
  private final LineSource lines;
  private final JsonFactory json;
  private final Layout layout;
  private final Cells cells;
  private final Map<String, Integer> columns = new HashMap<>();
  private long extra;

  private JsonRows(Input input, ReaderOptions options, JsonFactory json, Layout layout) {
    file = input.name();
    lines = new LineSource(file, input.stream(), options.maxLineBytes());
    this.json = json;
    this.layout = layout;
    cells = new Cells(file, layout, options);
    for (int c = 0; c < layout.names().size(); c++) {
      columns.put(layout.names().get(c), c);
    }
  }

  static Rows open(Input input, ReaderOptions options, @Nullable Layout first) throws IOException {
    JsonFactory json = factory(options.maxLineBytes());
    Layout layout =
        first != null ? first : Layout.of(input.name(), keys(input, options, json), options);
    return new JsonRows(input, options, json, layout);
  }

  private static JsonFactory factory(int maxLine) {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(8)
                .maxNumberLength(1000)
                .maxNameLength(10_000)
                .maxStringLength(1 << 20)
                .maxDocumentLength(maxLine)
                .build())
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }

  /** The first object's keys. */
  private static List<String> keys(Input input, ReaderOptions options, JsonFactory json)
      throws IOException {
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
  boolean read(Row row) throws IOException {
    while (lines.next()) {
      cells.begin(row);
      try (JsonParser parser =
          json.createParser(lines.buffer(), lines.from(), lines.to() - lines.from())) {
        JsonToken token = parser.nextToken();
        if (token != null) {
          object(parser, token);
          cells.finish(layout.names().size(), lines.line());
          return true;
        }
      } catch (JsonProcessingException e) {
        throw new BadRowException(
            new Position(file, lines.line()),
            "",
            "",
            "not JSON: " + BadRowException.shorten(e.getOriginalMessage()));
      }
    }
    return false;
  }

  private void object(JsonParser parser, JsonToken start) throws IOException {
    if (start != JsonToken.START_OBJECT) {
      cells.problem(-1, parser.getText(), "a row is one JSON object on one line");
      return;
    }
    boolean more = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      Integer column = columns.get(parser.currentName());
      JsonToken value = parser.nextToken();
      if (column != null && layout.role(column) != Layout.IGNORED) {
        value(parser, value, column);
      } else {
        more |= column == null;
        parser.skipChildren();
      }
    }
    extra += more ? 1 : 0;
    if (parser.nextToken() != null) {
      cells.problem(-1, parser.getText(), "one JSON object per line is expected, here is more");
    }
  }

  private void value(JsonParser parser, @Nullable JsonToken token, int column) throws IOException {
    if (token == null) {
      return;
    }
    switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        double number = parser.getDoubleValue();
        boolean tooLarge = Double.isInfinite(number) && layout.role(column) >= 0;
        if (tooLarge || cells.isText(column)) {
          cells.text(column, parser.getText());
        } else {
          cells.number(column, number);
        }
      }
      case VALUE_TRUE -> cells.number(column, 1);
      case VALUE_FALSE -> cells.number(column, 0);
      case VALUE_STRING -> {
        String text = parser.getText();
        if (!cells.isMissing(text)) {
          cells.text(column, text);
        }
      }
      case VALUE_NULL -> {}
      default -> {
        cells.problem(column, "", "a value must not be an object or a list");
        parser.skipChildren();
      }
    }
  }

  @Override
  long line() {
    return lines.line();
  }

  @Override
  List<String> notes() {
    return extra == 0
        ? List.of()
        : List.of("keys that the first row lacks were ignored in " + extra + " rows");
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
