// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** A file's content, unpacked if its first bytes say that it is packed. */
public final class Unpacked {
  private Unpacked() {}

  /**
   * Opens a plain, gzip, bzip2, xz or zstd file; {@code -} is standard input.
   *
   * @param file the file
   * @return the decompressed bytes
   * @throws IOException if the file cannot be read
   */
  public static InputStream open(Path file) throws IOException {
    return Source.of(file).open(1 << 16).stream();
  }
}
