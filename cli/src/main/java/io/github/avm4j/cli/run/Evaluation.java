// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of one evaluation.
 *
 * @param score prequential score, or hold-out score if there are held-out rows
 * @param learner the trained learner
 * @param end last point of the learning curve
 * @param points the learning curve
 * @param pairs sample of targets and predictions
 * @param coverage how often intervals or prediction sets held the target, by level
 * @param labels which labels were asked for; null if all were learned from
 * @param test cost of the held-out rows; null for a prequential evaluation
 */
public record Evaluation(
    Score score,
    Learner learner,
    CurvePoint end,
    List<CurvePoint> points,
    PairSample pairs,
    CoverageScore coverage,
    @Nullable LabelBudget labels,
    @Nullable Test test) {

  /**
   * Cost of predicting the held-out rows.
   *
   * @param seconds wall-clock time of the predictions
   */
  public record Test(double seconds) {}

  /** Number of scored instances. */
  public long instances() {
    return score.cumulative().instances();
  }

  /** Number of instances learned from. */
  public long learned() {
    return labels == null ? end.instances() : labels.asked();
  }

  /** Instances of the stream per second. */
  public double instancesPerSecond() {
    return end.instances() / end.wallSeconds();
  }

  /** Processor time per instance, in microseconds. */
  public double cpuMicros() {
    return 1e6 * end.cpuSeconds() / end.instances();
  }
}
