// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.feature.Row;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rows as JSON objects of cells by column name. A cell is the text of its token, which means the
 * same as a number and as a text: so a row that goes through the journal stays what it was, to the
 * last digit.
 */
public final class JsonRows {
  /** The column of a journal that holds the id which a row waited under. */
  static final String ID = "_id";

  /** Most columns of a row. */
  private static final int MOST_COLUMNS = 10_000;

  /** Most cells of a request: each becomes some hundred bytes of texts and of maps. */
  private static final int MOST_CELLS = 250_000;

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?");

  private JsonRows() {}

  /**
   * The rows of a body.
   *
   * @param single whether it was one row, not an array of them
   * @param rows texts by column name
   */
  public record Read(boolean single, List<Map<String, String>> rows) {}

  /**
   * A row or an array of rows.
   *
   * @param most how many rows are allowed
   * @throws Problem if the body is something else
   */
  public static Read read(byte[] body, int most) {
    return Json.read(
        body,
        0,
        body.length,
        parser -> {
          List<Map<String, String>> rows = new ArrayList<>(1);
          long cells = 0;
          if (parser.currentToken() == JsonToken.START_OBJECT) {
            rows.add(row(parser));
            return new Read(true, rows);
          }
          Json.expect(parser, JsonToken.START_ARRAY, "a row or an array of rows");
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (rows.size() == most) {
              throw Problem.tooLarge(
                  "at most " + most + " rows are taken in one request; send fewer");
            }
            Json.expect(parser, JsonToken.START_OBJECT, "a row as an object");
            Map<String, String> row = row(parser);
            cells += row.size();
            if (cells > MOST_CELLS) {
              throw Problem.tooLarge(
                  "at most " + MOST_CELLS + " cells are taken in one request; send fewer rows");
            }
            rows.add(row);
          }
          return new Read(false, rows);
        });
  }

  private static Map<String, String> row(JsonParser parser) throws IOException {
    Map<String, String> cells = new LinkedHashMap<>();
    int names = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      if (++names > MOST_COLUMNS) {
        throw Problem.tooLarge("a row has more than " + MOST_COLUMNS + " columns");
      }
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.VALUE_NULL) {
        continue;
      }
      if (!value.isScalarValue()) {
        throw Problem.badRequest(Row.EXPECTED + Json.place(parser));
      }
      cells.put(name, parser.getText());
    }
    return cells;
  }

  /**
   * Lets a row pass that can be learned.
   *
   * @throws Problem if it has no cells, or one that the journal needs for itself
   */
  public static void check(Map<String, String> cells) {
    if (cells.isEmpty()) {
      throw Problem.badRequest("a row has no cells; send at least one column");
    }
    if (cells.containsKey(ID)) {
      throw Problem.badRequest("a column cannot be named \"" + ID + "\" here; rename it");
    }
  }

  /** The row of a line of a journal. */
  static Map<String, String> line(byte[] line) {
    return Json.read(
        line,
        0,
        line.length,
        parser -> {
          Json.expect(parser, JsonToken.START_OBJECT, "a row");
          return row(parser);
        });
  }

  /** A row as a line of a journal. */
  static byte[] line(
      Map<String, ? extends @Nullable Object> cells, String target, String truth, String id) {
    return Json.write(
        json -> {
          json.writeStartObject();
          for (Map.Entry<String, ? extends @Nullable Object> cell : cells.entrySet()) {
            Object value = cell.getValue();
            if (value == null) {
              json.writeNullField(cell.getKey());
            } else {
              write(json, cell.getKey(), value.toString());
            }
          }
          write(json, target, truth);
          if (!id.isEmpty()) {
            json.writeStringField(ID, id);
          }
          json.writeEndObject();
          json.writeRaw('\n');
        });
  }

  private static void write(JsonGenerator json, String name, String text) throws IOException {
    json.writeFieldName(name);
    if (text.length() <= 100 && NUMBER.matcher(text).matches()) {
      json.writeNumber(text);
    } else {
      json.writeString(text);
    }
  }
}
