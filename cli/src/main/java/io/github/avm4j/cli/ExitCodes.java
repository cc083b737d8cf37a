// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

/** What the process ends with; the help of avm lists them. */
final class ExitCodes {
  /** All went well. */
  static final int OK = 0;

  /** Data or a model could not be read, learned from or written. */
  static final int FAILURE = 1;

  /** The command line was wrong. */
  static final int USAGE = 2;

  /** Ended by Ctrl-C. */
  static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
