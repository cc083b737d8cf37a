// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.feature.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    }
  }

  /** Whether a line holds the text and, after a colon, the column. */
  private static boolean isSaid(String said, String column, String text) {
    return said.lines()
        .skip(1)
        .filter(line -> line.contains(text))
        .anyMatch(line -> line.matches(".*[:,] " + column + "([,;].*)?"));
  }
}
