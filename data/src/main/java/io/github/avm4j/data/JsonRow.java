// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses one row: a flat JSON object of numbers, texts, true, false and null. */
final class JsonRow implements RecordParser {
  private final String file;
  private final JsonFactory json;
  private final Layout layout;
  private final Cells cells;
  private final Map<String, Integer> columns = new HashMap<>();
  private long extra;

  JsonRow(String file, Layout layout, ReaderOptions options) {
    this.file = file;
    json = factory(options.maxLineBytes());
    this.layout = layout;
    cells = new Cells(file, layout, options);
    for (int c = 0; c < layout.names().size(); c++) {
      columns.put(layout.names().get(c), c);
    }
  }

  @Override
  public List<String> columns() {
    return layout.columns();
  }

  @Override
  public void parse(byte[] record, Row row) {
    if (!parse(record, 0, record.length, 0, row)) {
      throw BadRowException.none(file);
    }
  }

  static JsonFactory factory(int maxLine) {
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

  /** Fills {@code row} with the object in {@code text[from, to)}; false if there is nothing. */
  boolean parse(byte[] text, int from, int to, long line, Row row) throws BadRowException {
    cells.begin(row);
    try (JsonParser parser = json.createParser(text, from, to - from)) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return false;
      }
      object(parser, token);
    } catch (IOException e) {
      String why =
          e instanceof JsonProcessingException bad ? bad.getOriginalMessage() : e.getMessage();
      throw new BadRowException(
          new Position(file, line),
          "",
          "",
          "not JSON: " + BadRowException.shorten(String.valueOf(why)));
    }
    cells.finish(layout.names().size(), line);
    return true;
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
        char[] text = parser.getTextCharacters();
        cells.put(column, text, parser.getTextOffset(), parser.getTextLength());
      }
      case VALUE_TRUE, VALUE_FALSE, VALUE_STRING -> cells.value(column, parser.getText());
      case VALUE_NULL -> {}
      default -> {
        cells.problem(column, "", Row.EXPECTED);
        parser.skipChildren();
      }
    }
  }

  CellReader cells() {
    return cells.reader();
  }

  /** The number of rows with keys that are no columns. */
  long extra() {
    return extra;
  }
}
