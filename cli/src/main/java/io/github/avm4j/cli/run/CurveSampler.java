// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.LearningCurve.Sampling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Samples a few hundred evenly spaced points of a learning curve of unknown length. At 400 points
 * every other one is removed and the sampling interval doubles.
 */
final class CurveSampler implements Sampling, Consumer<CurvePoint> {
  private static final int MOST = 400;

  private final List<CurvePoint> points = new ArrayList<>();
  private long interval = 1;

  CurveSampler() {}

  @Override
  public long after(long instances) {
    return (instances / interval + 1) * interval;
  }

  @Override
  public void accept(CurvePoint point) {
    points.add(point);
    if (points.size() == MOST) {
      interval *= 2;
      points.removeIf(old -> old.instances() % interval != 0);
    }
  }

  /** Sampled points; the last one is the end of the stream. */
  List<CurvePoint> points() {
    return List.copyOf(points);
  }
}
