// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

/**
 * Properties of standard error, set by the launcher as system properties: Java itself can only
 * check standard input and output together.
 */
public final class Terminal {
  private static final int USUAL_WIDTH = 80;

  private Terminal() {}

  /** Whether standard error is a terminal. */
  public static boolean isStandardError() {
    return Boolean.getBoolean("avm.stderr.terminal");
  }

  /** Width of the terminal in columns. */
  public static int width() {
    int columns = Integer.getInteger("avm.columns", 0);
    return columns > 0 ? columns : USUAL_WIDTH;
  }
}
