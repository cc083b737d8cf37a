// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.learner.Learner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one evaluation found.
 *
 * @param score of the answers that count: those of the stream, or of the rows held out
 * @param learner what has learned
 * @param end where learning ended
 * @param points the learning curve
 * @param pairs targets and answers, for numbers
 * @param test of the rows held out; null if the stream tests itself
 */
public record Evaluation(
    Score score,
    Learner learner,
    CurvePoint end,
    List<CurvePoint> points,
    PairSample pairs,
    @Nullable Test test) {

  /**
   * The rows held out.
   *
   * @param seconds time their answers took
   */
  public record Test(double seconds) {}

  /** Number of instances that were scored. */
  public long instances() {
    return score.cumulative().instances();
  }

  /** Instances learned from in a second. */
  public double instancesPerSecond() {
    return end.instances() / end.wallSeconds();
  }

  /** Processor time an instance, in microseconds. */
  public double cpuMicros() {
    return 1e6 * end.cpuSeconds() / end.instances();
  }
}
