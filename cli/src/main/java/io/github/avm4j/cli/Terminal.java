// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

/**
 * What the launcher knows of standard error and tells by system properties: Java itself can only
 * ask for standard input and output together.
 */
final class Terminal {
  private static final int USUAL_WIDTH = 80;

  private Terminal() {}

  /** Whether standard error is a terminal. */
  static boolean isStandardError() {
    return Boolean.getBoolean("avm.stderr.terminal");
  }

  /** Its columns. */
  static int width() {
    int told = Integer.getInteger("avm.columns", 0);
    return told > 0 ? told : USUAL_WIDTH;
  }
}
