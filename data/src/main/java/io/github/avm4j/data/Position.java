// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

/**
 * A place in the input.
 *
 * @param file name of the file as it was given
 * @param line line, or record for formats without lines; 1-based, 0 before the first
 */
public record Position(String file, long line) {
  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line;
  }
}
