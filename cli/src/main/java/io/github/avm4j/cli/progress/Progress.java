// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

/** Shows how a run goes while it goes. Called after every row. */
public interface Progress {
  /** One row more. */
  void row(State state);

  /** No more rows; leaves the cursor at the start of an empty line. */
  void end(State state);

  /** Shows nothing. */
  Progress NONE =
      new Progress() {
        @Override
        public void row(State state) {}

        @Override
        public void end(State state) {}
      };

  /** What can be shown. */
  interface State {
    /** Answers and their errors so far. */
    Tally tally();

    /** Core points so far. */
    int size();

    /** Nanoseconds since the start. */
    long nanos();

    /** Share of the input read, NaN if unknown. */
    double share();
  }
}
