// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

/**
 * What the launcher knows of standard error and tells by system properties: Java itself can only
 * ask for standard input and output together.
 */
public final class Terminal {
  private static final int USUAL_WIDTH = 80;

  private Terminal() {}

  /** Whether standard error is a terminal. */
  public static boolean isStandardError() {
    return Boolean.getBoolean("avm.stderr.terminal");
  }

  /**
   * On a terminal, takes away the line in which Java announces the Vector API: nothing that was
   * said after it can be there yet.
   */
  public static void wipeIncubatorLine() {
    if (isStandardError()
        && ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
        && !"dumb".equals(System.getenv("TERM"))) {
      System.err.print("\u001B[1A\u001B[2K\r");
    }
  }

  /** Its columns. */
  public static int width() {
    int told = Integer.getInteger("avm.columns", 0);
    return told > 0 ? told : USUAL_WIDTH;
  }
}
