// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.tuning.Race;
import io.github.avm4j.internal.tuning.TunedEngine;

/** The engines of cells: each configures itself on the instances of its cell. */
public final class Experts {
  /** Most core points of one. */
  static final int BUDGET = 256;

  /** Engines that one may run at a time: two in the race for γ and one on trial. */
  static final int MOST_ENGINES = Race.ENTRANTS_IN_CELL + 1;

  private Experts() {}

  /** The undivided space of an engine; it stays whole where bytes are bounded. */
  static Levels<TunedEngine> of(TunedEngine whole) {
    AutoConfig expert = settings(whole.config);
    int most = whole.config.memory() > 0 ? 0 : whole.config.cells();
    return new Levels<>(instances -> TunedEngine.ofCell(expert, instances, whole), most);
  }

  /** An engine for a cell that is on its own: it has to configure itself from nothing. */
  public static AutoEngine alone(AutoConfig config) {
    return new AutoEngine(
        config.toBuilder().budget(Math.min(config.budget(), BUDGET)).labels().cells(0).build());
  }

  /** The settings of an engine of a cell. */
  public static AutoConfig settings(AutoConfig config) {
    return config.toBuilder()
        .budget(Math.min(config.budget(), BUDGET))
        .estimation(Levels.period(0))
        .labels()
        .cells(0)
        .levels()
        .build();
  }
}
