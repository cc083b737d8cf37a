// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.experiments.anomaly.AnomalyStream.Labelled;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnomalyTableTest {
  private static Labelled row(boolean anomalous) {
    return new Labelled(new double[] {0}, anomalous);
  }

  @Test
  void aucCountsTiesHalf() {
    AnomalyStream stream =
        new AnomalyStream("four", List.of(row(false), row(true), row(false), row(true)));
    assertEquals(1, AnomalyTable.auc(stream, new double[] {1, 2, 1, 3}));
    assertEquals(0, AnomalyTable.auc(stream, new double[] {3, 1, 3, 2}));
    assertEquals(0.5, AnomalyTable.auc(stream, new double[] {5, 5, 5, 5}));
    assertEquals(0.625, AnomalyTable.auc(stream, new double[] {1, 1, 2, 3}), 1e-12);
  }

  /** All three find most spikes of a short stream; the table has a figure in each column. */
  @Test
  void aRowHasAllFigures() throws IOException {
    AnomalyStream spikes = new AnomalySets(Path.of("none")).load("spikes").limited(3000);
    String[] cells = AnomalyTable.row(spikes, "file", 0.01).split("\\|", -1);
    assertEquals(14, cells.length);
    assertEquals("–", cells[7].strip(), "half-space trees are not on this class path");
    for (int c : new int[] {5, 6, 8}) {
      double auc = Double.parseDouble(cells[c].strip());
      assertTrue(auc > 0.7 && auc <= 1, cells[c]);
    }
  }
}
