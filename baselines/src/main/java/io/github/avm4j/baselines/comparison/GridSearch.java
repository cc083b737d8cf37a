// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.learner.OnlineLearner;
import java.util.List;
import java.util.function.Function;

/**
 * The best settings of the paper's grids (Section 9.3) on some rows, taken in their order.
 *
 * @param settings the best of the grid, the earliest on ties
 * @param error its percent of mistakes or RMSE
 * @param tried how many settings there were
 */
public record GridSearch(Settings settings, double error, int tried) {
  /** Least rows of a search. */
  private static final int LEAST_ROWS = 5;

  /**
   * The best settings for a pass online: those with the least error over all rows, each predicted
   * before it is learned from. The paper took what it had found on rows held out here, too; but the
   * last iterate on few rows is noisy, and says nothing of how a stream begins.
   *
   * @param method the method
   * @param task classification or regression
   * @param base values of what is not varied
   * @param rows the rows, not changed
   * @return what was found
   */
  public static GridSearch online(Method method, Task task, Settings base, Table rows) {
    requireRows(rows);
    return best(
        method.grid(task, base, rows.size()),
        settings -> {
          OnlineLearner learner = method.create(task, settings);
          Score score = Score.of(task, Score.DEFAULT_WINDOW);
          for (int i = 0; i < rows.size(); i++) {
            double prediction = learner.predictThenLearn(rows.x().get(i), rows.y(i), 1);
            score.add(rows.y(i), prediction, 1);
          }
          double error = score.cumulative().error();
          return Double.isFinite(error) ? error : Double.POSITIVE_INFINITY;
        });
  }

  /**
   * {@return the best of several searches on the same rows, the earliest on ties; it tried what
   * they tried together}
   *
   * @param searches one or more
   */
  public static GridSearch best(List<GridSearch> searches) {
    GridSearch best = searches.get(0);
    int tried = 0;
    for (GridSearch search : searches) {
      tried += search.tried;
      best = search.error < best.error ? search : best;
    }
    return new GridSearch(best.settings, best.error, tried);
  }

  private static void requireRows(Table rows) {
    if (rows.size() < LEAST_ROWS) {
      throw new IllegalArgumentException(
          "a search needs " + LEAST_ROWS + " rows, had " + rows.size());
    }
  }

  /**
   * {@return the settings with the least error, the earliest on ties; a single one is not tried}
   *
   * @param grid settings to try
   * @param errorOf the error of some settings; infinite where predictions are no numbers
   */
  public static GridSearch best(List<Settings> grid, Function<Settings, Double> errorOf) {
    if (grid.size() == 1) {
      return new GridSearch(grid.get(0), Double.NaN, 1);
    }
    GridSearch best = new GridSearch(grid.get(0), Double.POSITIVE_INFINITY, grid.size());
    for (Settings settings : grid) {
      double error = errorOf.apply(settings);
      if (error < best.error) {
        best = new GridSearch(settings, error, grid.size());
      }
    }
    return best;
  }
}
