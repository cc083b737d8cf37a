// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.evaluation.LearningCurve.Sampling;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.learner.OnlineLearner;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * One pass of a learner over rows, each predicted before it is learned from.
 *
 * @param points the curve, its end last
 * @param finished whether it came to the last row; if not, the time was up
 */
public record PrequentialRun(List<CurvePoint> points, boolean finished) {
  private static final int CHECK_EVERY = 64;

  /**
   * Copies the list.
   *
   * @param points the curve, its end last
   * @param finished whether it came to the last row; if not, the time was up
   */
  public PrequentialRun {
    points = List.copyOf(points);
  }

  /**
   * Runs a learner.
   *
   * @param learner the learner
   * @param rows the instances
   * @param count number of rows to read, at most
   * @param points about how many points of the curve are kept
   * @param cpuSeconds the processor time after which it is stopped
   * @return the run
   * @throws IOException if reading fails
   */
  public static PrequentialRun of(
      OnlineLearner learner, Instances rows, long count, int points, double cpuSeconds)
      throws IOException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Prequential run =
        new Prequential(
            learner,
            Score.of(learner.task(), Score.DEFAULT_WINDOW),
            System::nanoTime,
            threads::getCurrentThreadCpuTime);
    List<CurvePoint> curve = new ArrayList<>();
    run.listen(Sampling.every(Math.max(1, count / points)), curve::add);
    long start = threads.getCurrentThreadCpuTime();
    long seen = 0;
    boolean inTime = true;
    while (inTime && rows.next()) {
      run.step(rows.x(), rows.y(), rows.weight());
      boolean checks = ++seen % CHECK_EVERY == 0;
      inTime = !checks || (threads.getCurrentThreadCpuTime() - start) / 1e9 < cpuSeconds;
    }
    run.finish();
    return new PrequentialRun(curve, inTime);
  }

  /** {@return the last point} */
  public CurvePoint end() {
    return points.get(points.size() - 1);
  }
}
