// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.failure;

/** Exit codes of the process, as listed by {@code avm --help}. */
public final class ExitCodes {
  /** Success. */
  public static final int OK = 0;

  /** Data or a model could not be read, used or written. */
  public static final int FAILURE = 1;

  /** Invalid command line. */
  public static final int USAGE = 2;

  /** Interrupted by Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
