// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.GridSearch;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.HoldOut;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Predictor;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The paper's search (Section 9.3): learns from the first four fifths of some rows, taken in their
 * order, and predicts the last.
 */
public final class HeldOutSearch {
  private static final double LEARNING_SHARE = 0.8;

  private HeldOutSearch() {}

  /** {@return the best settings for learning first and predicting then; the rest as in base} */
  public static GridSearch of(Method method, Task task, Settings base, Table rows) {
    int split = split(rows);
    return GridSearch.best(
        method.grid(task, base, rows.size()),
        settings -> {
          OnlineLearner learner = method.create(task, settings);
          for (int i = 0; i < split; i++) {
            learner.learn(rows.x().get(i), rows.y(i), 1);
          }
          return error(learner, rows.part(split, rows.size()));
        });
  }

  /** {@return the best settings of a batch method; the rest as in base} */
  public static GridSearch of(BatchMethod method, Settings base, Table rows) {
    int split = split(rows);
    Table train = rows.part(0, split);
    return GridSearch.best(
        method.grid(base, rows.size()),
        settings ->
            error(
                method.trainer().train(train.x(), train.y(), settings),
                rows.part(split, rows.size())));
  }

  private static int split(Table rows) {
    if (rows.size() < 5) {
      throw new IllegalArgumentException("a search needs 5 rows, had " + rows.size());
    }
    return (int) (LEARNING_SHARE * rows.size());
  }

  /** Percent of mistakes or RMSE; infinite where the predictions are no numbers. */
  private static double error(Predictor predictor, Table rows) {
    try {
      double error = HoldOut.score(predictor, rows.instances()).cumulative().error();
      return Double.isFinite(error) ? error : Double.POSITIVE_INFINITY;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
