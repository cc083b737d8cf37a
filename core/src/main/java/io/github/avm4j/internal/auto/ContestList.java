// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.Task;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.tuning.Trial;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.kernel.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lists the contests of an engine with the names of their entrants, for reports. */
public final class ContestList {
  private ContestList() {}

  /**
   * A contest.
   *
   * @param subject what it decides
   * @param entrants names of its entrants, in their order
   * @param contest the contest itself
   */
  public record Entry(String subject, List<String> entrants, Contest contest) {}

  /** The contests of the whole space, then one per level of cells, oldest first. */
  public static List<Entry> of(AutoEngine engine) {
    List<Entry> all = new ArrayList<>();
    List<SecondOrderEngine> runners = engine.whole.race.runners();
    all.add(
        new Entry(
            "kernel",
            runners.stream().map(one -> text(one.config().kernel())).toList(),
            engine.whole.race.contest()));
    all.add(forgetting(engine.whole));
    if (engine.task() == Task.CLASSIFICATION) {
      List<String> factors = List.of("1", "2", "4");
      all.add(new Entry("temperature", factors, engine.whole.temperature.contest()));
    }
    if (engine.renewal != null) {
      boolean open = engine.renewal.challenger != null;
      all.add(pair("renewal", "present", open ? "fresh" : null, engine.renewal.contest));
    }
    for (Level<TunedEngine> level : engine.levels.list) {
      String subject = level.cells.size() + " cells";
      all.add(pair(subject, "without cells", "with cells", level.contest));
    }
    return all;
  }

  private static Entry forgetting(TunedEngine engine) {
    Trial trial = engine.trial;
    @Nullable SecondOrderEngine other = trial.challenger;
    String tried =
        other == null
            ? null
            : trial.tried == Trial.FRESH ? "fresh" : text(other.config().forgetting());
    return pair("forgetting", text(engine.leader().config().forgetting()), tried, trial.contest);
  }

  /** A contest of two, or of one whose challenge is over: old evidence is not shown. */
  private static Entry pair(
      String subject, String first, @Nullable String second, Contest contest) {
    return second == null
        ? new Entry(subject, List.of(first), new Contest(1, 0))
        : new Entry(subject, List.of(first, second), contest);
  }

  private static String text(Kernel kernel) {
    String family = kernel.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return family + " " + text(kernel.gamma());
  }

  /** Four digits, without zeros at the end. */
  private static String text(double value) {
    String digits = String.format(Locale.ROOT, "%.4g", value);
    boolean plain = digits.indexOf('.') >= 0 && digits.indexOf('e') < 0;
    return plain ? digits.replaceAll("\\.?0+$", "") : digits;
  }
}
