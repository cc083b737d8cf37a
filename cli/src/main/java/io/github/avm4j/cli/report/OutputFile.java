// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.model.AvmException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks output files before the work starts. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Checks that all of these can be written; null is ignored.
   *
   * @throws AvmException if one cannot be written
   */
  public static void require(@Nullable Path... files) {
    for (Path file : files) {
      if (file != null) {
        require(file);
      }
    }
  }

  /**
   * Checks the extension of a drawing; null is ignored.
   *
   * @throws UsageException if it is not .svg
   */
  public static void requireSvg(@Nullable Path plot) {
    if (plot != null && !plot.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
      throw new UsageException("--plot: " + plot + " has an unknown extension: use .svg");
    }
  }

  private static void require(Path file) {
    if (Files.isDirectory(file)) {
      throw new AvmException(file + ": is a folder; give a file to write to");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new AvmException(file + ": its folder does not exist; create it first");
    }
    boolean writable = Files.exists(file) ? Files.isWritable(file) : Files.isWritable(folder);
    if (!writable) {
      throw new AvmException(file + ": no permission to write there");
    }
  }
}
