// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import java.util.Arrays;

/**
 * What came of requests sent for a while.
 *
 * <p>A latency is counted from the moment the request was due, not from when it could be sent: a
 * server that stalls pays for all that had to wait (no coordinated omission).
 */
final class Load {
  private long[] nanos = new long[1 << 16];
  private int count;
  long shed;
  long failed;

  /** Due within the time, but no connection was free: these waited longer than any counted. */
  long unsent;

  double seconds;
  double processorMicros;

  void completed(long latency) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = latency;
  }

  void done(double taken) {
    seconds = taken;
    Arrays.sort(nanos, 0, count);
  }

  int completed() {
    return count;
  }

  /** Completed per second. */
  double rate() {
    return count / seconds;
  }

  /** A quantile of the latencies of the completed, in milliseconds. */
  double millis(double share) {
    return count == 0 ? Double.NaN : nanos[(int) Math.min(count - 1, share * count)] / 1e6;
  }

  /** Cells of the table: rate, shed, quantiles. */
  String cells() {
    return String.format(
        "%,.0f | %.1f | %.2f | %.2f | %.2f |",
        rate(),
        100.0 * shed / Math.max(1, shed + failed + count),
        millis(0.5),
        millis(0.99),
        millis(0.999));
  }
}
