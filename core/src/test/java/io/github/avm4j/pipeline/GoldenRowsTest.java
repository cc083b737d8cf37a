// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.DateForm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Fill;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.Standard;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A model of rows with every kind of column and all details, which is read for ever. Written by
 * {@link #main} into the folder given; a released one is never written again.
 */
class GoldenRowsTest {
  private static final String NAME = "v1-rows-columns.avm";
  private static final List<String> NAMES = List.of("n", "c", "h", "d", "o", "z");

  private static Schema schema() {
    Column.Details details = Column.Details.NEWEST.withStandard(Standard.NONE, 0.375);
    Column.Details standard = details.withStandard(new Standard(2, 0.5, true), 0.375);
    return new Schema(
        List.of(
            new Column("n", Column.Kind.NUMBER, new Fill(0, List.of(1.0)), List.of(), 0, standard),
            new Column(
                "c", Column.Kind.CATEGORY, Fill.NONE, List.of("x", "y"), 3, details.withRoom(2)),
            new Column("h", Column.Kind.HASHED, Fill.NONE, List.of(), 4, details),
            new Column(
                "d",
                Column.Kind.DATE,
                Fill.NONE,
                List.of(),
                0,
                details.withDates(DateForm.DAY_FIRST, true)),
            new Column("o", Column.Kind.DATE, 0, List.of(), 0),
            new Column("z", Column.Kind.DROPPED, 0, List.of(), 0)));
  }

  private static Row row(int i) {
    Row row = new Row();
    row.reset(6);
    row.setText(0, "$1,00" + i % 10);
    row.setText(1, List.of("x", "y", "new", "newer", "full").get(i % 5));
    row.setText(2, "user" + i % 7);
    row.setText(3, (1 + i % 28) + "/2/2024 3:0" + i % 10 + " PM");
    row.setText(4, "2024-02-1" + i % 10);
    row.setText(5, "anything");
    row.setLabel(i % 3 == 0 ? "yes" : "no");
    return row;
  }

  private static RowLearner learner() {
    RowLearner rows =
        new RowLearner(
            schema(), "t", Avm.paperClassifier().gamma(0.1).delta(0.5).lambda(0.01).build());
    RowEncoder encoder = rows.encoder(NAMES);
    for (int i = 0; i < 60; i++) {
      rows.learner().learn(encoder.encode(row(i)), rows.target(row(i)), 1);
    }
    return rows;
  }

  /** Writes the file. */
  public static void main(String[] arguments) throws IOException {
    Files.write(Path.of(arguments[0]).resolve(NAME), learner().snapshot().toBytes());
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    byte[] file;
    try (InputStream in = GoldenRowsTest.class.getResourceAsStream("/golden/" + NAME)) {
      file = in.readAllBytes();
    }
    RowModel golden = RowModel.read(file);
    RowModel now = learner().snapshot();
    assertEquals(now.schema(), golden.schema());
    assertEquals(List.of("x", "y", "new", "newer"), golden.schema().columns().get(1).categories());
    assertEquals(now.classNames(), golden.classNames());
    RowEncoder one = golden.schema().encoder(NAMES);
    for (int i = 60; i < 90; i++) {
      FeatureVector x = one.encode(row(i));
      assertEquals(now.model().predict(x), golden.model().predict(x));
      double[] expected = new double[now.model().classes()];
      double[] scores = new double[expected.length];
      now.model().scores(x, expected);
      golden.model().scores(x, scores);
      assertArrayEquals(expected, scores, 1e-9);
    }
  }
}
