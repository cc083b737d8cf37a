// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.RegressionFigures;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.flink.record.BadRecord;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * What a run says when it has ended, as accumulators of the job, because metrics end with their
 * tasks: rows, their error beside that of predicting the most frequent class or the mean so far,
 * models, bad records. No part of a checkpoint: after a restart they count anew.
 */
public final class RunCounts {
  private static final String ROWS = "rows";
  private static final String MODELS = "models";
  private static final String ALARMS = "alarms";
  private static final String BAD = "bad records";
  private static final String LOSS = "loss";
  private static final String BASELINE = "baseline";

  private final RuntimeContext context;
  private final Score score;

  RunCounts(RuntimeContext context, Task task) {
    this.context = context;
    this.score = Score.of(task, 1);
  }

  /** Counts a row that was predicted, then learned. */
  void add(double y, double prediction) {
    score.add(y, prediction, 1);
  }

  /** Counts no more: adds to what other subtasks have counted. */
  void end() {
    Figures all = score.cumulative();
    if (all.instances() > 0) {
      boolean classes = all instanceof ClassificationFigures;
      double baseline =
          all instanceof ClassificationFigures figures
              ? figures.majority()
              : ((RegressionFigures) all).mean();
      context.getLongCounter(ROWS).add(all.instances());
      context.getDoubleCounter(LOSS).add(sum(all.error(), all.instances(), classes));
      context.getDoubleCounter(BASELINE).add(sum(baseline, all.instances(), classes));
    }
  }

  /** Of percents, or of squares. */
  private static double sum(double error, long rows, boolean classes) {
    return (classes ? error : error * error) * rows;
  }

  static void model(RuntimeContext context) {
    context.getLongCounter(MODELS).add(1);
  }

  static void judged(RuntimeContext context, boolean alarm) {
    context.getLongCounter(ROWS).add(1);
    context.getLongCounter(ALARMS).add(alarm ? 1 : 0);
  }

  /** Counts bad records, and passes them on. */
  public static final class Bad extends RichMapFunction<BadRecord, BadRecord> {
    private static final long serialVersionUID = 1;

    /** Creates the function. */
    public Bad() {}

    @Override
    public BadRecord map(BadRecord bad) {
      getRuntimeContext().getLongCounter(BAD).add(1);
      return bad;
    }
  }

  /**
   * {@return such as "1200 rows, error 5.30 % (predicting the most frequent class so far: 42.10 %),
   * 1 model, 0 bad records"}
   *
   * @param results of the job's accumulators
   * @param classes whether errors are shares of wrong classes
   */
  public static String said(Map<String, Object> results, boolean classes) {
    long rows = count(results, ROWS);
    StringBuilder said = new StringBuilder(many(rows, "row"));
    if (results.get(LOSS) instanceof Double loss && results.get(BASELINE) instanceof Double base) {
      said.append(classes ? ", error " : ", RMSE ")
          .append(error(loss / rows, classes))
          .append(" (predicting the ")
          .append(classes ? "most frequent class" : "mean")
          .append(" so far: ")
          .append(error(base / rows, classes))
          .append(')');
    } else if (results.containsKey(ALARMS)) {
      said.append(", ").append(many(count(results, ALARMS), "alarm"));
    }
    return said
        + (", " + many(count(results, MODELS), "model"))
        + (", " + many(count(results, BAD), "bad record"));
  }

  private static String many(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static long count(Map<String, Object> results, String name) {
    return results.get(name) instanceof Long number ? number : 0;
  }

  private static String error(double mean, boolean classes) {
    return classes
        ? String.format(Locale.ROOT, "%.2f %%", mean)
        : String.format(Locale.ROOT, "%.5g", Math.sqrt(mean));
  }
}
