// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

/** What the process ends with; the help of avm lists them. */
public final class ExitCodes {
  /** All went well. */
  public static final int OK = 0;

  /** Data or a model could not be read, learned from or written. */
  public static final int FAILURE = 1;

  /** The command line was wrong. */
  public static final int USAGE = 2;

  /** Ended by Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
