// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.Documents;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.http.EventLog;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.ModelRepository;
import io.github.avm4j.serve.models.ServedModel;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows read from bytes without a token per number, beside those read from a tree. */
class RowReaderTest {
  private static final Limits LIMITS = new Limits(1 << 20, 1000, 10_000, 10, 10);
  private static final List<String> NAMES = List.of("a", "größe", "b\"c", "job", "d", "e f");
  private static final long SEED = Long.getLong("avm4j.seed", 15);

  private static ServedModel load(RowModel model) throws Exception {
    EventLog silent =
        new EventLog(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            Clock.systemUTC());
    return new ModelRepository(1, silent, Clock.systemUTC())
        .load(new Arrival("m", "", 1, "test", null), model.toBytes());
  }

  /** Six columns, one of them of texts, one whose name JSON escapes. */
  private static ServedModel columns() throws Exception {
    List<Column> columns = new ArrayList<>();
    for (String name : NAMES) {
      boolean text = name.equals("job");
      columns.add(
          new Column(
              name,
              text ? Column.Kind.CATEGORY : Column.Kind.NUMBER,
              1,
              text ? List.of("cook", "pilot") : List.of(),
              0));
    }
    Schema schema = new Schema(columns);
    RowModel numbered = TestModels.numbered(schema.dimension(), 10, 1);
    return load(new RowModel(schema, "y", numbered.classNames(), numbered.model()));
  }

  /** What was made of a document; rows as their features. */
  private record Outcome(List<List<Double>> rows, TreeSet<String> unknown, List<String> unusable) {
    static Outcome empty() {
      return new Outcome(new ArrayList<>(), new TreeSet<>(), new ArrayList<>());
    }

    void add(FeatureVector x) {
      List<Double> features = new ArrayList<>();
      for (int k = 0; k < x.count(); k++) {
        features.add(x.values()[k] + 0.0); // −0 is 0
      }
      rows.add(features);
    }
  }

  private static @Nullable Outcome found(ServedModel model, byte[] document) {
    Outcome outcome = Outcome.empty();
    RowReader reader = new RowReader(model.encoding(), LIMITS);
    try {
      Json.readRows(document, parser -> reader.read(parser, outcome::add));
    } catch (Problem e) {
      return null;
    }
    outcome.unknown.addAll(reader.unknown());
    reader.unusable().forEach(c -> outcome.unusable.add(c.row() + c.column().name() + c.value()));
    return outcome;
  }

  @Test
  void columnsAreThoseOfTheTree() throws Exception {
    Random random = new Random(SEED);
    ServedModel model = columns();
    int read = 0;
    for (int n = 0; n < 4_000; n++) {
      byte[] document = Documents.perhapsDamaged(random, rows(random));
      Outcome found = found(model, document);
      JsonNode tree = Documents.tree(document);
      if (tree != null && tree.toString().contains("Infinity")) {
        continue; // a tree does not keep how a number is written that is too large
      }
      Outcome expected = expected(model, tree);
      assertEquals(expected, found, () -> new String(document, StandardCharsets.UTF_8));
      read += found == null ? 0 : 1;
    }
    assertTrue(read > 1_000 && read < 3_900, "documents that could be read: " + read);
  }

  private static String rows(Random random) {
    StringBuilder text = new StringBuilder("[");
    for (int r = 1 + random.nextInt(3); r > 0; r--) {
      List<String> names = new ArrayList<>(NAMES);
      if (random.nextInt(3) == 0) {
        Collections.shuffle(names, random);
      }
      if (random.nextInt(3) == 0) {
        names.set(random.nextInt(names.size()), "other" + random.nextInt(30));
      }
      text.append("{");
      for (int k = 0; k < names.size(); k++) {
        text.append(k == 0 ? "" : Documents.mark(random, ","));
        text.append('"').append(names.get(k).replace("\"", "\\\"")).append('"');
        text.append(Documents.mark(random, ":")).append(cell(random, names.get(k)));
      }
      text.append("}").append(r > 1 ? Documents.mark(random, ",") : "");
    }
    return text + "]" + " ".repeat(random.nextInt(2) * 40);
  }

  private static String cell(Random random, String name) {
    int kind = random.nextInt(12);
    return name.equals("job") && kind > 2
        ? random.nextBoolean() ? "\"cook\"" : "\"pilot\""
        : kind == 0
            ? "null"
            : kind == 1 ? "\"abc\"" : kind == 2 ? "true" : Documents.number(random);
  }

  /** The specification. */
  private static @Nullable Outcome expected(ServedModel model, @Nullable JsonNode tree) {
    if (tree == null || !(tree.isArray() || tree.isObject())) {
      return null;
    }
    Outcome outcome = Outcome.empty();
    for (JsonNode row : tree.isArray() ? tree : List.of(tree)) {
      if (!row.isObject() || !addRow(model, row, outcome)) {
        return null;
      }
    }
    return outcome;
  }

  private static boolean addRow(ServedModel model, JsonNode object, Outcome outcome) {
    Row row = new Row();
    row.reset(NAMES.size());
    int known = 0;
    for (Map.Entry<String, JsonNode> cell : object.properties()) {
      int column = NAMES.indexOf(cell.getKey());
      if (column < 0) {
        outcome.unknown.add(cell.getKey());
      } else if (!setCell(row, column, cell.getValue())) {
        return false;
      }
      known += column < 0 ? 0 : 1;
    }
    if (known == 0 && !object.isEmpty()) {
      return false;
    }
    RowEncoder encoder = model.rows().schema().encoder(NAMES);
    FeatureVector x = encoder.encode(row);
    for (int k = 0; k < encoder.unusableCount() && outcome.unusable.size() < 20; k++) {
      String text = encoder.unusableText(row, k);
      String shown = text.length() > 40 ? text.substring(0, 40) + "…" : text;
      outcome.unusable.add(outcome.rows.size() + NAMES.get(encoder.unusableColumn(k)) + shown);
    }
    outcome.add(x);
    return true;
  }

  private static boolean setCell(Row row, int column, JsonNode value) {
    if (value.isNumber()) {
      row.setNumber(column, value.doubleValue());
      return true;
    }
    if (value.isBoolean() || value.isTextual()) {
      row.setText(column, value.asText());
    }
    return value.isValueNode();
  }

  @Test
  void arraysAreThoseOfTheTree() throws Exception {
    Random random = new Random(SEED);
    ServedModel model = load(TestModels.numbered(5, 10, 1));
    int read = 0;
    for (int n = 0; n < 4_000; n++) {
      List<String> numbers = new ArrayList<>();
      for (int k = 0; k < 5; k++) {
        numbers.add(Documents.number(random));
      }
      String text = "[[" + String.join(Documents.mark(random, ","), numbers) + "],[1,2,3,4,5]]";
      byte[] document = Documents.perhapsDamaged(random, text);
      Outcome expected = expectedArrays(Documents.tree(document));
      assertEquals(
          expected, found(model, document), () -> new String(document, StandardCharsets.UTF_8));
      read += expected == null ? 0 : 1;
    }
    assertTrue(read > 1_000 && read < 3_900, "documents that could be read: " + read);
  }

  private static @Nullable Outcome expectedArrays(@Nullable JsonNode tree) {
    if (tree == null || !tree.isArray()) {
      return null;
    }
    Outcome outcome = Outcome.empty();
    boolean single = !tree.isEmpty() && tree.get(0).isValueNode();
    for (JsonNode row : single ? List.of(tree) : tree) {
      if (!row.isArray()) {
        return null;
      }
      double[] values = new double[row.size()];
      for (int k = 0; k < values.length; k++) {
        values[k] = row.get(k).isNumber() ? row.get(k).doubleValue() : Double.NaN;
        if (!Double.isFinite(values[k])) {
          return null;
        }
      }
      outcome.add(FeatureVector.dense(values));
    }
    return outcome;
  }

  @Test
  void aColumnThatComesTwiceIsRefusedWhereverItStands() throws Exception {
    ServedModel model = columns();
    String six = "\"a\":1,\"größe\":2,\"b\\\"c\":3,\"job\":\"cook\",\"d\":4,\"e f\":5";
    for (String twice : List.of("\"a\":1", "\"größe\":2", "\"d\":4", "\"e f\":5")) {
      for (String text : List.of(twice + "," + six, six + "," + twice)) {
        byte[] document = ("{" + text + "}" + " ".repeat(40)).getBytes(StandardCharsets.UTF_8);
        Problem problem =
            assertThrows(
                Problem.class,
                () ->
                    Json.readRows(
                        document, p -> new RowReader(model.encoding(), LIMITS).read(p, x -> {})));
        assertTrue(problem.text().contains("comes twice"), problem.text());
      }
    }
  }
}
