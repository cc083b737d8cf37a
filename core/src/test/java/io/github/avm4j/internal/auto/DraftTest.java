// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.ByteReader;
import io.github.avm4j.internal.newton.StoredInstances;
import io.github.avm4j.model.InvalidModelException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Divisions that are made piece by piece, while the oldest rows go. */
class DraftTest {
  private static final int KEPT = 600;
  private static final int CELLS = 4;

  private static Setup setup() {
    Setup setup = new Setup(AutoConfig.of(Task.CLASSIFICATION));
    setup.formed(FeatureVector.dense(0, 0));
    setup.target(0);
    setup.target(1);
    return setup;
  }

  private static void add(RecentRows rows, int row) {
    Random random = new Random(row);
    double[] x = {random.nextDouble(), random.nextDouble()};
    rows.add(FeatureVector.dense(x), x[0] > 0.7 || x[1] > 0.4 ? 1 : 0, 1);
  }

  private static Draft copy(Setup setup, Draft draft, RecentRows rows)
      throws InvalidModelException {
    StateWriter out = new StateWriter();
    draft.write(out);
    byte[] bytes = out.toBytes();
    return Draft.read(
        new StateReader(new ByteReader(bytes, 0, bytes.length, "draft"), setup), rows);
  }

  private static RecentRows copy(RecentRows rows) {
    RecentRows copy = new RecentRows(KEPT, Long.MAX_VALUE);
    for (StoredInstances.Kept row : rows.last(KEPT)) {
      copy.put(row.x().copy(), row.y(), row.weight());
    }
    return copy;
  }

  private static byte[] state(Draft draft) {
    StateWriter out = new StateWriter();
    draft.made().forEach(one -> one.write(out));
    return out.toBytes();
  }

  /** Saved after every 50 pieces it comes to the same divisions. */
  @Test
  void resumesAnywhere() throws InvalidModelException {
    Setup setup = setup();
    RecentRows rows = new RecentRows(KEPT, Long.MAX_VALUE);
    for (int row = 0; row < KEPT + 100; row++) {
      add(rows, row);
    }
    View view = View.of(RecentRows.vectors(rows.last(KEPT)), setup);
    Draft draft = Draft.of(setup, rows, CELLS, view.scaling(), true, true);
    RecentRows others = copy(rows);
    Draft resumed = copy(setup, draft, others);
    int pieces = 0;
    boolean done = false;
    while (!done) {
      done = draft.goOn();
      assertEquals(done, resumed.goOn(), "after " + pieces);
      if (++pieces % 5 == 0) {
        add(rows, KEPT + 100 + pieces);
        add(others, KEPT + 100 + pieces);
      }
      if (!done && pieces % 50 == 0) {
        others = copy(others);
        resumed = copy(setup, resumed, others);
      }
    }
    assertTrue(pieces > 10 * KEPT, pieces + " pieces");
    assertEquals(3, draft.made().size());
    assertTrue(draft.made().get(0).isScaled());
    assertTrue(draft.made().get(1).isTree());
    assertTrue(draft.made().get(2).isRaw());
    assertEquals(CELLS, draft.made().get(2).size());
    assertArrayEquals(state(draft), state(resumed));
  }
}
