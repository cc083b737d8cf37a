// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.option;

import io.github.avm4j.cli.failure.FailureException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files that a command will write: asked for before the work, not after it. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Says so if one of these cannot be written; null is none.
   *
   * @throws FailureException with the name as it was given
   */
  public static void require(@Nullable Path... files) {
    for (Path file : files) {
      if (file != null) {
        require(file);
      }
    }
  }

  private static void require(Path file) {
    if (Files.isDirectory(file)) {
      throw new FailureException(file + ": is a folder; name a file to write to");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new FailureException(file + ": there is no such folder to write to");
    }
    boolean writable = Files.exists(file) ? Files.isWritable(file) : Files.isWritable(folder);
    if (!writable) {
      throw new FailureException(file + ": permission denied to write there");
    }
  }
}
