// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.pipeline.Inference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A hundred tables of all types, sizes, delimiters and targets: what is inferred from each. */
class GeneratedTablesTest {
  @TempDir Path folder;

  static List<Integer> seeds() {
    return java.util.stream.IntStream.range(0, 100).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void taskColumnsAndFeatures(int seed) throws IOException {
    GeneratedTable table = new GeneratedTable(seed);
    String text = table.write();
    Path file = Files.writeString(folder.resolve(table.fileName()), text);
    ReaderOptions options = ReaderOptions.defaults().withLabel(table.label());
    try (Preview preview = new Preview(Readers.open(options, file), Map.of(), null)) {
      String said = preview.inferences();
      String about = table + "\n" + said;
      assertEquals(table.task(), preview.task(), about);
      List<Column> columns = preview.schema().columns();
      assertEquals(table.columnKinds(), columns.stream().map(Column::kind).toList(), about);
      assertEquals(table.features(), preview.schema().used(), about);
      List<String> expected = table.said();
      for (int c = 0; c < expected.size(); c++) {
        assertEquals(
            !expected.get(c).isEmpty(), isSaid(said, table.name(c), expected.get(c)), about);
      }
      assertTrue(said.startsWith("task: "), about);
      assertFalse(said.contains("if that means missing") || said.contains(" unit "), about);
      Inference inJava = Inference.of(rows(preview), preview.target());
      assertEquals(preview.schema().columns(), inJava.schema().columns(), about);
      assertEquals(preview.describe(), inJava.toString());
      assertEquals(said, String.join(System.lineSeparator(), inJava.notes()));
    }
  }

  /** The rows as maps: numbers as numbers, other cells as they are written. */
  private static List<Map<String, Object>> rows(Preview preview) throws IOException {
    List<String> names = preview.reader().columns();
    List<Map<String, Object>> rows = new ArrayList<>();
    Row row = new Row();
    while (preview.next(row)) {
      Map<String, Object> cells = new LinkedHashMap<>();
      for (int c = 0; c < names.size(); c++) {
        Row.Kind kind = row.kind(c);
        cells.put(
            names.get(c),
            kind == Row.Kind.NUMBER
                ? (Object) row.number(c)
                : kind == Row.Kind.TEXT ? row.text(c) : null);
      }
      boolean number = row.labelKind() == Row.Kind.NUMBER;
      cells.put(preview.target(), number ? (Object) row.labelNumber() : row.labelText());
      rows.add(cells);
    }
    return rows;
  }

  /** Whether a line holds the text and, after a colon, the column. */
  private static boolean isSaid(String said, String column, String text) {
    return said.lines()
        .skip(1)
        .filter(line -> line.contains(text))
        .anyMatch(line -> line.matches(".*[:,] " + column + "([,;].*)?"));
  }
}
