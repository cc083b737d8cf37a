// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.RowEncoding;
import io.github.avm4j.testkit.RawRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A row means to the server what it means in Java; see testkit's RowMeansOneThingTest. */
class SameRowsTest {
  private static final Limits LIMITS = new Limits(1 << 20, 1000, 10_000, 10, 10);
  private static final int ROWS = 12;

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameFeaturesOrTheSameRefusal(long seed) {
    RawRows rows = new RawRows(seed);
    List<String> names = rows.names();
    RowEncoding model = new RowEncoding(rows.schema(), rows.schema().dimension(), false);
    RowEncoder inJava = rows.schema().encoder(names);
    for (int i = 0; i < ROWS; i++) {
      Map<String, @Nullable Object> values = rows.row(i == ROWS - 1);
      String document = RawRows.json(values);
      String about = seed + " " + rows.schema() + rows.schema().cells() + " " + document;
      if (values.values().stream().anyMatch(List.class::isInstance)) {
        Problem problem = assertThrows(Problem.class, () -> read(model, document), about);
        assertTrue(problem.text().startsWith(Row.EXPECTED), problem.text());
        continue;
      }
      String features = RawRows.bits(inJava.encode(RawRows.inJava(values, names)));
      List<String> unusable = new ArrayList<>();
      for (int k = 0; k < inJava.unusableCount(); k++) {
        unusable.add(names.get(inJava.unusableColumn(k)));
      }
      assertEquals(features + unusable, read(model, document), about);
    }
  }

  private static String read(RowEncoding model, String document) {
    RowReader reader = new RowReader(model, LIMITS);
    List<String> features = new ArrayList<>();
    Json.readRows(
        document.getBytes(StandardCharsets.UTF_8),
        parser -> reader.read(parser, x -> features.add(RawRows.bits(x))));
    return features.get(0) + reader.unusable().stream().map(cell -> cell.column().name()).toList();
  }
}
