// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.evaluation.Figures;

/** Shows the progress of training. */
public interface Progress {
  /** Called after every row. */
  void row(State state);

  /** Called at the end; leaves the cursor at the start of an empty line. */
  void end(State state);

  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void row(State state) {}

        @Override
        public void end(State state) {}
      };

  /** State of the training. */
  interface State {
    /** Number of rows learned from. */
    long rows();

    /** Prequential error so far. */
    Figures figures();

    /** Number of core points. */
    int size();

    /** Nanoseconds since the start. */
    long nanos();

    /** Share of the input read, NaN if unknown. */
    double share();
  }
}
