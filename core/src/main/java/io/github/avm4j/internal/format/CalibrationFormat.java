// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.format;

import io.github.avm4j.config.Task;
import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.calibration.Residuals;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.InvalidModelException;

/** The CALIBRATION section: thresholds of intervals and prediction sets, with their state. */
final class CalibrationFormat {
  private CalibrationFormat() {}

  static byte[] write(Calibration calibration) {
    Calibrator state = calibration.copy();
    ByteWriter out = new ByteWriter();
    out.u8(state.levels.length);
    out.f64s(state.levels, state.levels.length);
    out.f64s(state.logs, state.logs.length);
    out.i64(state.observed());
    Residuals residuals = state.residuals;
    if (residuals != null) {
      out.f64(residuals.overall());
      out.f64(residuals.centre());
      out.f64(residuals.variance());
      out.f64s(residuals.sums, Residuals.BINS);
      out.f64s(residuals.counts, Residuals.BINS);
    }
    return out.toBytes();
  }

  static Calibration read(ByteReader in, Task task) throws InvalidModelException {
    int count = in.u8();
    double[] levels = in.f64s("level of coverage", count);
    double[] logs = in.f64s("threshold", count);
    long observed = LearnerFormat.count(in, "instances observed");
    Calibrator state =
        new Calibrator(levels, logs, task == Task.REGRESSION ? readResiduals(in) : null, observed);
    in.end();
    for (int i = 0; i < count; i++) {
      boolean valid =
          levels[i] > (i == 0 ? 0 : levels[i - 1])
              && levels[i] < 1
              && logs[i] >= state.least()
              && logs[i] <= Calibrator.LARGEST_LOG;
      if (!valid) {
        throw new InvalidModelException(
            "threshold " + logs[i] + " of level " + levels[i] + " is not valid");
      }
    }
    return new Calibration(state);
  }

  private static Residuals readResiduals(ByteReader in) throws InvalidModelException {
    double overall = LearnerFormat.positive(in, "mean residual");
    double centre = in.f64("mean prediction");
    double variance = LearnerFormat.positive(in, "variance of predictions");
    double[] sums = in.f64s("sum of residuals", Residuals.BINS);
    double[] counts = in.f64s("count of residuals", Residuals.BINS);
    for (int i = 0; i < Residuals.BINS; i++) {
      if (sums[i] < 0 || counts[i] < 0) {
        throw new InvalidModelException("sums and counts of residuals must be >= 0");
      }
    }
    return new Residuals(overall, centre, variance, sums, counts);
  }
}
