// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.PredictionRange;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Decision;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Predicts examples without a label and marks those whose labels are wanted: one {@link
 * LabelBudget} per subtask, for all learners that it holds, as operator state.
 *
 * <p>Restored with the same parallelism it goes on as if it had not stopped. With another one the
 * budgets of several subtasks are added up where one gets them all, and a subtask that gets none
 * begins anew. So it does with another share.
 */
final class LabelMarks {
  /** The five numbers of a budget's state, doubles as their bits. */
  private static final ListStateDescriptor<long[]> STATE =
      new ListStateDescriptor<>(
          "avm-labels", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final int NUMBERS = 5;

  private final ListState<long[]> state;
  private final LabelBudget budget;

  /**
   * Restores or begins.
   *
   * @param share of the examples without a label to ask one for
   * @param subtask seeds the labels that are asked for at random
   */
  LabelMarks(OperatorStateStore store, double share, int subtask) throws Exception {
    state = store.getListState(STATE);
    LabelBudget.State all = null;
    for (long[] numbers : state.get()) {
      LabelBudget.State one = read(numbers);
      if (one.share() == share) {
        all = all == null ? one : sum(all, one);
      }
    }
    budget = all == null ? LabelBudget.of(share, subtask + 1L) : new LabelBudget(all);
  }

  /** Null if no labels are asked for. */
  static @Nullable LabelMarks of(OperatorStateStore store, double share, int subtask)
      throws Exception {
    return share == 0 ? null : new LabelMarks(store, share, subtask);
  }

  private static LabelBudget.State read(long[] numbers) {
    if (numbers.length != NUMBERS) {
      throw new IllegalStateException(
          "the state of a label budget has 5 numbers, here are " + numbers.length);
    }
    return new LabelBudget.State(
        Double.longBitsToDouble(numbers[0]),
        numbers[1],
        numbers[2],
        Double.longBitsToDouble(numbers[3]),
        numbers[4]);
  }

  private static LabelBudget.State sum(LabelBudget.State a, LabelBudget.State b) {
    long seen = a.seen() + b.seen();
    double part = seen == 0 ? 0.5 : (double) a.seen() / seen;
    double threshold = part * a.threshold() + (1 - part) * b.threshold();
    return new LabelBudget.State(
        a.share(), seen, a.asked() + b.asked(), threshold, a.random() ^ b.random());
  }

  /**
   * Predicts an example without learning from it.
   *
   * @param level coverage of an interval or prediction set; 0 for none
   * @return the prediction, with its mark
   * @throws IllegalArgumentException if the learner does not accept it; it does not count then
   */
  Prediction mark(Learner learner, Example example, double level) {
    FeatureVector x = example.x();
    PredictionRange range = new PredictionRange(learner, level);
    double value;
    boolean wanted;
    if (learner.task() == Task.REGRESSION) {
      value = learner.predict(x);
      wanted = budget.wants(Double.NaN);
    } else {
      learner.scores(x, range.scores());
      value = range.winner();
      wanted = budget.wants(Decision.margin(range.scores(), learner.classes()));
    }
    return Prediction.of(example, value, learner.instances(), range.around(value))
        .withWantsLabel(wanted);
  }

  /** Labels asked for so far. */
  long asked() {
    return budget.asked();
  }

  /** Makes this part of the checkpoint. */
  void save() throws Exception {
    LabelBudget.State now = budget.state();
    long[] numbers = {
      Double.doubleToLongBits(now.share()),
      now.seen(),
      now.asked(),
      Double.doubleToLongBits(now.threshold()),
      now.random()
    };
    state.update(List.of(numbers));
  }
}
