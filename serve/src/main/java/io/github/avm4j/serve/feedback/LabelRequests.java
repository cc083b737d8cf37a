// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.serve.models.RowPrediction;
import io.github.avm4j.serve.models.ServedModel;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Decides which predictions want a label: one {@link LabelBudget} per model name, whatever version
 * predicts.
 *
 * <p>Any thread. A request takes the lock of its model's budget once, for all of its rows. Names
 * are those of loaded models, so there are no more budgets than these.
 */
public final class LabelRequests {
  private final double share;
  private final ConcurrentMap<String, LabelBudget> budgets = new ConcurrentHashMap<>();

  /**
   * Asks for a share of the labels.
   *
   * @param share in [0, 1]; 0 for none
   */
  public LabelRequests(double share) {
    this.share = share;
  }

  /** Whether any labels are asked for. */
  public boolean isOn() {
    return share > 0;
  }

  /** Counts the predictions of one request, in their order; says of each whether it is wanted. */
  public boolean[] wanted(ServedModel model, List<RowPrediction> predictions) {
    LabelBudget budget = budgets.computeIfAbsent(model.name(), name -> LabelBudget.of(share));
    boolean[] wanted = new boolean[predictions.size()];
    synchronized (budget) {
      for (int r = 0; r < wanted.length; r++) {
        wanted[r] = budget.wants(predictions.get(r).margin());
      }
    }
    return wanted;
  }

  /** Labels asked for among the predictions of a model's versions, since the start. */
  public long asked(String model) {
    LabelBudget budget = budgets.get(model);
    if (budget == null) {
      return 0;
    }
    synchronized (budget) {
      return budget.asked();
    }
  }
}
