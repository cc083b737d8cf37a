// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import java.util.concurrent.atomic.LongAdder;

/** What the detectors of one name have judged since the start, whatever their version. */
public final class DetectorTally {
  private final LongAdder rows = new LongAdder();
  private final LongAdder alarms = new LongAdder();
  private final LongAdder learned = new LongAdder();
  private final LongAdder labels = new LongAdder();

  DetectorTally() {}

  /** Counts a row. */
  public void judged(boolean alarm, boolean learn) {
    rows.increment();
    if (alarm) {
      alarms.increment();
    }
    if (learn) {
      learned.increment();
    }
  }

  /** Counts a row that came with a label. */
  public void labelled() {
    labels.increment();
  }

  /** Rows judged. */
  public long rows() {
    return rows.sum();
  }

  /** Alarms among them, at the level of each request. */
  public long alarms() {
    return alarms.sum();
  }

  /** Rows that were to be learned. */
  public long learned() {
    return learned.sum();
  }

  /** Rows that came with a label. */
  public long labels() {
    return labels.sum();
  }
}
