// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Sampling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Keeps some hundred points of a curve, evenly spaced however long it gets: when there are too many
 * every other one goes, and from then on points are taken half as often.
 */
final class CurveKeeper implements Sampling, Consumer<CurvePoint> {
  private static final int MOST = 400;

  private final List<CurvePoint> points = new ArrayList<>();
  private long interval = 1;

  CurveKeeper() {}

  @Override
  public long after(long instances) {
    return (instances / interval + 1) * interval;
  }

  @Override
  public void accept(CurvePoint point) {
    points.add(point);
    if (points.size() == MOST) {
      interval *= 2;
      points.removeIf(kept -> kept.instances() % interval != 0);
    }
  }

  /** The points; the last is the end of the stream. */
  List<CurvePoint> points() {
    return List.copyOf(points);
  }
}
