// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.model.InvalidModelException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Learners whose categorical columns go on learning values. */
class GrowingRowsTest {
  private static final List<String> NAMES = List.of("shop", "paid", "when");

  private static Row row(int i) {
    Row row = new Row();
    row.reset(3);
    int shop = (int) ((i * 2654435761L & 0xFFFFFFFFL) >>> 7) % (i < 300 ? 20 : 24);
    row.setText(0, "shop" + shop);
    row.setText(1, "$1,0" + (10 + i % 80));
    row.setText(2, (1 + i % 28) + "/" + (1 + i % 12) + "/2023");
    row.setLabel(shop % 3 == 0 ? "yes" : "no");
    return row;
  }

  private static RowLearner learner() {
    SchemaFitter fitter = new SchemaFitter(NAMES, Map.of());
    for (int i = 0; i < 300; i++) {
      fitter.add(row(i));
    }
    Schema schema = fitter.fit();
    return new RowLearner(schema, "bought", Avm.classifier().estimation(100).build());
  }

  private static void learn(RowLearner rows, int from, int to) {
    RowEncoder encoder = rows.encoder(NAMES);
    for (int i = from; i < to; i++) {
      Row row = row(i);
      rows.learner().learn(encoder.encode(row), rows.target(row), 1);
    }
  }

  @Test
  void aLearnerReadAgainGoesOnAsIfItHadNeverStopped() throws InvalidModelException {
    RowLearner never = learner();
    learn(never, 0, 900);
    RowLearner stopped = learner();
    learn(stopped, 0, 450);
    assertTrue(stopped.schema().columns().get(0).categories().size() > 20);
    RowLearner again = RowLearner.read(stopped.toBytes());
    assertEquals(stopped.schema(), again.schema());
    learn(again, 450, 900);
    assertEquals(24, again.schema().columns().get(0).categories().size());
    assertArrayEquals(never.toBytes(), again.toBytes());
  }

  @Test
  void aModelEncodesAsItsLearnerDid() throws InvalidModelException {
    RowLearner rows = learner();
    learn(rows, 0, 900);
    RowModel model = RowModel.read(rows.snapshot().toBytes());
    assertEquals(rows.schema(), model.schema());
    RowEncoder one = rows.reader(NAMES);
    RowEncoder other = model.schema().encoder(NAMES);
    int mistakes = 0;
    for (int i = 900; i < 1200; i++) {
      Row row = row(i);
      FeatureVector x = one.encode(row).copy();
      assertArrayEquals(x.values(), other.encode(row).values());
      mistakes += model.name(model.model().predict(x)).equals(row.labelText()) ? 0 : 1;
    }
    assertTrue(mistakes < 3, mistakes + " mistakes of 300");
  }
}
