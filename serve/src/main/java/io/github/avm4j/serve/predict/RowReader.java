// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.RowEncoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads raw rows from JSON. A row is an object of cells by column name (numbers, texts, true and
 * false, null for missing); for a model of numbered features an array of all of them, or an object
 * by number, 1 the first, as in LIBSVM's files. A body is a row or an array of rows.
 */
final class RowReader {
  private static final int MOST_UNKNOWN = 20;
  private static final int SHOWN = 40;

  private final RowEncoding model;
  private final Limits limits;
  private final boolean numbered;
  private final TreeSet<String> unknown = new TreeSet<>();
  private final List<Unusable> unusable = new ArrayList<>(0);
  private int row;

  /** By column, one more than the row that had it last. */
  private final int[] seenIn;

  private long elements;

  RowReader(RowEncoding model, Limits limits) {
    this.model = model;
    this.limits = limits;
    this.numbered = model.schema().isNumbered();
    this.seenIn = new int[model.schema().columns().size()];
  }

  /**
   * A cell that holds something, which was taken as missing.
   *
   * @param row number of the row in the request, 0 the first
   * @param value what it holds, cut if long
   */
  record Unusable(int row, Column column, String value) {
    String problem() {
      return switch (column.kind()) {
        case NUMBER -> "not a number";
        case DATE -> "not a date";
        default -> "not a known category";
      };
    }
  }

  /** Called for every row, in order; the features are valid during the call. */
  interface Consumer {
    void row(FeatureVector x) throws IOException;
  }

  /**
   * Reads a body whose first token is current.
   *
   * @return whether it was one row, not an array of rows
   */
  boolean read(JsonParser parser, Consumer rows) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      rows.row(object(parser));
      return true;
    }
    Json.expect(parser, JsonToken.START_ARRAY, "a row or an array of rows");
    JsonToken first = parser.nextToken();
    boolean numbers = first != null && first.isScalarValue();
    if (numbered && numbers) {
      rows.row(array(parser));
      return true;
    }
    int count = 0;
    while (parser.currentToken() != JsonToken.END_ARRAY) {
      limits.checkRows(++count);
      rows.row(one(parser));
      parser.nextToken();
    }
    return false;
  }

  /**
   * Reads a body that must be one row; an array of rows is refused before any of them is read.
   *
   * @return its features, valid until the next row is read
   */
  FeatureVector single(JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return object(parser);
    }
    Json.expect(parser, JsonToken.START_ARRAY, "a row");
    JsonToken first = parser.nextToken();
    boolean numbers = first != null && first.isScalarValue();
    if (!numbered || !numbers) {
      throw Problem.badRequest("one row is explained at a time; send it without the outer []");
    }
    return array(parser);
  }

  private FeatureVector one(JsonParser parser) throws IOException {
    if (numbered && parser.currentToken() == JsonToken.START_ARRAY) {
      parser.nextToken();
      return array(parser);
    }
    Json.expect(parser, JsonToken.START_OBJECT, "a row as an object");
    return object(parser);
  }

  private FeatureVector object(JsonParser parser) throws IOException {
    return numbered ? byNumber(parser) : byName(parser);
  }

  /** The cells the model has no column for; at most twenty are kept. */
  Set<String> unknown() {
    return unknown;
  }

  /** The cells that were taken as missing; at most twenty are kept. */
  List<Unusable> unusable() {
    return unusable;
  }

  private FeatureVector byName(JsonParser parser) throws IOException {
    Row cells = model.row();
    int known = 0;
    int names = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      limits.checkElements(++elements);
      names++;
      String name = parser.currentName();
      int column = model.column(name);
      JsonToken value = parser.nextToken();
      if (column >= 0) {
        known++;
        see(parser, name, column);
        cell(parser, value, cells, column);
      } else {
        parser.skipChildren();
        if (unknown.size() < MOST_UNKNOWN) {
          unknown.add(name);
        }
      }
    }
    if (known == 0 && names > 0) {
      throw Problem.badRequest(
          "the row has none of the model's columns, only "
              + unknown
              + "; GET /v1/models lists the columns");
    }
    FeatureVector x = model.encode(cells);
    keepUnusable(cells);
    row++;
    return x;
  }

  private void see(JsonParser parser, String name, int column) {
    if (seenIn[column] == row + 1) {
      throw Problem.badRequest("the column '" + name + "' comes twice" + Json.place(parser));
    }
    seenIn[column] = row + 1;
  }

  private void keepUnusable(Row cells) {
    RowEncoder encoder = model.encoder();
    for (int k = 0; k < encoder.unusableCount() && unusable.size() < MOST_UNKNOWN; k++) {
      Column column = model.schema().columns().get(encoder.unusableColumn(k));
      String value = encoder.unusableText(cells, k);
      String shown = value.length() > SHOWN ? value.substring(0, SHOWN) + "…" : value;
      unusable.add(new Unusable(row, column, shown));
    }
  }

  private void cell(JsonParser parser, JsonToken value, Row cells, int column) throws IOException {
    switch (value) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        char[] text = parser.getTextCharacters();
        int from = parser.getTextOffset();
        if (!cells.setNumber(column, text, from, from + parser.getTextLength(), false)) {
          cells.setText(column, parser.getText()); // too large for a double
        }
      }
      case VALUE_STRING, VALUE_TRUE, VALUE_FALSE -> cells.setText(column, parser.getText());
      case VALUE_NULL -> {}
      default -> throw Problem.badRequest(Row.EXPECTED + Json.place(parser));
    }
  }

  private static double number(JsonParser parser) throws IOException {
    double value = parser.getDoubleValue();
    if (!Double.isFinite(value)) {
      throw Problem.badRequest("a number too large for a double" + Json.place(parser));
    }
    return value;
  }

  /** Current is the first element or the end. */
  private FeatureVector array(JsonParser parser) throws IOException {
    double[] values = new double[Math.min(4096, Math.max(8, model.dimension()))];
    int count = 0;
    while (parser.currentToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isNumeric()) {
        throw Problem.badRequest("feature " + (count + 1) + " is no number" + Json.place(parser));
      }
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      values[count++] = number(parser);
      limits.checkElements(++elements);
      parser.nextToken();
    }
    FeatureVector x =
        FeatureVector.dense(count == values.length ? values : Arrays.copyOf(values, count));
    checkKnown(x);
    return x;
  }

  /**
   * A model of sparse vectors takes any feature. Those none of its core points has are listed; with
   * no other the row is far from all of them, and its prediction would be the intercept.
   */
  private void checkKnown(FeatureVector x) {
    int dimension = model.dimension();
    if (!model.isOpenEnded() || dimension == 0) {
      return;
    }
    int known = 0;
    int beyond = 0;
    for (int k = 0; k < x.count(); k++) {
      int j = x.isSparse() ? x.indices()[k] : k;
      if (j < dimension) {
        known += x.isSparse() || x.values()[k] != 0 ? 1 : 0;
      } else if (x.values()[k] != 0) {
        beyond++;
        if (unknown.size() < MOST_UNKNOWN) {
          unknown.add(Integer.toString(j + 1));
        }
      }
    }
    if (known == 0 && beyond > 0) {
      throw Problem.badRequest(
          "the row has none of the model's "
              + dimension
              + " features, only "
              + unknown
              + "; they are numbered from 1");
    }
  }

  private FeatureVector byNumber(JsonParser parser) throws IOException {
    TreeMap<Integer, Double> features = new TreeMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      limits.checkElements(++elements);
      String name = parser.currentName();
      if (!name.matches("[1-9]\\d{0,8}")) {
        throw Problem.badRequest(
            "this model has no column names: its features are numbered from 1"
                + Json.place(parser));
      }
      if (!parser.nextToken().isNumeric()) {
        throw Problem.badRequest("feature " + name + " is no number" + Json.place(parser));
      }
      if (features.put(Integer.parseInt(name) - 1, number(parser)) != null) {
        throw Problem.badRequest("feature " + name + " comes twice" + Json.place(parser));
      }
    }
    int dimension = model.dimension();
    if (!model.isOpenEnded()) {
      return dense(features, dimension);
    }
    int[] indices = new int[features.size()];
    double[] values = new double[indices.length];
    int k = 0;
    for (Map.Entry<Integer, Double> feature : features.entrySet()) {
      indices[k] = feature.getKey();
      values[k++] = feature.getValue();
    }
    FeatureVector x = FeatureVector.sparse(indices, values);
    checkKnown(x);
    return x;
  }

  /** A model of dense vectors shifts zeros too, so they must be there. */
  private static FeatureVector dense(SortedMap<Integer, Double> features, int dimension) {
    if (!features.isEmpty() && features.lastKey() >= dimension) {
      throw Problem.badRequest(
          "feature "
              + (features.lastKey() + 1)
              + " is not known; the model has "
              + dimension
              + " features");
    }
    double[] values = new double[dimension];
    features.forEach((j, value) -> values[j] = value);
    return FeatureVector.dense(values);
  }
}
