// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.StoredInstances;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DivisionsTest {
  private static final int ROWS = 4000;

  private final Setup setup = new Setup(AutoConfig.of(Task.CLASSIFICATION));
  private final RecentRows rows = new RecentRows(ROWS, Long.MAX_VALUE);
  private final Divisions divisions = new Divisions(setup);

  @BeforeEach
  void fill() {
    Random random = new Random(1);
    for (int i = 0; i < ROWS; i++) {
      FeatureVector x = FeatureVector.dense(random.nextGaussian(), 50 * random.nextGaussian());
      rows.add(setup.formed(x), setup.target(x.get(0) > 0 ? 1 : 0), 1);
    }
  }

  /** Divisions into so many cells: around centres, by a tree, around features as they are. */
  private List<Division> made(int cells, boolean scaled, boolean tree, boolean raw) {
    List<FeatureVector> vectors = rows.last(ROWS).stream().map(StoredInstances.Kept::x).toList();
    View view = View.of(vectors, setup);
    Draft draft = Draft.of(setup, rows, cells, scaled ? view.scaling() : null, tree, raw);
    while (!draft.goOn()) {}
    return new ArrayList<>(draft.made());
  }

  private List<Division> inForce() {
    List<Division> list = new ArrayList<>();
    for (int i = 0; i < divisions.size(); i++) {
      list.add(divisions.get(i));
    }
    return list;
  }

  /** Also where a division was left out between, because none of the first was worth another. */
  @Test
  void whatComesLaterTakesThePlaceOfTheKindsThatLost() {
    List<Division> first = made(16, true, true, true);
    divisions.take(first);
    divisions.take(List.of());
    assertEquals(first, inForce());
    Division later = made(60, true, false, false).get(0);
    divisions.take(List.of(later));
    assertEquals(List.of(first.get(0), later), inForce());
    Division last = made(100, true, false, false).get(0);
    divisions.take(List.of(last));
    assertEquals(List.of(later, last), inForce());
  }

  @Test
  void theKindThatWonStays() {
    List<Division> first = made(16, true, true, true);
    divisions.take(first);
    Division later = made(60, false, false, true).get(0);
    assertTrue(later.isRaw());
    divisions.take(List.of(later));
    assertSame(first.get(2), divisions.get(0));
    assertEquals(List.of(first.get(2), later), inForce());
  }
}
