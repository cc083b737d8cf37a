// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.job.KeyState;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of lab/results/scale.md run; what they measure here means nothing. */
class MeasureTest {
  /** Runs of so few records may take equally long: their difference is 0, and a rate any number. */
  private static final String NUMBER = "(-?[0-9.]+|-?Infinity|NaN)";

  @Test
  void engineTax() throws Exception {
    String row = EngineTax.row(8, 400, 1);
    assertTrue(row.matches("\\| 8 (\\| " + NUMBER + " ){9}\\|"), row);
  }

  @Test
  void cellWorkers() throws Exception {
    String table = new CellWorkers(4, 8, 2000).table(1, List.of(1, 2));
    String lines = "(?s).*\\| 1 \\|.*\\| 2 \\|.*2 workers against 1: " + NUMBER + ",.*";
    assertTrue(table.matches(lines), table);
  }

  @Test
  void originCost() throws Exception {
    assertTrue(new OriginCost(8, 400).seconds(400, true, true, false) > 0);
  }

  @Test
  void manyKeys(@TempDir Path folder) throws Exception {
    String line = ManyKeys.measure(500, 3, folder, KeyState.settings("rocksdb"));
    assertTrue(line.startsWith("500 keys"), line);
  }

  @Test
  void sqlCost(@TempDir Path folder) throws Exception {
    SqlCost cost = new SqlCost(folder, 100);
    assertTrue(cost.seconds(SqlCost.Kind.ML_PREDICT, 200) > 0);
    assertTrue(cost.seconds(SqlCost.Kind.LEARN_ROCKSDB, 200) > 0);
  }
}
